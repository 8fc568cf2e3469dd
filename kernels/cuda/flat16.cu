// flat16: lane i takes 16-byte vector i of the whole tensor, k's vectors following q's, and gets
// its partner's by a shuffle: with C vectors to a half, that is lane i xor C. Every warp reads and
// writes 512 consecutive bytes whatever head_dim is. The load does not wait for the token's number,
// which is found while it is in flight. Expected: the best where a half is small (hidden 512: 2.85
// us on an H200 where the copy takes 2.69) and level with vec16 at 2048 tokens of hidden 8192.
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/variants.h"
#include "kernels/cuda/vector_access.h"

namespace ropebench {
namespace {

// A shift where the divisor allows it, as it does for most head counts: every workload's row takes
// the same way.
__device__ __forceinline__ std::uint32_t Quotient(std::uint32_t a, std::uint32_t b) {
  if ((b & (b - 1)) == 0) return a >> (31 - __clz(static_cast<int>(b)));
  return a / b;
}

template <typename T, typename Table, L1Hint hint>
__global__ void Flat16Kernel(const __grid_constant__ RopeParams p) {
  constexpr std::uint32_t n = kPerVector<T>;
  const std::uint32_t half = p.rotary_dim / (2 * n);  // C, a power of two
  const std::uint32_t tokens = p.batch * p.seq;
  const std::uint32_t q_row = p.q_heads * half * 2;  // vectors of a token
  const std::uint32_t k_row = p.kv_heads * half * 2;
  const std::uint32_t q_vectors = tokens * q_row;
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_q = i < q_vectors;
  const std::uint32_t at = is_q ? i : i - q_vectors;
  // A head's vectors never straddle q's end or a warp, so partners are active together; lanes past
  // k's end stay for the shuffle, which names the full warp.
  const bool active = is_q || at < tokens * k_row;
  const std::uint64_t offset = std::uint64_t{at} * 16;

  uint4 own = make_uint4(0, 0, 0, 0);
  float c[n] = {};
  float s[n] = {};
  if (active) {
    own = LoadVector<hint>((is_q ? p.q_in : p.k_in) + offset);
    std::uint32_t t = Quotient(at, is_q ? q_row : k_row);
    if (p.batch > 1) t %= p.seq;
    const std::uint64_t entry = std::uint64_t{t} * p.table_stride + (at & (half - 1)) * n;
    LoadTableVectors<Table, n>(p.cos, entry, c);
    LoadTableVectors<Table, n>(p.sin, entry, s);
  }

  constexpr std::uint32_t kFullWarp = 0xffffffffu;
  const int lanes = static_cast<int>(half);
  const uint4 other = make_uint4(
      __shfl_xor_sync(kFullWarp, own.x, lanes), __shfl_xor_sync(kFullWarp, own.y, lanes),
      __shfl_xor_sync(kFullWarp, own.z, lanes), __shfl_xor_sync(kFullWarp, own.w, lanes));
  if (!active) return;

  const std::uint32_t sign_bit = p.sin_sign_bit ^ ((at & half) != 0 ? 0u : 0x80000000u);
  float x[n];
  float partner[n];
  WidenVector<T>(own, x);
  WidenVector<T>(other, partner);
#pragma unroll
  for (std::uint32_t e = 0; e < n; ++e) {
    x[e] = RotateElement(x[e], partner[e], c[e], FlipSign(s[e], sign_bit));
  }
  StoreVector<hint>((is_q ? p.q_out : p.k_out) + offset, RoundVector<T>(x));
}

std::int64_t TotalVectors(const RopeWorkload& w) {
  return (w.q_elements() + w.k_elements()) * Info(w.dtype).size_bytes / 16;
}

}  // namespace

std::optional<std::string> WhyNotFlat16(const RopeWorkload& w) {
  if (auto reason = WhyNoVectorAccess(w)) return reason;
  if (w.layout != Layout::kBshd) return "needs layout bshd: it walks tokens in memory order";
  if (w.rotary_dim != w.head_dim) return "needs rotary_dim = head_dim: it takes every vector";
  const std::int64_t half = HalfVectors(w);
  if (half > 16 || (half & (half - 1)) != 0) {
    return "needs 1, 2, 4, 8 or 16 vectors of 16 bytes to a half, so that a warp holds whole heads";
  }
  if (TotalVectors(w) >= std::int64_t{1} << 31) {
    return "numbers vectors in 31 bits: q and k together stay below 32 GiB";
  }
  return std::nullopt;
}

CudaLaunch SelectFlat16(const RopeWorkload& w, L1Hint hint, std::uint32_t block) {
  const void* function = VisitVectorDtypes(w, [hint](auto element, auto table) {
    using T = decltype(element);
    using Table = decltype(table);
    return hint == L1Hint::kDefault
               ? reinterpret_cast<const void*>(&Flat16Kernel<T, Table, L1Hint::kDefault>)
               : reinterpret_cast<const void*>(&Flat16Kernel<T, Table, L1Hint::kNoAllocate>);
  });
  const auto vectors = static_cast<std::uint32_t>(TotalVectors(w));
  return {function, {(vectors + block - 1) / block, 1, 1}, {block, 1, 1}};
}

}  // namespace ropebench
