// flat16: a thread takes the same 16-byte vector of up to 4 neighbouring heads, all in flight at
// once, with one table entry for them, and gets their partners by shuffles: with C vectors to a
// half, from lane i xor C. Expected: the best at (2048, 2048), where the idea with head counts
// fixed at compile time took 6.66 us on an H200 and vec16 takes 7.17. In this general form it
// takes 7.27 there and is behind vec16 elsewhere, most where a half is one vector and lanes of a
// warp lie 4 heads apart.
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/launch_grid.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"
#include "kernels/cuda/vector_access.h"

namespace ropebench {
namespace {

constexpr std::uint32_t kHeadsPerThread = 4;

template <typename T, typename Table>
__global__ void __launch_bounds__(kBlockThreads)
    Flat16Kernel(const __grid_constant__ RopeParams p) {
  constexpr int n = kPerVector<T>;
  const Place place = FindPlace<T, kHeadsPerThread>(p);
  // The lanes of a head leave together, and the shuffle waits for no thread that has left.
  if (!place.exists) return;
  const std::uint32_t first = place.row * kHeadsPerThread;
  const std::uint32_t at = place.offset + first * place.head_stride;

  uint4 v[kHeadsPerThread];
#pragma unroll
  for (std::uint32_t i = 0; i < kHeadsPerThread; ++i) {
    v[i] = make_uint4(0, 0, 0, 0);
    if (first + i < place.heads) {
      v[i] = LoadVector<L1Hint::kDefault>(VectorAt(place.in, at + i * place.head_stride));
    }
  }
  const std::uint32_t half = blockDim.x / 2;  // C
  const std::uint32_t entry = place.t * p.table_stride + (threadIdx.x & (half - 1)) * n;
  float c[n];
  float s[n];
  LoadTableVectors<Table, n>(p.cos, entry, c);
  LoadTableVectors<Table, n>(p.sin, entry, s);
  const std::uint32_t sign_bit = p.sin_sign_bit ^ (threadIdx.x < half ? 0x80000000u : 0u);
#pragma unroll
  for (int e = 0; e < n; ++e) s[e] = FlipSign(s[e], sign_bit);

#pragma unroll
  for (std::uint32_t i = 0; i < kHeadsPerThread; ++i) {
    constexpr std::uint32_t kFullWarp = 0xffffffffu;
    const int lanes = static_cast<int>(half);
    const uint4 other = make_uint4(
        __shfl_xor_sync(kFullWarp, v[i].x, lanes), __shfl_xor_sync(kFullWarp, v[i].y, lanes),
        __shfl_xor_sync(kFullWarp, v[i].z, lanes), __shfl_xor_sync(kFullWarp, v[i].w, lanes));
    float x[n];
    float partner[n];
    WidenVector<T>(v[i], x);
    WidenVector<T>(other, partner);
#pragma unroll
    for (int e = 0; e < n; ++e) x[e] = RotateElement(x[e], partner[e], c[e], s[e]);
    if (first + i < place.heads) {
      StoreVector<L1Hint::kDefault>(VectorAt(place.out, at + i * place.head_stride),
                                    RoundVector<T>(x));
    }
  }
}

}  // namespace

std::optional<std::string> WhyNotFlat16(const RopeWorkload& w) {
  if (auto reason = WhyNoVectorAccess(w)) return reason;
  const std::int64_t half = HalfVectors(w);
  if (half > 16 || (half & (half - 1)) != 0) {
    return "needs 1, 2, 4, 8 or 16 vectors of 16 bytes to a half, so that a warp holds whole heads";
  }
  return std::nullopt;
}

CudaLaunch SelectFlat16(const RopeWorkload& w) {
  const void* function = VisitVectorDtypes(w, [](auto element, auto table) {
    return reinterpret_cast<const void*>(&Flat16Kernel<decltype(element), decltype(table)>);
  });
  const auto rows = [](std::int64_t heads) {
    return (static_cast<std::uint32_t>(heads) + kHeadsPerThread - 1) / kHeadsPerThread;
  };
  return TokenGrid(function, static_cast<std::uint32_t>(2 * HalfVectors(w)), rows(w.q_heads),
                   rows(w.kv_heads), w);
}

}  // namespace ropebench
