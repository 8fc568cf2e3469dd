// Vulkan result codes to exceptions.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <string_view>

namespace ropebench {

// "VK_ERROR_DEVICE_LOST", or the number of a code without a name here.
std::string Describe(VkResult result);

// Throws OutOfMemory or DeviceError, with what was attempted and the code's name, unless `result`
// is a success.
void Check(VkResult result, std::string_view attempt);

}  // namespace ropebench
