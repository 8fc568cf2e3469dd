// The element types that q, k and the tables can have, and the exact conversions between them.
//
// bf16 and fp16 are stored as bit patterns and converted by integer arithmetic (round to nearest,
// ties to even, NaN kept quiet), so that the CPU, CUDA and Vulkan round alike.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ropebench {

enum class Dtype : std::uint8_t { kFp32, kFp16, kBf16 };

struct DtypeInfo {
  Dtype dtype;
  std::string_view name;  // as in configs, case ids and manifests
  std::uint32_t size_bytes;
  int significand_bits;  // with the hidden bit; the unit roundoff is 2^-significand_bits
  int min_exponent;      // the smallest normal number is 2^min_exponent
  int max_exponent;      // every finite number is below 2^(max_exponent + 1)
};

inline constexpr DtypeInfo kDtypes[] = {
    {Dtype::kFp32, "fp32", 4, 24, -126, 127},
    {Dtype::kFp16, "fp16", 2, 11, -14, 15},
    {Dtype::kBf16, "bf16", 2, 8, -126, 127},
};

constexpr const DtypeInfo& Info(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }

constexpr std::optional<Dtype> ParseDtype(std::string_view name) {
  for (const DtypeInfo& info : kDtypes) {
    if (info.name == name) return info.dtype;
  }
  return std::nullopt;
}

// Storage types: what a buffer of that dtype holds.
struct Fp16 {
  std::uint16_t bits;
  friend constexpr bool operator==(Fp16, Fp16) = default;
};
struct Bf16 {
  std::uint16_t bits;
  friend constexpr bool operator==(Bf16, Bf16) = default;
};

constexpr float ToFloat(float x) { return x; }

constexpr float ToFloat(Bf16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

constexpr float ToFloat(Fp16 x) {
  const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = x.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // infinity or NaN
    return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  }
  if (magnitude >= 0x0400u) {  // normal: move the exponent's bias from 15 to 127
    return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  }
  // Subnormal: the integer magnitude counts units of 2^-24, which a float holds exactly.
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}

template <typename T>
constexpr T FromFloat(float x);

template <>
constexpr float FromFloat<float>(float x) {
  return x;
}

template <>
constexpr Bf16 FromFloat<Bf16>(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return {static_cast<std::uint16_t>((bits >> 16) | 0x0040u)};
  }
  return {static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

template <>
constexpr Fp16 FromFloat<Fp16>(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<std::uint16_t>(sign | 0x7e00u)};
  if (magnitude >= 0x477ff000u) return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  if (magnitude >= 0x38800000u) {  // normal in fp16
    const std::uint32_t rounded = magnitude + 0x0fffu + ((magnitude >> 13) & 1u);
    return {static_cast<std::uint16_t>(sign | ((rounded - (112u << 23)) >> 13))};
  }
  if (magnitude < 0x33000000u) return {static_cast<std::uint16_t>(sign)};  // below half of 2^-24
  // Subnormal in fp16: shift the significand to units of 2^-24 and round what falls off.
  const std::uint32_t shift = 126u - (magnitude >> 23);  // 14 to 24
  const std::uint32_t significand = (magnitude & 0x007fffffu) | 0x00800000u;
  const std::uint32_t kept = significand >> shift;
  const std::uint32_t rest = significand & ((1u << shift) - 1u);
  const std::uint32_t half = 1u << (shift - 1u);
  const std::uint32_t up = (rest > half || (rest == half && (kept & 1u))) ? 1u : 0u;
  return {static_cast<std::uint16_t>(sign | (kept + up))};
}

// The value of `dtype` nearest to x, ties to even, computed without an intermediate rounding to
// fp32 (which would round twice). Overflow gives an infinity.
double RoundToDtype(double x, Dtype dtype);

// The distance between neighbouring values of `dtype` around x: 2^(exponent(x) - significand_bits
// + 1), never below the smallest subnormal. x is finite.
double UlpOf(double x, Dtype dtype);

// Calls f with a value of the storage type: VisitDtype(dtype, [](auto zero) {
// using T = decltype(zero); ... }).
template <typename F>
constexpr decltype(auto) VisitDtype(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::kFp32:
      return f(float{});
    case Dtype::kFp16:
      return f(Fp16{});
    case Dtype::kBf16:
      return f(Bf16{});
  }
  __builtin_unreachable();
}

}  // namespace ropebench
