// RopeWorkload: what is computed, as a plain value. Everything else follows from it: the buffers,
// the fewest bytes, the case id and the manifests.
//
//   q [batch, seq, q_heads, head_dim], k [batch, seq, kv_heads, head_dim]    (layout bshd)
//   cos, sin [seq, rotary_dim / 2]: the compact table, one row per position
//   y1 = x1 c - x2 s,  y2 = x2 c + x1 s    for every pair (x1, x2) of a head; backward negates s
//
// The first rotary_dim elements of a head are rotated; the rest are passed through unchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/dtype.h"
#include "kernels/rope_scaling.h"

namespace ropebench {

// forward: rotates q and k. backward: rotates their gradients dq and dk by the opposite angles.
// full: one forward of q and k, then one backward of dq and dk, as a training step does.
enum class Pass : std::uint8_t { kForward, kBackward, kFull };

// half pairs (i, i + rotary_dim/2), also called NeoX or rotate_half; interleaved pairs (2i, 2i+1),
// also called GPT-J.
enum class Style : std::uint8_t { kHalf, kInterleaved };

enum class Layout : std::uint8_t { kBshd, kBhsd };

enum class Placement : std::uint8_t { kInPlace, kOutOfPlace };

// The names used in configs, case ids and manifests.
std::string_view Name(Pass pass);
std::string_view Name(Style style);
std::string_view Name(Layout layout);
std::string_view Name(Placement placement);
std::optional<Pass> ParsePass(std::string_view name);
std::optional<Style> ParseStyle(std::string_view name);
std::optional<Layout> ParseLayout(std::string_view name);
std::optional<Placement> ParsePlacement(std::string_view name);
inline constexpr std::string_view kPassNames[] = {"forward", "backward", "full"};
inline constexpr std::string_view kStyleNames[] = {"half", "interleaved"};
inline constexpr std::string_view kLayoutNames[] = {"bshd", "bhsd"};
inline constexpr std::string_view kPlacementNames[] = {"in_place", "out_of_place"};

struct RopeWorkload {
  Pass pass = Pass::kForward;
  std::int64_t batch = 1;
  std::int64_t seq = 2048;
  std::int64_t q_heads = 32;
  std::int64_t kv_heads = 8;
  std::int64_t head_dim = 16;
  std::int64_t rotary_dim = 16;  // even, at most head_dim
  Dtype dtype = Dtype::kBf16;
  Dtype table_dtype = Dtype::kBf16;
  Style style = Style::kHalf;
  Layout layout = Layout::kBshd;
  Placement placement = Placement::kInPlace;
  double theta = 10000.0;            // base of the inverse frequencies
  std::int64_t position_offset = 0;  // token t stands at position t + position_offset
  RopeScaling scaling;               // of the table; L of its formulas is seq + position_offset

  friend bool operator==(const RopeWorkload&, const RopeWorkload&) = default;

  // The sweep axis of Liger's benchmark: q_heads x head_dim.
  std::int64_t hidden() const { return q_heads * head_dim; }
  std::int64_t q_elements() const { return batch * seq * q_heads * head_dim; }
  std::int64_t k_elements() const { return batch * seq * kv_heads * head_dim; }
  std::int64_t table_elements() const { return seq * (rotary_dim / 2); }  // of cos, and of sin
};

// A rule that a workload breaks, in words for the user; `field` is a name as used in configs, for a
// parameter of the scaling scaling.NAME.
struct WorkloadError {
  std::string field;
  std::string rule;
};

// Returns the first broken rule, or nothing. Every function below requires a valid workload.
std::optional<WorkloadError> Validate(const RopeWorkload& workload);

// The passes that one call of the workload runs, a launch each, in order: full is {forward,
// backward}.
std::span<const Pass> Steps(Pass pass);

// The fewest bytes that one call must move through memory: each rotated element read once and
// written once, each table value read once; out of place, the untouched tail is moved as well.
// In place, batch 1 and full rotation: 2 (q + k) + cos + sin, per step.
std::uint64_t MinTrafficBytes(const RopeWorkload& workload);

// Canonical text: every field as key:value in a fixed order, a scaling only where there is one;
// equal exactly when workloads are equal.
std::string CanonicalText(const RopeWorkload& workload);

}  // namespace ropebench
