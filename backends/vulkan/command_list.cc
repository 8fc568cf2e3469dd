#include "backends/vulkan/command_list.h"

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"

namespace ropebench {
namespace {

constexpr VkPipelineStageFlags kWork =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags kReads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

VkMemoryBarrier BarrierTo(VkAccessFlags accesses) {
  auto barrier = VulkanStruct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = kWrites;
  barrier.dstAccessMask = accesses;
  return barrier;
}

}  // namespace

CommandList::CommandList(const VulkanDevice& device) : device_(device) {
  auto pool_create =
      VulkanStruct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool_create.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool_create.queueFamilyIndex = device.physical().queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  Check(vkCreateCommandPool(device.handle(), &pool_create, nullptr, &pool),
        "creating a command pool");
  pool_ = {device.handle(), pool};

  auto allocate =
      VulkanStruct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  Check(vkAllocateCommandBuffers(device.handle(), &allocate, &commands_),
        "allocating a command buffer");

  const auto fence_create = VulkanStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence fence = VK_NULL_HANDLE;
  Check(vkCreateFence(device.handle(), &fence_create, nullptr, &fence), "creating a fence");
  fence_ = {device.handle(), fence};
}

CommandList::~CommandList() {
  if (!in_flight_) return;
  const VkFence fence = fence_.get();
  vkWaitForFences(device_.handle(), 1, &fence, VK_TRUE, UINT64_MAX);
}

VkCommandBuffer CommandList::Begin() {
  Wait();
  Check(vkResetCommandPool(device_.handle(), pool_.get(), 0), "resetting a command pool");
  auto begin = VulkanStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  Check(vkBeginCommandBuffer(commands_, &begin), "beginning a command buffer");
  return commands_;
}

void CommandList::Submit() {
  const VkMemoryBarrier barrier =
      BarrierTo(kReads | kWrites | VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
  vkCmdPipelineBarrier(commands_, kWork, kWork | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
  Check(vkEndCommandBuffer(commands_), "ending a command buffer");
  auto submit = VulkanStruct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands_;
  Check(vkQueueSubmit(device_.queue(), 1, &submit, fence_.get()), "submitting to the device");
  in_flight_ = true;
}

void CommandList::Wait() {
  if (!in_flight_) return;
  in_flight_ = false;
  const VkFence fence = fence_.get();
  Check(vkWaitForFences(device_.handle(), 1, &fence, VK_TRUE, UINT64_MAX),
        "waiting for the device");
  Check(vkResetFences(device_.handle(), 1, &fence), "resetting a fence");
  device_.instance().ThrowValidationErrors();
}

void MemoryBarrier(VkCommandBuffer commands) {
  const VkMemoryBarrier barrier = BarrierTo(kReads | kWrites);
  vkCmdPipelineBarrier(commands, kWork, kWork, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void ExecutionBarrier(VkCommandBuffer commands) {
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, kWork, 0, 0, nullptr, 0,
                       nullptr, 0, nullptr);
}

}  // namespace ropebench
