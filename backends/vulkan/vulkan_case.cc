#include "backends/vulkan/vulkan_case.h"

#include <algorithm>

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"
#include "shaders/float_controls.h"

namespace ropebench {

VulkanCase::VulkanCase(const VulkanDevice& device, Transfer& transfer, const ShaderVariant& variant,
                       const RopeWorkload& workload)
    : device_(device), transfer_(transfer), commands_(device) {
  const CasePlan plan = MakePlan(workload, variant.variant.role);
  std::vector<std::uint64_t> addresses;
  for (const BufferSpec& spec : plan.buffers) {
    buffers_.emplace_back(device, kGuardBytes + spec.bytes + kGuardBytes, MemoryPurpose::kKernel);
    addresses.push_back(buffers_.back().address() + kGuardBytes);
  }
  for (const LaunchStep& step : plan.steps) {
    ShaderLaunch launch = variant.select(workload, step.params);
    const auto same = std::find_if(steps_.begin(), steps_.end(), [&](const Step& other) {
      return other.launch.spirv.data() == launch.spirv.data() &&
             other.launch.group_size == launch.group_size &&
             other.launch.constants == launch.constants;
    });
    if (same == steps_.end()) {
      pipelines_.push_back(MakePipeline(launch, ParamBytes(step.params).size()));
    }
    const std::size_t pipeline = same == steps_.end() ? pipelines_.size() - 1 : same->pipeline;
    steps_.push_back({std::move(launch), BindAddresses(step.params, addresses), pipeline});
  }
}

VulkanCase::Pipeline VulkanCase::MakePipeline(const ShaderLaunch& launch,
                                              std::size_t push_bytes) const {
  const std::vector<std::uint32_t> spirv =
      WithFloatControls(launch.spirv, device_.physical().float_controls);
  auto module_create =
      VulkanStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  module_create.codeSize = spirv.size() * sizeof(std::uint32_t);
  module_create.pCode = spirv.data();
  VkShaderModule module = VK_NULL_HANDLE;
  Check(vkCreateShaderModule(device_.handle(), &module_create, nullptr, &module),
        "loading a shader");
  const ShaderModuleHandle module_owner(device_.handle(), module);

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  static_cast<std::uint32_t>(push_bytes)};
  auto layout_create =
      VulkanStruct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout_create.pushConstantRangeCount = push_bytes == 0 ? 0 : 1;
  layout_create.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  Check(vkCreatePipelineLayout(device_.handle(), &layout_create, nullptr, &layout),
        "creating a pipeline layout");
  PipelineLayoutHandle layout_owner(device_.handle(), layout);

  std::vector<std::uint32_t> values{launch.group_size};
  std::vector<VkSpecializationMapEntry> entries{{0, 0, sizeof(std::uint32_t)}};
  for (const ShaderConstant& constant : launch.constants) {
    entries.push_back({constant.id,
                       static_cast<std::uint32_t>(values.size() * sizeof(std::uint32_t)),
                       sizeof(std::uint32_t)});
    values.push_back(constant.value);
  }
  const VkSpecializationInfo specialization{static_cast<std::uint32_t>(entries.size()),
                                            entries.data(), values.size() * sizeof(std::uint32_t),
                                            values.data()};
  auto create =
      VulkanStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  create.stage = VulkanStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  create.stage.module = module;
  create.stage.pName = "main";
  create.stage.pSpecializationInfo = &specialization;
  create.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  Check(vkCreateComputePipelines(device_.handle(), device_.pipeline_cache(), 1, &create, nullptr,
                                 &pipeline),
        "building a compute pipeline");
  return {std::move(layout_owner), PipelineHandle(device_.handle(), pipeline)};
}

void VulkanCase::Write(std::size_t buffer, std::span<const std::byte> image) {
  transfer_.Write(buffers_.at(buffer), image);
}

void VulkanCase::Read(std::size_t buffer, std::span<std::byte> image) {
  transfer_.Read(buffers_.at(buffer), image);
}

void VulkanCase::RunOnce() {
  Record(commands_.Begin());
  commands_.Submit();
  commands_.Wait();
}

void VulkanCase::Record(VkCommandBuffer commands) const {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const Pipeline& pipeline = pipelines_[step.pipeline];
    if (i > 0) MemoryBarrier(commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline.get());
    if (const auto bytes = ParamBytes(step.params); !bytes.empty()) {
      vkCmdPushConstants(commands, pipeline.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         static_cast<std::uint32_t>(bytes.size()), bytes.data());
    }
    vkCmdDispatch(commands, step.launch.groups[0], step.launch.groups[1], step.launch.groups[2]);
  }
}

}  // namespace ropebench
