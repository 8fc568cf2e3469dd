#include "backends/vulkan/transfer.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "backends/vulkan/vulkan_error.h"

namespace ropebench {

Transfer::Transfer(const VulkanDevice& device, bool force_staging, std::uint64_t staging_bytes)
    : device_(device),
      force_staging_(force_staging),
      staging_bytes_(staging_bytes),
      commands_(device) {}

void Transfer::Write(const VulkanBuffer& to, std::span<const std::byte> image) {
  if (image.size() != to.size()) throw std::logic_error("image and buffer differ in size");
  Check(vkQueueWaitIdle(device_.queue()), "waiting for the device");
  if (to.mapped() != nullptr && !force_staging_) {
    std::memcpy(to.mapped(), image.data(), image.size());
    return;
  }
  InChunks(to.size(), [&](std::uint64_t offset, std::uint64_t bytes) {
    std::memcpy(staging_->mapped(), image.data() + offset, bytes);
    Copy(staging_->handle(), 0, to.handle(), offset, bytes);
  });
}

void Transfer::Read(const VulkanBuffer& from, std::span<std::byte> image) {
  if (image.size() != from.size()) throw std::logic_error("image and buffer differ in size");
  Check(vkQueueWaitIdle(device_.queue()), "waiting for the device");
  if (from.mapped() != nullptr && !force_staging_) {
    std::memcpy(image.data(), from.mapped(), image.size());
    return;
  }
  InChunks(from.size(), [&](std::uint64_t offset, std::uint64_t bytes) {
    Copy(from.handle(), offset, staging_->handle(), 0, bytes);
    std::memcpy(image.data() + offset, staging_->mapped(), bytes);
  });
}

template <typename Move>
void Transfer::InChunks(std::uint64_t bytes, Move&& move) {
  const std::uint64_t chunk = std::min(bytes, staging_bytes_);
  if (!staging_ || staging_->size() < chunk) {
    staging_.reset();
    staging_.emplace(device_, chunk, MemoryPurpose::kStaging);
  }
  for (std::uint64_t offset = 0; offset < bytes; offset += staging_->size()) {
    move(offset, std::min(bytes - offset, staging_->size()));
  }
}

void Transfer::Copy(VkBuffer from, std::uint64_t from_offset, VkBuffer to, std::uint64_t to_offset,
                    std::uint64_t bytes) {
  const VkBufferCopy region{from_offset, to_offset, bytes};
  vkCmdCopyBuffer(commands_.Begin(), from, to, 1, &region);
  commands_.Submit();
  commands_.Wait();
}

}  // namespace ropebench
