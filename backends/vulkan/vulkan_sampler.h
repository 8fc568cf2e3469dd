// Samples by timestamp queries.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/sampler.h"
#include "backends/vulkan/command_list.h"
#include "backends/vulkan/timestamps.h"
#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_case.h"
#include "backends/vulkan/vulkan_device.h"

namespace ropebench {

// Records operations and submits them at Synchronize, or when many have been recorded; a pair of
// Start and Stop always lies in one submission, so the host's launch cost cannot fall between them
// and Block has nothing to do.
class VulkanSampler final : public Sampler {
 public:
  // The device's clock has timestamps. `device` must outlive it. Throws DeviceError.
  VulkanSampler(const VulkanDevice& device, std::uint64_t flush_bytes);
  ~VulkanSampler() override;

  void Reserve(std::size_t pairs) override;
  void Flush() override;  // a fill with a new value each time
  void Block() override {}
  void Release() override {}
  void Start() override;
  void Launch(PreparedCase& prepared) override;
  void Stop() override;
  void Synchronize() override;
  std::vector<double> Collect() override;
  double tick_ns() const override { return tick_ns_; }

 private:
  VkCommandBuffer Commands();  // begins to record where nothing is being recorded
  void Submit();
  void SubmitIfLong();
  void OrderAfterEarlierWork();
  void WriteTimestamp(VkPipelineStageFlagBits stage);
  void AddPool();
  std::vector<Timestamp> TakeTimestamps();

  const VulkanDevice& device_;
  VulkanBuffer flush_;
  std::uint32_t flush_value_ = 0;
  double tick_ns_ = 0.0;

  // Submissions in flight at a time; the next one to be recorded waits for the oldest.
  std::array<std::unique_ptr<CommandList>, 4> lists_;
  std::size_t list_ = 0;
  VkCommandBuffer recording_ = VK_NULL_HANDLE;
  int recorded_operations_ = 0;
  bool in_pair_ = false;
  bool work_may_overlap_ = false;  // the last dispatch or fill has no barrier after it yet

  std::vector<QueryPoolHandle> pools_;
  std::uint32_t stamps_ = 0;  // written since the last Collect
};

}  // namespace ropebench
