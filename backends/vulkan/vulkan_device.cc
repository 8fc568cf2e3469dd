#include "backends/vulkan/vulkan_device.h"

#include <utility>

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"

namespace ropebench {

VulkanDevice::VulkanDevice(std::shared_ptr<const VulkanInstance> instance, PhysicalDevice physical)
    : instance_(std::move(instance)), physical_(std::move(physical)) {
  const float priority = 1.0f;
  auto queue = VulkanStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = physical_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto features = VulkanStruct<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  features.bufferDeviceAddress = VK_TRUE;
  // A device that offers this extension requires that it be enabled.
  const char* const extensions[] = {"VK_KHR_portability_subset"};
  auto create = VulkanStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;
  create.enabledExtensionCount = physical_.portability_subset ? 1 : 0;
  create.ppEnabledExtensionNames = extensions;
  Check(vkCreateDevice(physical_.handle, &create, nullptr, &device_),
        "opening " + physical_.info.name);
  vkGetDeviceQueue(device_, physical_.queue_family, 0, &queue_);

  const auto cache =
      VulkanStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  if (vkCreatePipelineCache(device_, &cache, nullptr, &pipeline_cache) == VK_SUCCESS) {
    pipeline_cache_ = {device_, pipeline_cache};
  }
}

VulkanDevice::~VulkanDevice() {
  vkDeviceWaitIdle(device_);
  pipeline_cache_ = {};
  vkDestroyDevice(device_, nullptr);
}

}  // namespace ropebench
