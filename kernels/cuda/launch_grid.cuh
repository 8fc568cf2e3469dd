// The grid that the 16-byte variants share. A block is (vectors of a head, rows of heads, tokens);
// the grid is (blocks of rows, blocks of tokens folded into y and z). Blocks of one token's rows
// are neighbours, so q, k and the table row of a token are touched at about the same time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/variants.h"

namespace ropebench {

inline constexpr std::uint32_t kBlockThreads = 128;
inline constexpr std::uint32_t kRowsPerBlock = 8;  // at most; more tokens fill a block better
inline constexpr std::uint32_t kMaxBlockZ = 64;
inline constexpr std::uint64_t kMaxGridYz = 65535;

// `columns` threads to a row, at most kBlockThreads; `rows` rows to a token. batch x seq is below
// 2^31, so y x z never overflows.
inline CudaLaunch TokenGrid(const void* function, std::uint32_t columns, std::uint64_t rows,
                            const RopeWorkload& w) {
  const auto tokens = static_cast<std::uint64_t>(w.batch * w.seq);
  const auto y = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({rows, kRowsPerBlock, kBlockThreads / columns}));
  const auto z = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({tokens, kMaxBlockZ, kBlockThreads / (columns * y)}));
  const std::uint64_t blocks = (tokens + z - 1) / z;
  const std::uint64_t folds = (blocks + kMaxGridYz - 1) / kMaxGridYz;
  return {
      function,
      {static_cast<std::uint32_t>((rows + y - 1) / y),
       static_cast<std::uint32_t>((blocks + folds - 1) / folds), static_cast<std::uint32_t>(folds)},
      {columns, y, z}};
}

#ifdef __CUDACC__
// The token that a thread works on. `exists` is false past the last one.
struct Token {
  std::uint32_t b;
  std::uint32_t t;
  bool exists;
};

__device__ __forceinline__ Token FindToken(const RopeParams& p) {
  const std::uint32_t token = (blockIdx.z * gridDim.y + blockIdx.y) * blockDim.z + threadIdx.z;
  if (p.batch == 1) return {0, token, token < p.seq};
  const std::uint32_t b = token / p.seq;
  return {b, token - b * p.seq, b < p.batch};
}

// The offset in elements of head h of q or k at that token.
__device__ __forceinline__ std::uint64_t RowOffset(const RopeParams& p, const Token& token,
                                                   bool is_q, std::uint32_t h) {
  return std::uint64_t{token.b} * (is_q ? p.q_batch_stride : p.k_batch_stride) +
         std::uint64_t{token.t} * (is_q ? p.q_seq_stride : p.k_seq_stride) +
         std::uint64_t{h} * (is_q ? p.q_head_stride : p.k_head_stride);
}
#endif

}  // namespace ropebench
