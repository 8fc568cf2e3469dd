// The float64 reference: what a rotation should give, from the stored inputs and the very table
// values that a kernel reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/rope_workload.h"

namespace ropebench {

// The two elements of one pair.
template <typename T>
struct Pair {
  T first;
  T second;
};

// y1 = x1 c - x2 s, y2 = x2 c + x1 s, each operation rounded to T on its own. In double it is the
// reference (the products of two fp32 values are exact in it); in float it is the arithmetic that
// every kernel of this project must reproduce bit for bit.
template <typename T>
constexpr Pair<T> Rotate(Pair<T> x, T cos, T sin) {
  return {x.first * cos - x.second * sin, x.second * cos + x.first * sin};
}

// Where the elements of a tensor [batch, seq, heads, head_dim] lie, in elements.
struct TensorLayout {
  std::int64_t batch_stride;
  std::int64_t seq_stride;
  std::int64_t head_stride;

  std::int64_t At(std::int64_t b, std::int64_t t, std::int64_t h) const {
    return b * batch_stride + t * seq_stride + h * head_stride;
  }
};
TensorLayout LayoutOf(const RopeWorkload& workload, std::int64_t heads);

// The indices within a head of the i-th pair, i < rotary_dim / 2.
constexpr Pair<std::int64_t> PairIndices(Style style, std::int64_t rotary_dim, std::int64_t i) {
  if (style == Style::kHalf) return {i, i + rotary_dim / 2};
  return {2 * i, 2 * i + 1};
}

}  // namespace ropebench
