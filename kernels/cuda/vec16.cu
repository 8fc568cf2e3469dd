// vec16: a thread owns one 16-byte column of both halves of a head and keeps its cos and sin in
// registers over several heads of the token; q and k are one list of heads in one launch. The loads
// of all its heads are in flight before the table is asked for. Expected: the best where a half is
// 8 columns or more and the tensors are far larger than the L2 (hidden 8192: within 4 % of the
// copy); poor where a half is a single column, since the two halves then share a 32-byte sector.
#include <algorithm>
#include <stdexcept>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"
#include "kernels/cuda/vector_access.h"

namespace ropebench {
namespace {

constexpr std::uint32_t kMaxBlock = 768;  // leaves 80 registers a thread: no spills with 4 heads
constexpr std::uint32_t kMinBlock = 128;
constexpr std::uint32_t kMaxBlockZ = 64;
constexpr std::int64_t kMaxColumns = 256;
constexpr std::int64_t kMaxGridYz = 65535;

// A block is (columns of a half, groups of heads, tokens); the grid is (blocks of tokens, blocks of
// groups, batch). Group g of G takes heads g, g + G, g + 2 G, ..., so that neighbouring threads
// touch neighbouring heads in each access. One axis each: nothing is divided.
template <typename T, typename Table, int heads_per_thread>
__global__ void __launch_bounds__(kMaxBlock) Vec16Kernel(const __grid_constant__ RopeParams p) {
  constexpr L1Hint kHint = L1Hint::kNoAllocate;
  constexpr int n = kPerVector<T>;
  const std::uint32_t t = blockIdx.x * blockDim.z + threadIdx.z;
  if (t >= p.seq) return;
  const std::uint32_t heads = p.q_heads + p.kv_heads;
  const std::uint32_t group = blockIdx.y * blockDim.y + threadIdx.y;
  const std::uint32_t groups = gridDim.y * blockDim.y;
  const std::uint64_t column = std::uint64_t{threadIdx.x} * 16;
  const std::uint64_t half = std::uint64_t{blockDim.x} * 16;

  uint4 v1[heads_per_thread];
  uint4 v2[heads_per_thread];
  std::uint64_t out[heads_per_thread];
#pragma unroll
  for (int i = 0; i < heads_per_thread; ++i) {
    const std::uint32_t h = group + static_cast<std::uint32_t>(i) * groups;
    if (h >= heads) continue;
    const bool is_q = h < p.q_heads;
    const std::uint64_t at =
        std::uint64_t{blockIdx.z} * (is_q ? p.q_batch_stride : p.k_batch_stride) +
        std::uint64_t{t} * (is_q ? p.q_seq_stride : p.k_seq_stride) +
        std::uint64_t{is_q ? h : h - p.q_heads} * (is_q ? p.q_head_stride : p.k_head_stride);
    const std::uint64_t in = (is_q ? p.q_in : p.k_in) + at * sizeof(T) + column;
    out[i] = (is_q ? p.q_out : p.k_out) + at * sizeof(T) + column;
    v1[i] = LoadVector<kHint>(in);
    v2[i] = LoadVector<kHint>(in + half);
  }

  float c[n];
  float s[n];
  const std::uint64_t entry = std::uint64_t{t} * p.table_stride + threadIdx.x * n;
  LoadTableVectors<Table, n>(p.cos, entry, c);
  LoadTableVectors<Table, n>(p.sin, entry, s);
#pragma unroll
  for (int e = 0; e < n; ++e) s[e] = FlipSign(s[e], p.sin_sign_bit);

#pragma unroll
  for (int i = 0; i < heads_per_thread; ++i) {
    if (group + static_cast<std::uint32_t>(i) * groups >= heads) continue;
    float x1[n];
    float x2[n];
    WidenVector<T>(v1[i], x1);
    WidenVector<T>(v2[i], x2);
#pragma unroll
    for (int e = 0; e < n; ++e) {
      const float y1 = RotateElement(x1[e], x2[e], c[e], -s[e]);
      x2[e] = RotateElement(x2[e], x1[e], c[e], s[e]);
      x1[e] = y1;
    }
    StoreVector<kHint>(out[i], RoundVector<T>(x1));
    StoreVector<kHint>(out[i] + half, RoundVector<T>(x2));
  }
}

template <int heads_per_thread>
const void* Vec16Function(const RopeWorkload& w) {
  return VisitVectorDtypes(w, [](auto element, auto table) {
    return reinterpret_cast<const void*>(
        &Vec16Kernel<decltype(element), decltype(table), heads_per_thread>);
  });
}

}  // namespace

std::optional<std::string> WhyNotVec16(const RopeWorkload& w) {
  if (auto reason = WhyNoVectorAccess(w)) return reason;
  if (w.placement == Placement::kOutOfPlace && w.rotary_dim != w.head_dim) {
    return "carries no tail over: out of place it needs rotary_dim = head_dim";
  }
  if (HalfVectors(w) > kMaxColumns) {
    return "a block spans a whole half: at most " + std::to_string(kMaxColumns) +
           " vectors of 16 bytes";
  }
  if (w.q_heads + w.kv_heads > kMaxGridYz) return "needs q_heads + kv_heads <= 65535";
  if (w.batch > kMaxGridYz) return "needs batch <= 65535";
  return std::nullopt;
}

CudaLaunch SelectVec16(const RopeWorkload& w, int heads_per_thread, int tokens_per_block) {
  const auto columns = static_cast<std::uint32_t>(HalfVectors(w));
  const auto heads = static_cast<std::uint32_t>(w.q_heads + w.kv_heads);
  const auto seq = static_cast<std::uint32_t>(w.seq);
  const auto per_thread = static_cast<std::uint32_t>(heads_per_thread);
  const std::uint32_t groups = (heads + per_thread - 1) / per_thread;

  auto tokens = std::min(static_cast<std::uint32_t>(tokens_per_block), seq);
  while (columns * tokens > kMaxBlock) tokens /= 2;
  const std::uint32_t block_groups = std::min(groups, kMaxBlock / (columns * tokens));
  while (columns * block_groups * tokens < kMinBlock && tokens < seq && 2 * tokens <= kMaxBlockZ) {
    tokens *= 2;  // heads too few for a block: give it more tokens
  }
  if (heads_per_thread != 2 && heads_per_thread != 4) {
    throw std::logic_error("vec16 is built for 2 or 4 heads per thread");
  }
  const void* function = heads_per_thread == 2 ? Vec16Function<2>(w) : Vec16Function<4>(w);
  return {function,
          {(seq + tokens - 1) / tokens, (groups + block_groups - 1) / block_groups,
           static_cast<std::uint32_t>(w.batch)},
          {columns, block_groups, tokens}};
}

}  // namespace ropebench
