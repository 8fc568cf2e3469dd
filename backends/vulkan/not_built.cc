// Stands in for the Vulkan backend where the build found no Vulkan.
#include "backends/vulkan/vulkan_backend.h"

namespace ropebench {

BackendDevices OpenVulkanBackend() {
  return {"vulkan",
          {},
          "this build has no Vulkan: configuring found no headers and loader (libvulkan-dev) or no "
          "glslangValidator (glslang-tools); install them and configure again"};
}

}  // namespace ropebench
