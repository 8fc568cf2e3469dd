// Vulkan objects that are destroyed with their owner.
#pragma once

#include <vulkan/vulkan.h>

#include <utility>

namespace ropebench {

// An object of a device, destroyed by `destroy(device, handle, nullptr)`; or none.
template <typename T, auto destroy>
class VulkanHandle {
 public:
  VulkanHandle() = default;
  VulkanHandle(VkDevice device, T handle) : device_(device), handle_(handle) {}
  VulkanHandle(VulkanHandle&& other) noexcept
      : device_(other.device_), handle_(std::exchange(other.handle_, T{})) {}
  VulkanHandle& operator=(VulkanHandle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~VulkanHandle() {
    if (handle_ != T{}) destroy(device_, handle_, nullptr);
  }

  T get() const { return handle_; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  T handle_{};
};

using BufferHandle = VulkanHandle<VkBuffer, vkDestroyBuffer>;
using CommandPoolHandle = VulkanHandle<VkCommandPool, vkDestroyCommandPool>;
using FenceHandle = VulkanHandle<VkFence, vkDestroyFence>;
using MemoryHandle = VulkanHandle<VkDeviceMemory, vkFreeMemory>;
using PipelineHandle = VulkanHandle<VkPipeline, vkDestroyPipeline>;
using PipelineCacheHandle = VulkanHandle<VkPipelineCache, vkDestroyPipelineCache>;
using PipelineLayoutHandle = VulkanHandle<VkPipelineLayout, vkDestroyPipelineLayout>;
using QueryPoolHandle = VulkanHandle<VkQueryPool, vkDestroyQueryPool>;
using ShaderModuleHandle = VulkanHandle<VkShaderModule, vkDestroyShaderModule>;

}  // namespace ropebench
