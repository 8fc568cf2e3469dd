// A logical device with its one queue.
#pragma once

#include <vulkan/vulkan.h>

#include <memory>

#include "backends/vulkan/physical_device.h"
#include "backends/vulkan/vulkan_handle.h"
#include "backends/vulkan/vulkan_instance.h"

namespace ropebench {

class VulkanDevice {
 public:
  // Throws DeviceError.
  VulkanDevice(std::shared_ptr<const VulkanInstance> instance, PhysicalDevice physical);
  ~VulkanDevice();
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;

  VkDevice handle() const { return device_; }
  VkQueue queue() const { return queue_; }
  VkPipelineCache pipeline_cache() const { return pipeline_cache_.get(); }
  const PhysicalDevice& physical() const { return physical_; }
  const VulkanInstance& instance() const { return *instance_; }

 private:
  std::shared_ptr<const VulkanInstance> instance_;
  PhysicalDevice physical_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  PipelineCacheHandle pipeline_cache_;
};

}  // namespace ropebench
