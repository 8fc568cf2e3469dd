// vec16: a thread owns one 16-byte column of both halves of one head; its two vectors of q or k are
// in flight before the table is asked for. Blocks are small (128 threads, up to 8 heads of a few
// tokens) and numbered so that all heads of a token run at about the same time: the table row is
// then read from memory once. On an H200 it is within 1 to 3 % of the fastest copy at hidden 8192
// and the fastest known at hidden 512; several heads a thread, hints and larger blocks were all
// slower.
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/launch_grid.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"
#include "kernels/cuda/vector_access.h"

namespace ropebench {
namespace {

template <typename T, typename Table>
__global__ void __launch_bounds__(kBlockThreads) Vec16Kernel(const __grid_constant__ RopeParams p) {
  constexpr int n = kPerVector<T>;
  const Token token = FindToken(p);
  const std::uint32_t h = blockIdx.x * blockDim.y + threadIdx.y;
  if (!token.exists || h >= p.q_heads + p.kv_heads) return;
  const bool is_q = h < p.q_heads;
  const std::uint64_t offset =
      RowOffset(p, token, is_q, is_q ? h : h - p.q_heads) * sizeof(T) + threadIdx.x * 16;
  const std::uint64_t half = std::uint64_t{blockDim.x} * 16;

  const std::uint64_t in = (is_q ? p.q_in : p.k_in) + offset;
  const uint4 v1 = LoadVector<L1Hint::kDefault>(in);
  const uint4 v2 = LoadVector<L1Hint::kDefault>(in + half);
  float c[n];
  float s[n];
  const std::uint64_t entry = std::uint64_t{token.t} * p.table_stride + threadIdx.x * n;
  LoadTableVectors<Table, n>(p.cos, entry, c);
  LoadTableVectors<Table, n>(p.sin, entry, s);

  float x1[n];
  float x2[n];
  WidenVector<T>(v1, x1);
  WidenVector<T>(v2, x2);
#pragma unroll
  for (int e = 0; e < n; ++e) {
    const float signed_s = FlipSign(s[e], p.sin_sign_bit);
    const float y1 = RotateElement(x1[e], x2[e], c[e], -signed_s);
    x2[e] = RotateElement(x2[e], x1[e], c[e], signed_s);
    x1[e] = y1;
  }
  const std::uint64_t out = (is_q ? p.q_out : p.k_out) + offset;
  StoreVector<L1Hint::kDefault>(out, RoundVector<T>(x1));
  StoreVector<L1Hint::kDefault>(out + half, RoundVector<T>(x2));
}

}  // namespace

std::optional<std::string> WhyNotVec16(const RopeWorkload& w) { return WhyNoVectorAccess(w); }

CudaLaunch SelectVec16(const RopeWorkload& w) {
  const void* function = VisitVectorDtypes(w, [](auto element, auto table) {
    return reinterpret_cast<const void*>(&Vec16Kernel<decltype(element), decltype(table)>);
  });
  return TokenGrid(function, static_cast<std::uint32_t>(HalfVectors(w)),
                   static_cast<std::uint64_t>(w.q_heads + w.kv_heads), w);
}

}  // namespace ropebench
