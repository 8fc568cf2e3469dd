// The Vulkan kernels: one explicit table. No Vulkan header is needed to read it.
//
// Every shader's entry point is `main`; it takes its parameter block (RopeParams or CopyParams) as
// push constants from offset 0, or nothing, and reaches its buffers by address alone. A work group
// is one-dimensional, a multiple of 32, and its size is specialization constant 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/case_plan.h"
#include "kernels/kernel_variant.h"

namespace ropebench {

// A 32-bit specialization constant.
struct ShaderConstant {
  std::uint32_t id;
  std::uint32_t value;
  friend bool operator==(const ShaderConstant&, const ShaderConstant&) = default;
};

// A module with what makes a pipeline of it, and the launch geometry.
struct ShaderLaunch {
  std::span<const std::uint32_t> spirv;   // SPIR-V 1.3, static storage
  std::uint32_t group_size;               // constant 0; not repeated in `constants`
  std::vector<ShaderConstant> constants;  // ids from 1
  std::uint32_t groups[3];                // at most 65535 each, which every device allows
};

struct ShaderVariant {
  KernelVariant variant;
  // Chooses the constants and geometry for one launch step. The workload is one that the variant
  // supports; `params` may be bound or not.
  ShaderLaunch (*select)(const RopeWorkload& workload, const KernelParams& params);
};

std::span<const ShaderVariant> ShaderVariants();

// Writes `count` groups as (x, y, 1) with x * y >= count, both at most 65535 and fewer than y
// groups to spare. count is at least 1 and at most 65535^2.
void FoldGroups(std::uint64_t count, std::uint32_t (&groups)[3]);

// One per file; see the head of each. Other backends have variants of the same names.
namespace shaders {

ShaderLaunch SelectVec16(const RopeWorkload& workload, std::uint32_t heads_per_invocation,
                         std::uint32_t group_size);
std::optional<std::string> WhyNotVec16(const RopeWorkload& workload);

ShaderLaunch SelectPair(const RopeWorkload& workload);
std::optional<std::string> WhyNotPair(const RopeWorkload& workload);

ShaderLaunch SelectCopy(const CopyParams& params, std::uint32_t vectors_per_invocation,
                        std::uint32_t group_size);
std::optional<std::string> WhyNotCopy(const RopeWorkload& workload);

ShaderLaunch SelectEmpty();

}  // namespace shaders

}  // namespace ropebench
