// The grid that the 16-byte variants share. A block is (vectors of a row, rows, tokens); the grid
// is (blocks of q's rows, then of k's; blocks of tokens folded into y and z). Blocks of one token
// are neighbours, so q, k and the table row of a token are touched at about the same time, and no
// block holds rows of both q and k, so what differs between them is uniform.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/variants.h"

namespace ropebench {

inline constexpr std::uint32_t kBlockThreads = 128;
inline constexpr std::uint32_t kMaxBlockZ = 64;
inline constexpr std::uint64_t kMaxGridYz = 65535;

// `columns` threads to a row, at most kBlockThreads. batch x seq is below 2^31, so y x z never
// overflows.
inline CudaLaunch TokenGrid(const void* function, std::uint32_t columns, std::uint64_t q_rows,
                            std::uint64_t k_rows, const RopeWorkload& w) {
  // Rows to a block: a power of two up to 8, the largest of those that leave the fewest threads
  // idle.
  const auto blocks_of = [](std::uint64_t rows, std::uint32_t y) { return (rows + y - 1) / y; };
  const auto padded = [&](std::uint32_t y) {
    return (blocks_of(q_rows, y) + blocks_of(k_rows, y)) * y;
  };
  std::uint32_t rows = 1;
  for (std::uint32_t y = 2; y <= 8 && columns * y <= kBlockThreads; y *= 2) {
    if (padded(y) <= padded(rows)) rows = y;
  }
  const auto tokens = static_cast<std::uint64_t>(w.batch * w.seq);
  const auto z = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({tokens, kMaxBlockZ, kBlockThreads / (columns * rows)}));
  const std::uint64_t token_blocks = (tokens + z - 1) / z;
  const std::uint64_t folds = (token_blocks + kMaxGridYz - 1) / kMaxGridYz;
  return {function,
          {static_cast<std::uint32_t>(blocks_of(q_rows, rows) + blocks_of(k_rows, rows)),
           static_cast<std::uint32_t>((token_blocks + folds - 1) / folds),
           static_cast<std::uint32_t>(folds)},
          {columns, rows, z}};
}

#ifdef __CUDACC__
// What a thread works on: one row of q or k at one token. Offsets are numbered in 16-byte vectors,
// which 32 bits hold (WhyNoVectorAccess); strides are whole vectors.
struct Place {
  std::uint64_t in;  // addresses of the tensor
  std::uint64_t out;
  std::uint32_t heads;        // of the tensor
  std::uint32_t row;          // heads_per_row heads from head row x heads_per_row on
  std::uint32_t head_stride;  // in vectors
  std::uint32_t offset;       // in vectors, of head 0 at this token, this thread's column included
  std::uint32_t t;            // position in the sequence
  bool exists;                // false past the last row or token
};

// A row is `heads_per_row` heads.
template <typename T, std::uint32_t heads_per_row>
__device__ __forceinline__ Place FindPlace(const RopeParams& p) {
  constexpr std::uint32_t n = kPerVector<T>;
  const int log2_rows = 31 - __clz(static_cast<int>(blockDim.y));
  const std::uint32_t q_rows = (p.q_heads + heads_per_row - 1) / heads_per_row;
  const std::uint32_t q_blocks = (q_rows + blockDim.y - 1) >> log2_rows;
  const bool is_q = blockIdx.x < q_blocks;

  Place place;
  place.row = ((is_q ? blockIdx.x : blockIdx.x - q_blocks) << log2_rows) + threadIdx.y;
  place.heads = is_q ? p.q_heads : p.kv_heads;
  place.head_stride = (is_q ? p.q_head_stride : p.k_head_stride) / n;
  place.in = is_q ? p.q_in : p.k_in;
  place.out = is_q ? p.q_out : p.k_out;
  place.t = (blockIdx.z * gridDim.y + blockIdx.y) * blockDim.z + threadIdx.z;
  place.exists = place.row * heads_per_row < place.heads && place.t < p.seq;
  place.offset = threadIdx.x;
  if (p.batch > 1) {
    const std::uint32_t b = place.t / p.seq;
    place.t -= b * p.seq;
    place.exists = place.row * heads_per_row < place.heads && b < p.batch;
    place.offset += b * ((is_q ? p.q_batch_stride : p.k_batch_stride) / n);
  }
  place.offset += place.t * ((is_q ? p.q_seq_stride : p.k_seq_stride) / n);
  return place;
}

__device__ __forceinline__ std::uint64_t VectorAt(std::uint64_t base, std::uint32_t vector) {
  return base + std::uint64_t{vector} * 16;
}
#endif

}  // namespace ropebench
