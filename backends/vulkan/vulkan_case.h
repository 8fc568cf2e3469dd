// PreparedCase on a Vulkan device.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "backends/vulkan/command_list.h"
#include "backends/vulkan/transfer.h"
#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_handle.h"
#include "shaders/variants.h"

namespace ropebench {

class VulkanCase final : public PreparedCase {
 public:
  // Allocates the plan's buffers, binds their addresses and makes the pipelines. The workload is
  // one that the variant supports within the device's limits. `device` and `transfer` must outlive
  // it. Throws OutOfMemory or DeviceError.
  VulkanCase(const VulkanDevice& device, Transfer& transfer, const ShaderVariant& variant,
             const RopeWorkload& workload);

  void Write(std::size_t buffer, std::span<const std::byte> image) override;
  void Read(std::size_t buffer, std::span<std::byte> image) override;
  void RunOnce() override;

  // Records every step, with barriers between them but none before the first or after the last.
  void Record(VkCommandBuffer commands) const;

 private:
  // What steps of one shader and one set of constants share.
  struct Pipeline {
    PipelineLayoutHandle layout;
    PipelineHandle pipeline;
  };
  struct Step {
    ShaderLaunch launch;
    KernelParams params;
    std::size_t pipeline;
  };

  Pipeline MakePipeline(const ShaderLaunch& launch, std::size_t push_bytes) const;

  const VulkanDevice& device_;
  Transfer& transfer_;
  std::vector<VulkanBuffer> buffers_;
  std::vector<Pipeline> pipelines_;
  std::vector<Step> steps_;
  CommandList commands_;
};

}  // namespace ropebench
