// The loop that both CPU rotations share: every pair of q and k, tokens split over all threads.
#pragma once

#include <cstring>

#include "kernels/case_plan.h"
#include "kernels/cpu/parallel_for.h"
#include "kernels/rope_reference.h"

namespace ropebench {

// Rotates as `params` say, evaluating each pair in `Compute` (float or double) and storing
// `round(value)`, whose type is the tensor's storage type T. Pairs are read before either element
// is written, so in place is safe; elements past rotary_dim are copied out of place.
template <typename T, typename Table, typename Compute, typename Round>
void RotateRows(Style style, const RopeParams& p, Round round) {
  const auto* cos = reinterpret_cast<const Table*>(p.cos);
  const auto* sin = reinterpret_cast<const Table*>(p.sin);
  const std::int64_t half = p.rotary_dim / 2;
  const Compute sign = p.sin_sign_bit != 0 ? Compute{-1} : Compute{1};

  const auto rotate_head = [&](const T* in, T* out, std::int64_t table_row) {
    for (std::int64_t i = 0; i < half; ++i) {
      const auto [d1, d2] = PairIndices(style, p.rotary_dim, i);
      const Pair<Compute> x = {static_cast<Compute>(ToFloat(in[d1])),
                               static_cast<Compute>(ToFloat(in[d2]))};
      const auto c = static_cast<Compute>(ToFloat(cos[table_row + i]));
      const auto s = sign * static_cast<Compute>(ToFloat(sin[table_row + i]));
      const Pair<Compute> y = Rotate(x, c, s);
      out[d1] = round(y.first);
      out[d2] = round(y.second);
    }
    if (in != out) {
      std::memcpy(out + p.rotary_dim, in + p.rotary_dim, (p.head_dim - p.rotary_dim) * sizeof(T));
    }
  };
  const auto rotate_tensor = [&](std::uint64_t in, std::uint64_t out, std::int64_t at,
                                 std::int64_t heads, std::int64_t stride, std::int64_t table_row) {
    for (std::int64_t h = 0; h < heads; ++h) {
      rotate_head(reinterpret_cast<const T*>(in) + at + h * stride,
                  reinterpret_cast<T*>(out) + at + h * stride, table_row);
    }
  };

  const std::int64_t seq = p.seq;
  ParallelFor(std::int64_t{p.batch} * seq, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t token = begin; token < end; ++token) {
      const std::int64_t b = token / seq;
      const std::int64_t t = token % seq;
      const std::int64_t table_row = t * p.table_stride;
      rotate_tensor(p.q_in, p.q_out, b * p.q_batch_stride + t * p.q_seq_stride, p.q_heads,
                    p.q_head_stride, table_row);
      rotate_tensor(p.k_in, p.k_out, b * p.k_batch_stride + t * p.k_seq_stride, p.kv_heads,
                    p.k_head_stride, table_row);
    }
  });
}

}  // namespace ropebench
