// A command buffer that is recorded, submitted and waited for, again and again.
#pragma once

#include <vulkan/vulkan.h>

#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_handle.h"

namespace ropebench {

class CommandList {
 public:
  // `device` must outlive it. Throws DeviceError, as every call does.
  explicit CommandList(const VulkanDevice& device);
  ~CommandList();
  CommandList(const CommandList&) = delete;
  CommandList& operator=(const CommandList&) = delete;

  // Waits for the submission before this one and begins to record.
  VkCommandBuffer Begin();

  // Submits what was recorded since Begin. All writes in it, and in what was submitted before, are
  // visible to everything submitted later, and to the host once Wait returns.
  void Submit();

  // Returns when the last submission is done; at once if there is none.
  void Wait();

 private:
  const VulkanDevice& device_;
  CommandPoolHandle pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  FenceHandle fence_;
  bool in_flight_ = false;
};

// Makes what dispatches and transfers before it wrote visible to those after it.
void MemoryBarrier(VkCommandBuffer commands);

// Dispatches and transfers after it wait for everything before it; no memory is made visible.
void ExecutionBarrier(VkCommandBuffer commands);

}  // namespace ropebench
