// Identity: which OperationSpec and WorkloadCase a workload is published as.
//
// Published digests are permanent. A change to anything here needs a new version word inside the
// documents; tests/evidence/identity_test.cc pins digests so that none changes unseen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/rope_workload.h"
#include "manifests/manifest.h"

namespace ropebench {

// strict: says everything that decides what is computed. One operation per pass, style, placement
//   and layout. Its workload binds batch, seq, q_heads, kv_heads, head_dim and rotary_dim, and
//   gives each input's shape, dtype, strides, alignment and data, theta, and the correctness
//   policy; position_offset too where it is not 0, and the numbers of a scaling as KIND_NAME. The
//   data are those of kernels/input_data.h, the tables (generator rope_table) those of
//   kernels/rope_tables.h.
// liger: the documents of the public rows of Liger's benchmark, to share a workload with them. They
//   have no field for style, placement, table or pass, so only what that benchmark computes may
//   carry them; the pass is told apart by the protocol.
enum class Identity : std::uint8_t { kStrict, kLiger };
inline constexpr std::string_view kIdentityNames[] = {"strict", "liger"};
std::string_view Name(Identity identity);
std::optional<Identity> ParseIdentity(std::string_view name);

// Why a valid workload may not carry identity liger, or nothing. Allowed: half style, in place,
// bshd, batch 1, full rotation, positions from 0, no scaling, theta 10000 (the default of the model
// that Liger's benchmark builds), tables in the tensors' dtype; any pass, dtype, seq and head
// counts.
std::optional<std::string> WhyNotLiger(const RopeWorkload& workload);

struct WorkloadIdentity {
  Manifest operation;
  Manifest workload;
};

// The documents of a valid workload. Throws std::invalid_argument with WhyNotLiger's reason.
WorkloadIdentity Identify(Identity identity, const RopeWorkload& workload);

// Alignment in bytes of every tensor of a strict workload.
inline constexpr std::int64_t kAlignmentBytes = 256;

}  // namespace ropebench
