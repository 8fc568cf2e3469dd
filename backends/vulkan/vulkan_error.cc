#include "backends/vulkan/vulkan_error.h"

#include <fmt/format.h>

#include "backends/backend.h"

namespace ropebench {

std::string Describe(VkResult result) {
  switch (result) {
#define ROPEBENCH_NAME(code) \
  case code:                 \
    return #code
    ROPEBENCH_NAME(VK_SUCCESS);
    ROPEBENCH_NAME(VK_NOT_READY);
    ROPEBENCH_NAME(VK_TIMEOUT);
    ROPEBENCH_NAME(VK_INCOMPLETE);
    ROPEBENCH_NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
    ROPEBENCH_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    ROPEBENCH_NAME(VK_ERROR_INITIALIZATION_FAILED);
    ROPEBENCH_NAME(VK_ERROR_DEVICE_LOST);
    ROPEBENCH_NAME(VK_ERROR_MEMORY_MAP_FAILED);
    ROPEBENCH_NAME(VK_ERROR_LAYER_NOT_PRESENT);
    ROPEBENCH_NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
    ROPEBENCH_NAME(VK_ERROR_FEATURE_NOT_PRESENT);
    ROPEBENCH_NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
    ROPEBENCH_NAME(VK_ERROR_TOO_MANY_OBJECTS);
    ROPEBENCH_NAME(VK_ERROR_UNKNOWN);
    ROPEBENCH_NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
#undef ROPEBENCH_NAME
    default:
      return fmt::format("VkResult {}", static_cast<int>(result));
  }
}

void Check(VkResult result, std::string_view attempt) {
  if (result >= 0) return;
  const std::string message = fmt::format("{}: {}", attempt, Describe(result));
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
    throw OutOfMemory(message);
  }
  if (result == VK_ERROR_DEVICE_LOST) throw DeviceLost(message);
  throw DeviceError(message);
}

}  // namespace ropebench
