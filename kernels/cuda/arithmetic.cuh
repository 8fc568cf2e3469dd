// The arithmetic that all CUDA rotations share: one evaluation of a rotated element, and the exact
// conversions around it.
//
// Every product and sum is rounded to fp32 on its own and the result once to the tensor's dtype, to
// nearest even, so the outputs equal those of kernels/cpu/fp32.cc bit for bit. The hardware's
// conversions are used: for every fp32 value but NaN they give what FromFloat in kernels/dtype.h
// gives, subnormals and overflow included (a device test compares all 2^32); a NaN becomes the
// canonical one, and NaNs are compared as a class.
#pragma once

#include <cstdint>

#include "kernels/dtype.h"

namespace ropebench {

// The elements that a 32-bit word holds, lowest address first.
template <typename T>
inline constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));

// The elements that a 16-byte vector holds.
template <typename T>
inline constexpr int kPerVector = 4 * kPerWord<T>;

__device__ __forceinline__ float WidenElement(float x) { return x; }
__device__ __forceinline__ float WidenElement(Bf16 x) {
  return __uint_as_float(static_cast<std::uint32_t>(x.bits) << 16);
}
__device__ __forceinline__ float WidenElement(Fp16 x) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
  return wide;
}

template <typename T>
__device__ __forceinline__ T RoundElement(float x);
template <>
__device__ __forceinline__ float RoundElement<float>(float x) {
  return x;
}
template <>
__device__ __forceinline__ Bf16 RoundElement<Bf16>(float x) {
  Bf16 rounded;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(x));
  return rounded;
}
template <>
__device__ __forceinline__ Fp16 RoundElement<Fp16>(float x) {
  Fp16 rounded;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(x));
  return rounded;
}

// A 32-bit word of elements to fp32 and back.
template <typename T>
struct WordOf;
template <>
struct WordOf<float> {
  static __device__ __forceinline__ void Widen(std::uint32_t word, float* x) {
    x[0] = __uint_as_float(word);
  }
  static __device__ __forceinline__ std::uint32_t Round(const float* y) {
    return __float_as_uint(y[0]);
  }
};
template <>
struct WordOf<Bf16> {
  static __device__ __forceinline__ void Widen(std::uint32_t word, float* x) {
    x[0] = __uint_as_float(word << 16);
    x[1] = __uint_as_float(word & 0xffff0000u);
  }
  static __device__ __forceinline__ std::uint32_t Round(const float* y) {
    std::uint32_t word;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(y[1]), "f"(y[0]));
    return word;
  }
};
template <>
struct WordOf<Fp16> {
  static __device__ __forceinline__ void Widen(std::uint32_t word, float* x) {
    x[0] = WidenElement(Fp16{static_cast<std::uint16_t>(word & 0xffffu)});
    x[1] = WidenElement(Fp16{static_cast<std::uint16_t>(word >> 16)});
  }
  static __device__ __forceinline__ std::uint32_t Round(const float* y) {
    std::uint32_t word;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(y[1]), "f"(y[0]));
    return word;
  }
};

// A 16-byte vector of elements to fp32 and back.
template <typename T>
__device__ __forceinline__ void WidenVector(const uint4& vector, float* x) {
  constexpr int n = kPerWord<T>;
  WordOf<T>::Widen(vector.x, x);
  WordOf<T>::Widen(vector.y, x + n);
  WordOf<T>::Widen(vector.z, x + 2 * n);
  WordOf<T>::Widen(vector.w, x + 3 * n);
}
template <typename T>
__device__ __forceinline__ uint4 RoundVector(const float* y) {
  constexpr int n = kPerWord<T>;
  return make_uint4(WordOf<T>::Round(y), WordOf<T>::Round(y + n), WordOf<T>::Round(y + 2 * n),
                    WordOf<T>::Round(y + 3 * n));
}

inline constexpr std::uint32_t kSignBit = 0x80000000u;

// The value with its sign flipped where `sign_bit` is kSignBit, kept where it is 0.
__device__ __forceinline__ float FlipSign(float x, std::uint32_t sign_bit) {
  return __uint_as_float(__float_as_uint(x) ^ sign_bit);
}

// The one evaluation of a rotated element: own c + other s, where s is negated for the first
// element of a pair. That is y1 = x1 c - x2 s exactly, since x2 (-s) is -(x2 s) and adding a
// negated value is subtracting it, rounding and signed zeros included.
__device__ __forceinline__ float RotateElement(float own, float other, float c, float signed_s) {
  return __fadd_rn(__fmul_rn(own, c), __fmul_rn(other, signed_s));
}

}  // namespace ropebench
