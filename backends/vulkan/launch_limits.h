// A device's limits, checked by our own code before the driver is asked: some drivers accept what
// they then compute wrongly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/case_plan.h"
#include "shaders/variants.h"

namespace ropebench {

struct DeviceLimits {
  std::uint32_t max_groups[3] = {};
  std::uint32_t max_group_size = 0;    // in x, and of all invocations together
  std::uint32_t max_push_bytes = 0;    // push constants
  std::uint64_t max_buffer_bytes = 0;  // of one buffer and of one allocation
  std::uint64_t memory_bytes = 0;      // of the largest device-local heap
};

// The limit that a launch breaks, or nothing.
std::optional<std::string> WhyOverLimits(const DeviceLimits& limits, const ShaderLaunch& launch,
                                         std::size_t push_bytes);

// The limit that the buffers of a plan break, guard zones included, or nothing.
std::optional<std::string> WhyOverLimits(const DeviceLimits& limits, const CasePlan& plan);

// The same for one buffer of `bytes` in all.
std::optional<std::string> WhyOverLimits(const DeviceLimits& limits, std::uint64_t bytes);

}  // namespace ropebench
