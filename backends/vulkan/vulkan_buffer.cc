#include "backends/vulkan/vulkan_buffer.h"

#include <fmt/format.h>

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"

namespace ropebench {

VulkanBuffer::VulkanBuffer(const VulkanDevice& device, std::uint64_t bytes, MemoryPurpose purpose)
    : size_(bytes) {
  const PhysicalDevice& physical = device.physical();
  if (bytes == 0) throw DeviceError("a buffer of 0 bytes");  // crashes one known driver
  if (const auto why = WhyOverLimits(physical.limits, bytes)) throw OutOfMemory(*why);

  auto create = VulkanStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  create.size = bytes;
  create.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (purpose == MemoryPurpose::kKernel) {
    create.usage |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  }
  VkBuffer buffer = VK_NULL_HANDLE;
  Check(vkCreateBuffer(device.handle(), &create, nullptr, &buffer), "creating a buffer");
  buffer_ = {device.handle(), buffer};

  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device.handle(), buffer, &needs);
  if (const auto why = WhyOverLimits(physical.limits, needs.size)) throw OutOfMemory(*why);
  const auto type =
      ChooseMemoryType(physical.memory_types, needs.memoryTypeBits, needs.size, purpose);
  if (!type) {
    throw OutOfMemory(fmt::format(
        "no {} memory type of the device holds {} bytes",
        purpose == MemoryPurpose::kKernel ? "device-local" : "host-visible, coherent", needs.size));
  }

  auto flags =
      VulkanStruct<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  auto allocate = VulkanStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.pNext = purpose == MemoryPurpose::kKernel ? &flags : nullptr;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = *type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  Check(vkAllocateMemory(device.handle(), &allocate, nullptr, &memory),
        fmt::format("allocating {} bytes of device memory", needs.size));
  memory_ = {device.handle(), memory};
  Check(vkBindBufferMemory(device.handle(), buffer, memory, 0), "binding a buffer to its memory");

  if (IsHostAccessible(physical.memory_types[*type])) {
    void* mapped = nullptr;
    Check(vkMapMemory(device.handle(), memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapping a buffer");
    mapped_ = static_cast<std::byte*>(mapped);
  }
  if (purpose == MemoryPurpose::kKernel) {
    auto info =
        VulkanStruct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    info.buffer = buffer;
    address_ = vkGetBufferDeviceAddress(device.handle(), &info);
    if (address_ % 256 != 0) {
      throw DeviceError(fmt::format("a buffer's address {:#x} is not 256-byte aligned", address_));
    }
  }
}

}  // namespace ropebench
