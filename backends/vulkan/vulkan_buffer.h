// A buffer with memory of its own, freed with the object.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>

#include "backends/vulkan/memory_types.h"
#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_handle.h"

namespace ropebench {

class VulkanBuffer {
 public:
  // Contents undefined. kKernel buffers have an address, aligned to 256 bytes. `device` must
  // outlive it. Throws OutOfMemory or DeviceError.
  VulkanBuffer(const VulkanDevice& device, std::uint64_t bytes, MemoryPurpose purpose);

  VkBuffer handle() const { return buffer_.get(); }
  std::uint64_t size() const { return size_; }
  std::uint64_t address() const { return address_; }

  // The contents, where the host can reach them in place, else null.
  std::byte* mapped() const { return mapped_; }

 private:
  std::uint64_t size_;
  BufferHandle buffer_;
  MemoryHandle memory_;  // freed first; that is in order, nothing uses the buffer by then
  std::uint64_t address_ = 0;
  std::byte* mapped_ = nullptr;
};

}  // namespace ropebench
