#include "backends/vulkan/vulkan_sampler.h"

#include <algorithm>
#include <stdexcept>

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"

namespace ropebench {
namespace {

constexpr std::uint32_t kPoolQueries = 512;  // even, so that no pair is split

// A submission is kept short of what a driver's watchdog allows (seconds): a flush takes some 100
// us and no more than a few milliseconds anywhere.
constexpr int kOperationsPerSubmission = 64;

// The start is stamped when everything before it is done, a flush included: the only stage that
// says so is the bottom of the pipe. An execution barrier after it keeps the launch from beginning
// before the stamp is taken. The stop is stamped when the launch's shaders are done, and no barrier
// comes before it, so no cache maintenance is counted.
constexpr VkPipelineStageFlagBits kStartStage = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
constexpr VkPipelineStageFlagBits kStopStage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

constexpr std::uint64_t RoundUp4(std::uint64_t bytes) {
  return (std::max<std::uint64_t>(bytes, 1) + 3) / 4 * 4;
}

}  // namespace

VulkanSampler::VulkanSampler(const VulkanDevice& device, std::uint64_t flush_bytes)
    : device_(device), flush_(device, RoundUp4(flush_bytes), MemoryPurpose::kKernel) {
  for (auto& list : lists_) list = std::make_unique<CommandList>(device);
  AddPool();
  Flush();
  constexpr int kPairs = 32;
  for (int i = 0; i < kPairs; ++i) {
    Start();
    Stop();
  }
  tick_ns_ = ObservedTickNs(device_.physical().clock, TakeTimestamps());
}

VulkanSampler::~VulkanSampler() { vkDeviceWaitIdle(device_.handle()); }

void VulkanSampler::Reserve(std::size_t pairs) {
  while (pools_.size() * kPoolQueries < stamps_ + 2 * pairs) AddPool();
}

void VulkanSampler::Flush() {
  OrderAfterEarlierWork();
  vkCmdFillBuffer(Commands(), flush_.handle(), 0, VK_WHOLE_SIZE, ++flush_value_);
  work_may_overlap_ = true;
  ++recorded_operations_;
}

void VulkanSampler::Start() {
  if (in_pair_) throw std::logic_error("Start follows Start");
  if (stamps_ == pools_.size() * kPoolQueries) AddPool();
  OrderAfterEarlierWork();
  WriteTimestamp(kStartStage);
  ExecutionBarrier(Commands());
  in_pair_ = true;
}

void VulkanSampler::Launch(PreparedCase& prepared) {
  OrderAfterEarlierWork();
  static_cast<VulkanCase&>(prepared).Record(Commands());
  work_may_overlap_ = true;
  ++recorded_operations_;
  SubmitIfLong();
}

void VulkanSampler::Stop() {
  if (!in_pair_) throw std::logic_error("Stop follows no Start");
  WriteTimestamp(kStopStage);
  in_pair_ = false;
  SubmitIfLong();
}

void VulkanSampler::Synchronize() {
  if (in_pair_) throw std::logic_error("Synchronize between Start and Stop");
  Submit();
  for (auto& list : lists_) list->Wait();
}

std::vector<double> VulkanSampler::Collect() {
  const std::vector<Timestamp> stamps = TakeTimestamps();
  std::vector<double> times_ns;
  for (std::size_t i = 0; i + 1 < stamps.size(); i += 2) {
    times_ns.push_back(ElapsedNs(device_.physical().clock, stamps[i], stamps[i + 1]));
  }
  return times_ns;
}

VkCommandBuffer VulkanSampler::Commands() {
  if (recording_ == VK_NULL_HANDLE) recording_ = lists_[list_]->Begin();
  return recording_;
}

void VulkanSampler::Submit() {
  if (recording_ == VK_NULL_HANDLE) return;
  lists_[list_]->Submit();
  list_ = (list_ + 1) % lists_.size();
  recording_ = VK_NULL_HANDLE;
  recorded_operations_ = 0;
  work_may_overlap_ = false;  // a submission ends with a barrier
}

void VulkanSampler::SubmitIfLong() {
  if (!in_pair_ && recorded_operations_ >= kOperationsPerSubmission) Submit();
}

void VulkanSampler::OrderAfterEarlierWork() {
  if (work_may_overlap_) MemoryBarrier(Commands());
  work_may_overlap_ = false;
}

void VulkanSampler::WriteTimestamp(VkPipelineStageFlagBits stage) {
  vkCmdWriteTimestamp(Commands(), stage, pools_[stamps_ / kPoolQueries].get(),
                      stamps_ % kPoolQueries);
  ++stamps_;
}

void VulkanSampler::AddPool() {
  auto create = VulkanStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  create.queryType = VK_QUERY_TYPE_TIMESTAMP;
  create.queryCount = kPoolQueries;
  VkQueryPool pool = VK_NULL_HANDLE;
  Check(vkCreateQueryPool(device_.handle(), &create, nullptr, &pool), "creating a query pool");
  pools_.emplace_back(device_.handle(), pool);
  vkCmdResetQueryPool(Commands(), pool, 0, kPoolQueries);
}

std::vector<Timestamp> VulkanSampler::TakeTimestamps() {
  Synchronize();
  std::vector<Timestamp> stamps(stamps_);
  for (std::uint32_t first = 0; first < stamps_; first += kPoolQueries) {
    const std::uint32_t count = std::min(kPoolQueries, stamps_ - first);
    const VkQueryPool pool = pools_[first / kPoolQueries].get();
    // Not waiting: what was submitted is done, so a stamp that is missing now never comes.
    Check(vkGetQueryPoolResults(device_.handle(), pool, 0, count, count * sizeof(Timestamp),
                                stamps.data() + first, sizeof(Timestamp),
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
          "reading timestamps");
    vkCmdResetQueryPool(Commands(), pool, 0, kPoolQueries);
  }
  stamps_ = 0;
  return stamps;
}

}  // namespace ropebench
