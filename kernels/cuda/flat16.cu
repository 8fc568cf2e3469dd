// flat16: a thread takes the same 16-byte vector of 2 or 4 neighbouring heads and gets their
// partners by shuffles: with C vectors to a half, from lane i xor C. Lanes take consecutive
// vectors, so that an access covers whole lines where a half is shorter than a line (vec16 asks for
// each line twice there), and a thread's first address needs no more than its number.
//
// flat16_v2, 2 heads a thread: best where all its threads are resident at once.
// flat16_v4, 4 heads a thread: best beyond, where all loads of a launch still go out at once, and
// as good as any where they no longer do.
//
// Measured on an H200 by CUPTI: v2 2.78 us at (2048, 512), where vec16 takes 3.04, and v4 6.56 us
// at (2048, 2048), where vec16 takes 7.26; the same accesses without the table and the arithmetic
// take 2.78 and 6.53. Four vectors a thread need all three of: the loads in front of the first
// shuffle, at most 48 registers, immediate offsets between the heads. 1 or 8 vectors a thread, L1
// hints, larger blocks, predicates in place of the early return and partners read twice were
// slower.
#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"
#include "kernels/cuda/vector_access.h"

namespace ropebench {
namespace {

// How many table entries, of one vector of q each, are asked for ahead of their use in a long
// launch: more than the resident threads of an H200 span (132 x 1280 threads of 4 heads, at 40
// heads to a token, span 8448), and little of its L2. Worth 0.3 % from 80 MB on.
constexpr std::uint32_t kAheadEntries = 16384;

template <std::uint32_t heads>
constexpr std::uint32_t kThreads = heads == 4 ? 64 : 128;
// Blocks to an SM that the registers must leave room for: 1280 and 1536 threads. For sm_80 ptxas
// finds no way to do with 48 registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <std::uint32_t heads>
constexpr std::uint32_t kResidentBlocks = heads == 4 ? 16 : 12;
#else
template <std::uint32_t heads>
constexpr std::uint32_t kResidentBlocks = heads == 4 ? 20 : 12;
#endif

// i / d. Head counts are powers of two more often than not, and the branch is uniform.
__device__ __forceinline__ std::uint32_t Quotient(std::uint32_t i, std::uint32_t d) {
  return (d & (d - 1)) == 0 ? i >> (31 - __clz(static_cast<int>(d))) : i / d;
}

// The grid is (blocks of q and one block of k, groups of tokens folded into y and z), so that q and
// k of a token, and its table entries, are touched at about the same time. `whole_blocks`: the grid
// has a thread for every `heads` vectors and no more.
template <typename T, typename Table, std::uint32_t half_vectors, std::uint32_t heads,
          bool whole_blocks>
__global__ void __launch_bounds__(kThreads<heads>, kResidentBlocks<heads>)
    Flat16Kernel(const __grid_constant__ RopeParams p) {
  constexpr int n = kPerVector<T>;
  constexpr std::uint32_t kHeadVectors = 2 * half_vectors;
  const bool is_q = blockIdx.x + 1 < gridDim.x;
  const std::uint32_t group = blockIdx.z * gridDim.y + blockIdx.y;
  const std::uint32_t block = is_q ? group * (gridDim.x - 1) + blockIdx.x : group;
  const std::uint32_t i = block * kThreads<heads> + threadIdx.x;
  const std::uint32_t per_token = (is_q ? p.q_heads : p.kv_heads) / heads * kHeadVectors;
  // The lanes of a head leave together, and the shuffle waits for no thread that has left.
  if (!whole_blocks && i >= per_token * (p.batch * p.seq)) return;

  const std::uint32_t first = i / kHeadVectors * (kHeadVectors * heads) + i % kHeadVectors;
  const std::uint64_t in = (is_q ? p.q_in : p.k_in) + std::uint64_t{first} * 16;
  uint4 v[heads];
#pragma unroll
  for (std::uint32_t j = 0; j < heads; ++j) v[j] = LoadVector(in + j * (kHeadVectors * 16));

  const std::uint32_t token = Quotient(i, per_token);
  const std::uint32_t t = p.batch == 1 ? token : token - Quotient(token, p.seq) * p.seq;
  const std::uint32_t entry = t * half_vectors + i % half_vectors;
  const bool is_left = i % kHeadVectors < half_vectors;
  const std::uint64_t table_offset = std::uint64_t{entry} * (n * sizeof(Table));
  const TableVectors<Table, n> cos(p.cos + table_offset, 0);
  // The left element of a pair subtracts.
  const TableVectors<Table, n> sin(p.sin + table_offset, p.sin_sign_bit ^ (is_left ? kSignBit : 0));
  if constexpr (heads == 4) {
    // The threads of the first kv head, one for each line of the table.
    constexpr std::uint32_t kPerLine = 128 / (n * sizeof(Table));
    if (!is_q && i - token * per_token < half_vectors && entry % kPerLine == 0 &&
        entry + kAheadEntries < p.seq * half_vectors) {
      PrefetchL2(p.cos + table_offset + kAheadEntries * (n * sizeof(Table)));
      PrefetchL2(p.sin + table_offset + kAheadEntries * (n * sizeof(Table)));
    }
  }
  // Always 0, which the compiler cannot know. It would otherwise put off some of the loads until
  // the first heads are done with, or mix the heads until the registers do not suffice
  // (ptxas 13.0).
  const std::uint32_t nothing = p.sin_sign_bit & ~kSignBit;
  std::uint32_t all_are_here = 0;
#pragma unroll
  for (const uint4& vector : v) all_are_here |= vector.w;
  v[0].x ^= all_are_here & nothing;

  const std::uint64_t out = (is_q ? p.q_out : p.k_out) + std::uint64_t{first} * 16;
#pragma unroll
  for (std::uint32_t j = 0; j < heads; ++j) {
    constexpr std::uint32_t kFullWarp = 0xffffffffu;
    const uint4 other = make_uint4(__shfl_xor_sync(kFullWarp, v[j].x, half_vectors),
                                   __shfl_xor_sync(kFullWarp, v[j].y, half_vectors),
                                   __shfl_xor_sync(kFullWarp, v[j].z, half_vectors),
                                   __shfl_xor_sync(kFullWarp, v[j].w, half_vectors));
    float x[n];
    float partner[n];
    WidenVector<T>(v[j], x);
    WidenVector<T>(other, partner);
#pragma unroll
    for (int e = 0; e < n; ++e) x[e] = RotateElement(x[e], partner[e], cos[e], sin[e]);
    const uint4 y = RoundVector<T>(x);
    StoreVector(out + j * (kHeadVectors * 16), y);
    if (j + 1 < heads) v[j + 1].x ^= y.w & nothing;  // one head after the other
  }
}

template <std::uint32_t heads, bool whole_blocks>
const void* Function(const RopeWorkload& w) {
  return VisitVectorDtypes(w, [&](auto element, auto table) -> const void* {
    using T = decltype(element);
    using Table = decltype(table);
    const auto function = [](auto half) {
      return reinterpret_cast<const void*>(
          &Flat16Kernel<T, Table, decltype(half)::value, heads, whole_blocks>);
    };
    switch (HalfVectors(w)) {
      case 1:
        return function(std::integral_constant<std::uint32_t, 1>{});
      case 2:
        return function(std::integral_constant<std::uint32_t, 2>{});
      case 4:
        return function(std::integral_constant<std::uint32_t, 4>{});
      case 8:
        return function(std::integral_constant<std::uint32_t, 8>{});
      case 16:
        return function(std::integral_constant<std::uint32_t, 16>{});
      default:
        throw std::logic_error("flat16 is not built for this half");
    }
  });
}

}  // namespace

std::optional<std::string> WhyNotFlat16(const RopeWorkload& w, std::uint32_t heads) {
  if (auto reason = WhyNoVectorAccess(w)) return reason;
  if (w.rotary_dim != w.head_dim) return "rotates whole heads: needs rotary_dim = head_dim";
  if (w.layout != Layout::kBshd) return "needs layout bshd, with the heads of a token in a row";
  const std::int64_t half = HalfVectors(w);
  if (half > 16 || (half & (half - 1)) != 0) {
    return "needs 1, 2, 4, 8 or 16 vectors of 16 bytes to a half, so that a warp holds whole heads";
  }
  if (w.q_heads % heads != 0 || w.kv_heads % heads != 0) {
    return "needs head counts that are multiples of " + std::to_string(heads);
  }
  return std::nullopt;
}

CudaLaunch SelectFlat16(const RopeWorkload& w, std::uint32_t heads) {
  const std::uint32_t threads = heads == 4 ? kThreads<4> : kThreads<2>;
  const std::uint64_t per_block =
      std::uint64_t{threads} * heads * 16 / Info(w.dtype).size_bytes;  // elements
  const auto q = static_cast<std::uint64_t>(w.q_elements());
  const auto k = static_cast<std::uint64_t>(w.k_elements());
  const std::uint64_t q_blocks = CeilDiv(q, per_block);
  const std::uint64_t k_blocks = CeilDiv(k, per_block);
  // Blocks of q to one of k. Where that is no whole number some blocks have nothing to do.
  const std::uint64_t q_share = std::max<std::uint64_t>(1, (q_blocks + k_blocks / 2) / k_blocks);
  const std::uint64_t groups = std::max(k_blocks, CeilDiv(q_blocks, q_share));
  const std::uint64_t folds = CeilDiv(groups, kMaxGridYz);
  const std::uint64_t y = CeilDiv(groups, folds);
  const bool whole_blocks = y * folds * q_share * per_block == q && y * folds * per_block == k;
  return {heads == 4     ? Function<4, false>(w)
          : whole_blocks ? Function<2, true>(w)
                         : Function<2, false>(w),
          {static_cast<std::uint32_t>(q_share + 1), static_cast<std::uint32_t>(y),
           static_cast<std::uint32_t>(folds)},
          {threads, 1, 1}};
}

}  // namespace ropebench
