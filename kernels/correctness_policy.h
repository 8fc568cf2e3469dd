// The published correctness policy, version 1: every element of every output is checked against
// the float64 reference by a bound that correct fp32 arithmetic cannot miss.
//
//   fp16 and bf16: |y - ref| <= 0.5 ulp(ref) + 2^-23 (|x1 c| + |x2 s|) + 2^-149
//   fp32:          |y - ref| <= 2^-23 (|x1 c| + |x2 s|) + 2^-149
//
// ulp(ref) is the dtype's spacing at ref, never below its smallest subnormal.
// Overflow: where ref rounded to the dtype is infinite, y must be that infinity, or the largest
// finite value if ref is within the bound of the overflow threshold; and the other way round.
// NaN: y is NaN exactly where the formula evaluated in fp32 is NaN. Signs of infinities match.
// Elements past rotary_dim equal the input bit for bit.
// From a million rotated elements on, the share equal to the correctly rounded reference is gated
// too: bf16 with a bf16 table at 99.99 %, fp16 with an fp32 table at 99.9 %.
// There is no bound on the relative error: cancellation makes it meaningless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/rope_workload.h"

namespace ropebench {

// Names and text under which the policy is published.
inline constexpr const char* kComparator = "rounding_bound_v1";
inline constexpr const char* kReferenceText =
    "float64 from the stored inputs and the stored table values; every element is checked: "
    "|y - ref| <= 0.5 ulp(ref) [fp16, bf16 only] + 2^-23 (|x1 c| + |x2 s|) + 2^-149; NaN mask of "
    "the formula in fp32; signs of infinities match; elements past rotary_dim unchanged";

struct CorrectnessReport {
  std::int64_t elements = 0;    // checked, q and k of every step together
  std::int64_t rotated = 0;     // of these, the ones below rotary_dim
  std::int64_t mismatches = 0;  // elements that break the policy
  std::int64_t correctly_rounded =
      0;                       // of the rotated, equal to the reference rounded to the dtype
  double max_abs_error = 0.0;  // over finite pairs of y and ref
  double max_ulp_error = 0.0;  // |y - ref| / ulp(ref), likewise
  // The first broken rule in words: coordinates, inputs, got and expected; empty if none.
  std::string first_failure;

  bool passed() const { return first_failure.empty(); }
  // Share of elements within the policy, 1 where nothing was checked.
  double matched_ratio() const;
  // Adds another report's counts and keeps the first failure of the two.
  void Merge(const CorrectnessReport& other);
};

// One tensor of one step, as stored: `input` before and `output` after the rotation; in place they
// are copies of the same buffer at two times. Sizes: batch x seq x heads x head_dim elements.
struct TensorCheck {
  std::string name;  // for failure texts: q, k, dq, dk
  std::int64_t heads;
  std::span<const std::byte> input;
  std::span<const std::byte> output;
};

// Checks one tensor of a forward or backward rotation, on all host threads. `cos` and `sin` are the
// stored compact tables. The share gate is applied by CheckShare once all tensors are merged.
CorrectnessReport CheckRotation(const RopeWorkload& workload, Pass direction,
                                const TensorCheck& tensor, std::span<const std::byte> cos,
                                std::span<const std::byte> sin);

// Applies the share gate to a merged report, setting first_failure if it is broken.
void CheckShare(const RopeWorkload& workload, CorrectnessReport& report);

// The policy for one element: nothing if `y` is acceptable for reference `ref`, else the rule that
// it breaks. `magnitude` is |x1 c| + |x2 s|; `formula_is_nan` tells whether fp32 evaluation gives
// NaN. Exposed for tests and for kernels from outside.
std::optional<std::string> BrokenRule(double y, double ref, double magnitude, bool formula_is_nan,
                                      Dtype dtype);

}  // namespace ropebench
