// copy: the ceiling. Reads and writes as many bytes as the rotation, in 16-byte vectors, and flips
// the bits of a mask on the way. A family, since a single plain copy is no ceiling: 1 or 4
// vectors in flight per thread, blocks of 128 or 256, with and without an L1 hint; the best of them
// at a workload is what a rotation is compared with (on an H200 several vectors win while the
// launch is short, one vector wins from 40 MB on).
#include <stdexcept>

#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"

namespace ropebench {
namespace {

// A block moves vectors_per_thread consecutive runs of blockDim.x vectors.
template <int vectors_per_thread, L1Hint hint>
__global__ void CopyKernel(const __grid_constant__ CopyParams p) {
  const std::uint64_t first =
      std::uint64_t{blockIdx.x} * (blockDim.x * vectors_per_thread) + threadIdx.x;
  uint4 v[vectors_per_thread];
#pragma unroll
  for (int j = 0; j < vectors_per_thread; ++j) {
    const std::uint64_t i = first + static_cast<std::uint32_t>(j) * blockDim.x;
    if (i < p.vectors) v[j] = LoadVector<hint>(p.from + i * 16);
  }
#pragma unroll
  for (int j = 0; j < vectors_per_thread; ++j) {
    const std::uint64_t i = first + static_cast<std::uint32_t>(j) * blockDim.x;
    if (i < p.vectors) {
      StoreVector<hint>(p.to + i * 16, make_uint4(v[j].x ^ p.mask, v[j].y ^ p.mask, v[j].z ^ p.mask,
                                                  v[j].w ^ p.mask));
    }
  }
}

template <int vectors_per_thread>
const void* CopyFunction(L1Hint hint) {
  return hint == L1Hint::kDefault
             ? reinterpret_cast<const void*>(&CopyKernel<vectors_per_thread, L1Hint::kDefault>)
             : reinterpret_cast<const void*>(&CopyKernel<vectors_per_thread, L1Hint::kNoAllocate>);
}

}  // namespace

CudaLaunch SelectCopy(const CopyParams& params, int vectors_per_thread, L1Hint hint,
                      std::uint32_t block) {
  const void* function = vectors_per_thread == 1   ? CopyFunction<1>(hint)
                         : vectors_per_thread == 4 ? CopyFunction<4>(hint)
                                                   : nullptr;
  if (function == nullptr) throw std::logic_error("copy is built for 1 or 4 vectors per thread");
  const std::uint64_t per_block =
      std::uint64_t{block} * static_cast<std::uint32_t>(vectors_per_thread);
  return {function,
          {static_cast<std::uint32_t>((params.vectors + per_block - 1) / per_block), 1, 1},
          {block, 1, 1}};
}

}  // namespace ropebench
