// Moves bytes between the host and buffers of a device, and waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "backends/vulkan/command_list.h"
#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_device.h"

namespace ropebench {

class Transfer {
 public:
  // In place where the host can reach a buffer, unless `force_staging`; else through a staging
  // buffer of at most `staging_bytes`, allocated when first needed.
  Transfer(const VulkanDevice& device, bool force_staging, std::uint64_t staging_bytes);

  // Over the whole buffer; `image` has its size, and everything submitted before is done first.
  void Write(const VulkanBuffer& to, std::span<const std::byte> image);
  void Read(const VulkanBuffer& from, std::span<std::byte> image);

 private:
  // Calls move(offset, size) for each chunk of `bytes`, the staging buffer being there.
  template <typename Move>
  void InChunks(std::uint64_t bytes, Move&& move);

  // Copies between the staging buffer's beginning and `offset` in `buffer`.
  void Copy(VkBuffer from, std::uint64_t from_offset, VkBuffer to, std::uint64_t to_offset,
            std::uint64_t bytes);

  const VulkanDevice& device_;
  const bool force_staging_;
  const std::uint64_t staging_bytes_;
  CommandList commands_;
  std::optional<VulkanBuffer> staging_;
};

}  // namespace ropebench
