// CasePlan: the buffers that a case needs and the launches that it makes, independent of the
// backend. A backend allocates the buffers, binds their addresses and launches; it does not need to
// know what the kernel computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernels/kernel_variant.h"
#include "kernels/launch_params.h"
#include "kernels/rope_workload.h"

namespace ropebench {

// What the kernel does to a buffer. kReadWrite is a tensor that is rotated in place.
enum class Access : std::uint8_t { kRead, kWrite, kReadWrite };

struct BufferSpec {
  std::string name;  // q, k, q_out, k_out, dq, dk, dq_out, dk_out, cos, sin
  std::uint64_t bytes;
  Access access;
};

using KernelParams = std::variant<EmptyParams, CopyParams, RopeParams>;

// One kernel launch. Until they are bound, address fields hold the index of a buffer in `buffers`.
struct LaunchStep {
  Pass pass;  // kForward or kBackward, never kFull
  KernelParams params;
};

struct CasePlan {
  std::vector<BufferSpec> buffers;
  std::vector<LaunchStep> steps;  // launched in this order; one call of the case runs all of them
};

// The plan of `workload` for a variant of that role. A copy moves MinTrafficBytes of each step
// (half of it read, half written, rounded up to a 16-byte vector), in place where the workload is,
// in a q and a k of its own for each step, which share the bytes as q_heads and kv_heads do.
CasePlan MakePlan(const RopeWorkload& workload, KernelRole role);

// Replaces the buffer indices in `params` by addresses[index].
KernelParams BindAddresses(const KernelParams& params, std::span<const std::uint64_t> addresses);

// The bytes of a parameter block, as handed to a kernel or pushed as constants; empty for a kernel
// without parameters. The view lives as long as `params`.
std::span<const std::byte> ParamBytes(const KernelParams& params);

}  // namespace ropebench
