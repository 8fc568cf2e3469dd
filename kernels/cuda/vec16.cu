// vec16: a thread owns one 16-byte column of both halves of one head; its two vectors of q or k are
// in flight before the table is asked for. Blocks are small and hold q or k of neighbouring tokens.
// Measured on an H200 by CUPTI, of the fastest copy of the same bytes: 91 % at (2048, 512), 89 % at
// (2048, 2048), 96 % at (1024, 8192), 97.5 to 98.5 % beyond. Several heads a thread, cache hints,
// fused multiply-adds, bulk copies through shared memory and larger blocks were not faster.
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
  const Place place = FindPlace<T, 1>(p);
  if (!place.exists) return;
  const std::uint32_t first = place.offset + place.row * place.head_stride;
  const std::uint32_t second = first + blockDim.x;

  const uint4 v1 = LoadVector(VectorAt(place.in, first));
  const uint4 v2 = LoadVector(VectorAt(place.in, second));
  const std::uint64_t table_offset =
      std::uint64_t{place.t * p.table_stride + threadIdx.x * n} * sizeof(Table);
  const TableVectors<Table, n> cos(p.cos + table_offset, 0);
  const TableVectors<Table, n> sin(p.sin + table_offset, p.sin_sign_bit);

  float x1[n];
  float x2[n];
  WidenVector<T>(v1, x1);
  WidenVector<T>(v2, x2);
#pragma unroll
  for (int e = 0; e < n; ++e) {
    const float y1 = RotateElement(x1[e], x2[e], cos[e], -sin[e]);
    x2[e] = RotateElement(x2[e], x1[e], cos[e], sin[e]);
    x1[e] = y1;
  }
  StoreVector(VectorAt(place.out, first), RoundVector<T>(x1));
  StoreVector(VectorAt(place.out, second), RoundVector<T>(x2));
}

}  // namespace

std::optional<std::string> WhyNotVec16(const RopeWorkload& w) { return WhyNoVectorAccess(w); }

CudaLaunch SelectVec16(const RopeWorkload& w) {
  const void* function = VisitVectorDtypes(w, [](auto element, auto table) {
    return reinterpret_cast<const void*>(&Vec16Kernel<decltype(element), decltype(table)>);
  });
  return TokenGrid(function, static_cast<std::uint32_t>(HalfVectors(w)),
                   static_cast<std::uint32_t>(w.q_heads), static_cast<std::uint32_t>(w.kv_heads),
                   w);
}

}  // namespace ropebench
