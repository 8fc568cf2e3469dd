// What the variants with 16-byte accesses have in common on the host side: which workloads lie in
// memory so that they can, and in which dtypes they are instantiated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/dtype.h"
#include "kernels/rope_workload.h"

namespace ropebench {

// 16-byte vectors in the left or right half of a head's rotated part; meaningful where
// WhyNoVectorAccess has no objection.
inline std::int64_t HalfVectors(const RopeWorkload& w) {
  return w.rotary_dim / 2 * Info(w.dtype).size_bytes / 16;
}

inline constexpr std::int64_t kMaxHalfVectors = 128;

// Why the 16-byte variants cannot run a workload, or nothing. MakePlan's strides
// are multiples of head_dim, so aligned heads are all that it takes.
inline std::optional<std::string> WhyNoVectorAccess(const RopeWorkload& w) {
  if (w.style != Style::kHalf) return "needs style half: it pairs whole vectors";
  if (w.table_dtype != w.dtype && w.table_dtype != Dtype::kFp32) {
    return "needs a table in fp32 or in the dtype of q and k";
  }
  const std::int64_t size = Info(w.dtype).size_bytes;
  if (w.rotary_dim / 2 * size % 16 != 0) {
    return "needs rotary_dim / 2 to fill whole 16-byte vectors, a multiple of " +
           std::to_string(16 / size) + " elements";
  }
  if (w.head_dim * size % 16 != 0) {
    return "needs heads that begin at multiples of 16 bytes";
  }
  if (w.placement == Placement::kOutOfPlace && w.rotary_dim != w.head_dim) {
    return "carries no tail over: out of place it needs rotary_dim = head_dim";
  }
  if (HalfVectors(w) > kMaxHalfVectors) {
    return "a block spans a whole half: at most " + std::to_string(kMaxHalfVectors) +
           " vectors of 16 bytes";
  }
  if (w.batch * w.seq >= std::int64_t{1} << 31) return "numbers tokens in 31 bits";
  const std::int64_t largest = std::max({w.q_elements(), w.k_elements(), w.table_elements()});
  if (largest >= std::int64_t{1} << 32)
    return "numbers elements in 32 bits: 2^32 or more in a tensor";
  return std::nullopt;
}

// Calls f(T{}, Table{}) with the storage types of a workload that WhyNoVectorAccess accepts.
template <typename F>
decltype(auto) VisitVectorDtypes(const RopeWorkload& w, F&& f) {
  return VisitDtype(w.dtype, [&](auto element) {
    return w.table_dtype == w.dtype ? f(element, element) : f(element, float{});
  });
}

}  // namespace ropebench
