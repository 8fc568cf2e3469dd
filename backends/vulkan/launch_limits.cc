#include "backends/vulkan/launch_limits.h"

#include <fmt/format.h>

#include "backends/backend.h"

namespace ropebench {

std::optional<std::string> WhyOverLimits(const DeviceLimits& limits, const ShaderLaunch& launch,
                                         std::size_t push_bytes) {
  if (launch.group_size == 0 || launch.group_size > limits.max_group_size) {
    return fmt::format("a work group of {} invocations is outside the device's 1 to {}",
                       launch.group_size, limits.max_group_size);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.groups[axis] == 0 || launch.groups[axis] > limits.max_groups[axis]) {
      return fmt::format("{} work groups in {} are outside the device's 1 to {}",
                         launch.groups[axis], "xyz"[axis], limits.max_groups[axis]);
    }
  }
  if (push_bytes > limits.max_push_bytes) {
    return fmt::format("{} bytes of parameters exceed the device's {} of push constants",
                       push_bytes, limits.max_push_bytes);
  }
  return std::nullopt;
}

std::optional<std::string> WhyOverLimits(const DeviceLimits& limits, std::uint64_t bytes) {
  if (bytes > limits.max_buffer_bytes) {
    return fmt::format("a buffer of {} bytes exceeds the device's limit of {}", bytes,
                       limits.max_buffer_bytes);
  }
  if (bytes > limits.memory_bytes) {
    return fmt::format("needs {} bytes of device memory, the device has {}", bytes,
                       limits.memory_bytes);
  }
  return std::nullopt;
}

std::optional<std::string> WhyOverLimits(const DeviceLimits& limits, const CasePlan& plan) {
  std::uint64_t total = 0;
  for (const BufferSpec& spec : plan.buffers) {
    const std::uint64_t bytes = kGuardBytes + spec.bytes + kGuardBytes;
    if (const auto why = WhyOverLimits(limits, bytes)) return spec.name + ": " + *why;
    total += bytes;
  }
  if (total > limits.memory_bytes) {
    return fmt::format("needs {} bytes of device memory, the device has {}", total,
                       limits.memory_bytes);
  }
  return std::nullopt;
}

}  // namespace ropebench
