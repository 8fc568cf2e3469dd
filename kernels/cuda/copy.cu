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

// A block moves vectors_per_thread consecutive runs of `threads` vectors of q or of k.
template <std::uint32_t vectors_per_thread, std::uint32_t threads, L1Hint hint>
__global__ void __launch_bounds__(threads) CopyKernel(const __grid_constant__ CopyParams p) {
  constexpr std::uint32_t kPerBlock = threads * vectors_per_thread;
  const std::uint32_t q_blocks = (p.q_vectors + kPerBlock - 1) / kPerBlock;
  const bool is_q = blockIdx.x < q_blocks;
  const std::uint32_t vectors = is_q ? p.q_vectors : p.k_vectors;
  const std::uint32_t block = is_q ? blockIdx.x : blockIdx.x - q_blocks;
  const std::uint64_t first = std::uint64_t{block} * kPerBlock + threadIdx.x;
  const std::uint64_t in = is_q ? p.q_in : p.k_in;
  const std::uint64_t out = is_q ? p.q_out : p.k_out;
  uint4 v[vectors_per_thread];
#pragma unroll
  for (std::uint32_t j = 0; j < vectors_per_thread; ++j) {
    const std::uint64_t i = first + j * threads;
    if (i < vectors) v[j] = LoadVector<hint>(in + i * 16);
  }
#pragma unroll
  for (std::uint32_t j = 0; j < vectors_per_thread; ++j) {
    const std::uint64_t i = first + j * threads;
    if (i < vectors) {
      StoreVector<hint>(out + i * 16, make_uint4(v[j].x ^ p.mask, v[j].y ^ p.mask, v[j].z ^ p.mask,
                                                 v[j].w ^ p.mask));
    }
  }
}

template <std::uint32_t vectors_per_thread, std::uint32_t threads, L1Hint hint = L1Hint::kDefault>
CudaLaunch Select(const CopyParams& params) {
  constexpr std::uint32_t kPerBlock = threads * vectors_per_thread;
  return {reinterpret_cast<const void*>(&CopyKernel<vectors_per_thread, threads, hint>),
          {static_cast<std::uint32_t>(CeilDiv(params.q_vectors, kPerBlock) +
                                      CeilDiv(params.k_vectors, kPerBlock)),
           1, 1},
          {threads, 1, 1}};
}

}  // namespace

CudaLaunch SelectCopy(const CopyParams& params, CopyForm form) {
  switch (form) {
    case CopyForm::kV1B128:
      return Select<1, 128>(params);
    case CopyForm::kV1B256:
      return Select<1, 256>(params);
    case CopyForm::kV4B128:
      return Select<4, 128>(params);
    case CopyForm::kV4B256:
      return Select<4, 256>(params);
    case CopyForm::kV4B256NoAllocate:
      return Select<4, 256, L1Hint::kNoAllocate>(params);
  }
  throw std::logic_error("no such form of copy");
}

}  // namespace ropebench
