// The grid that the 16-byte variants share. A block is (vectors of a row, slots); a block of q or
// of k fills its slots with as many rows of one token as there are, then with further tokens, so
// that it touches one stretch of memory. The grid is (blocks of q, then of k, of one group of
// tokens; groups folded into y and z): blocks of one group are neighbours, so q, k and the table
// rows of a token are touched at about the same time, and what differs between q and k is uniform
// in a block.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/variants.h"

namespace ropebench {

inline constexpr std::uint32_t kBlockThreads = 128;

// The smallest e with 2^e >= n; n is at least 1.
__host__ __device__ constexpr std::uint32_t CeilLog2(std::uint32_t n) {
#ifdef __CUDA_ARCH__
  return 32 - __clz(static_cast<int>(n - 1));
#else
  return static_cast<std::uint32_t>(std::bit_width(n - 1));
#endif
}

// How 2^slots_log2 slots are shared out. All numbers but `blocks` are exponents of two.
struct SlotShape {
  std::uint32_t rows_log2;     // rows of a token in one block
  std::uint32_t tokens_log2;   // tokens in one block
  std::uint32_t repeats_log2;  // blocks that cover the tokens of a group with the same rows
  std::uint32_t blocks;        // of this tensor in one group of tokens
};
struct GroupShape {
  SlotShape q;
  SlotShape k;
  std::uint32_t tokens_log2;  // of a group: as many as a block takes of the tensor with fewer rows
};

__host__ __device__ constexpr GroupShape ShapeOf(std::uint32_t slots_log2, std::uint32_t q_rows,
                                                 std::uint32_t k_rows) {
  const std::uint32_t q_log2 = CeilLog2(q_rows) < slots_log2 ? CeilLog2(q_rows) : slots_log2;
  const std::uint32_t k_log2 = CeilLog2(k_rows) < slots_log2 ? CeilLog2(k_rows) : slots_log2;
  const std::uint32_t fewer = q_log2 < k_log2 ? q_log2 : k_log2;
  const auto shape = [&](std::uint32_t rows, std::uint32_t rows_log2) {
    const std::uint32_t repeats = rows_log2 - fewer;
    const std::uint32_t parts = (rows + (1u << rows_log2) - 1) >> rows_log2;
    return SlotShape{rows_log2, slots_log2 - rows_log2, repeats, parts << repeats};
  };
  return {shape(q_rows, q_log2), shape(k_rows, k_log2), slots_log2 - fewer};
}

// `columns` threads to a row, at most kBlockThreads.
inline CudaLaunch TokenGrid(const void* function, std::uint32_t columns, std::uint32_t q_rows,
                            std::uint32_t k_rows, const RopeWorkload& w) {
  const std::uint32_t slots = std::bit_floor(kBlockThreads / columns);
  const GroupShape shape = ShapeOf(CeilLog2(slots), q_rows, k_rows);
  const auto tokens = static_cast<std::uint64_t>(w.batch * w.seq);
  const std::uint64_t groups = ((tokens - 1) >> shape.tokens_log2) + 1;
  const std::uint64_t folds = (groups + kMaxGridYz - 1) / kMaxGridYz;
  return {
      function,
      {shape.q.blocks + shape.k.blocks, static_cast<std::uint32_t>((groups + folds - 1) / folds),
       static_cast<std::uint32_t>(folds)},
      {columns, slots, 1}};
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
  const std::uint32_t q_rows = (p.q_heads + heads_per_row - 1) / heads_per_row;
  const std::uint32_t k_rows = (p.kv_heads + heads_per_row - 1) / heads_per_row;
  const GroupShape group = ShapeOf(CeilLog2(blockDim.y), q_rows, k_rows);
  const bool is_q = blockIdx.x < group.q.blocks;
  const SlotShape shape = is_q ? group.q : group.k;
  const std::uint32_t block = is_q ? blockIdx.x : blockIdx.x - group.q.blocks;
  const std::uint32_t part = block >> shape.repeats_log2;
  const std::uint32_t repeat = block - (part << shape.repeats_log2);
  const std::uint32_t token = threadIdx.y >> shape.rows_log2;

  Place place;
  place.heads = is_q ? p.q_heads : p.kv_heads;
  place.row = ((part - token) << shape.rows_log2) + threadIdx.y;
  place.head_stride = (is_q ? p.q_head_stride : p.k_head_stride) / n;
  place.in = is_q ? p.q_in : p.k_in;
  place.out = is_q ? p.q_out : p.k_out;
  place.t = ((blockIdx.z * gridDim.y + blockIdx.y) << group.tokens_log2) +
            (repeat << shape.tokens_log2) + token;
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
