// pair: one thread per pair, element by element, for every valid workload: both styles, any even
// head_dim and rotary_dim, both layouts, any strides, in place and out of place, all dtypes. The
// device's oracle. Expected: far from the copy in 16 bits, where a thread moves four bytes at a
// time; the other variants are worth their restrictions only where they beat it.
#include <algorithm>
#include <bit>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"

namespace ropebench {
namespace {

constexpr std::uint32_t kBlock = 256;

// A block is (pairs, heads); the grid is (tokens, groups of heads, batch). Each axis but the tokens
// runs on in a loop where it is longer than the launch. Past rotary_dim a thread's two elements are
// not rotated but carried over.
template <typename T, typename Table, Style style>
__global__ void __launch_bounds__(kBlock) PairKernel(const __grid_constant__ RopeParams p) {
  const std::uint32_t half = p.rotary_dim / 2;
  const std::uint32_t pairs = p.head_dim / 2;
  const std::uint64_t heads = std::uint64_t{p.q_heads} + p.kv_heads;
  const std::uint64_t t = blockIdx.x;
  const std::uint64_t table_row = t * p.table_stride;

  for (std::uint64_t b = blockIdx.z; b < p.batch; b += gridDim.z) {
    for (std::uint64_t h = std::uint64_t{blockIdx.y} * blockDim.y + threadIdx.y; h < heads;
         h += std::uint64_t{gridDim.y} * blockDim.y) {
      const bool is_q = h < p.q_heads;
      const std::uint64_t at =
          is_q ? b * p.q_batch_stride + t * p.q_seq_stride + h * p.q_head_stride
               : b * p.k_batch_stride + t * p.k_seq_stride + (h - p.q_heads) * p.k_head_stride;
      const std::uint64_t in = (is_q ? p.q_in : p.k_in) + at * sizeof(T);
      const std::uint64_t out = (is_q ? p.q_out : p.k_out) + at * sizeof(T);

      for (std::uint32_t i = threadIdx.x; i < pairs; i += blockDim.x) {
        const bool rotated = i < half;
        if (!rotated && in == out) break;
        const bool split = style == Style::kHalf && rotated;
        const std::uint64_t d1 = (split ? i : std::uint64_t{2} * i) * sizeof(T);
        const std::uint64_t d2 = d1 + (split ? half : 1u) * sizeof(T);
        T x1 = LoadElement<T>(in + d1);
        T x2 = LoadElement<T>(in + d2);
        if (rotated) {
          const float c = LoadTableElement<Table>(p.cos, table_row + i);
          const float s = FlipSign(LoadTableElement<Table>(p.sin, table_row + i), p.sin_sign_bit);
          const float wide1 = WidenElement(x1);
          const float wide2 = WidenElement(x2);
          x1 = RoundElement<T>(RotateElement(wide1, wide2, c, -s));
          x2 = RoundElement<T>(RotateElement(wide2, wide1, c, s));
        }
        StoreElement(out + d1, x1);
        StoreElement(out + d2, x2);
      }
    }
  }
}

}  // namespace

CudaLaunch SelectPair(const RopeWorkload& w) {
  const auto heads = static_cast<std::uint64_t>(w.q_heads + w.kv_heads);
  const auto pairs = static_cast<std::uint32_t>(w.head_dim / 2);
  const std::uint32_t x = std::min(kBlock, std::bit_ceil(pairs));
  const auto y = static_cast<std::uint32_t>(std::min<std::uint64_t>(kBlock / x, heads));
  CudaLaunch launch{
      nullptr,
      {static_cast<std::uint32_t>(w.seq),
       static_cast<std::uint32_t>(std::min<std::uint64_t>((heads + y - 1) / y, kMaxGridYz)),
       static_cast<std::uint32_t>(std::min<std::int64_t>(w.batch, kMaxGridYz))},
      {x, y, 1}};
  VisitDtype(w.dtype, [&](auto element) {
    VisitDtype(w.table_dtype, [&](auto table) {
      using T = decltype(element);
      using Table = decltype(table);
      launch.function =
          w.style == Style::kHalf
              ? reinterpret_cast<const void*>(&PairKernel<T, Table, Style::kHalf>)
              : reinterpret_cast<const void*>(&PairKernel<T, Table, Style::kInterleaved>);
    });
  });
  return launch;
}

}  // namespace ropebench
