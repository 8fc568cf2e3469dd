// The connection to the Vulkan loader.
#pragma once

#include <vulkan/vulkan.h>

#include <memory>
#include <vector>

#include "backends/vulkan/vulkan_options.h"

namespace ropebench {

class VulkanInstance {
 public:
  // Throws DeviceError with a reason for the user: no driver, a loader that is too old, or no
  // validation layer where one is asked for.
  explicit VulkanInstance(const VulkanOptions& options);
  ~VulkanInstance();
  VulkanInstance(const VulkanInstance&) = delete;
  VulkanInstance& operator=(const VulkanInstance&) = delete;

  std::vector<VkPhysicalDevice> PhysicalDevices() const;

  // Throws DeviceError if the validation layer has found an error since the last call.
  void ThrowValidationErrors() const;

 private:
  std::shared_ptr<ValidationLog> log_;  // null without validation
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

}  // namespace ropebench
