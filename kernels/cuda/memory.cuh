// Global memory accesses. The parameter blocks hold plain addresses, from which the compiler would
// make generic accesses, so the state space is named here.
//
// q and k are read with ordinary loads, never through the read-only path: in place they are written
// by the same kernel. The tables are read-only and may go through it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/variants.h"

namespace ropebench {

// volatile keeps the loads in front of the stores, in the order of the source.
template <L1Hint hint = L1Hint::kDefault>
__device__ __forceinline__ uint4 LoadVector(std::uint64_t address) {
  uint4 v;
  if constexpr (hint == L1Hint::kNoAllocate) {
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(address));
  } else {
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(address));
  }
  return v;
}

template <L1Hint hint = L1Hint::kDefault>
__device__ __forceinline__ void StoreVector(std::uint64_t address, const uint4& v) {
  if constexpr (hint == L1Hint::kNoAllocate) {
    asm volatile("st.global.L1::no_allocate.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(address), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
  } else {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(address), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
  }
}

template <typename T>
__device__ __forceinline__ T LoadElement(std::uint64_t address) {
  if constexpr (sizeof(T) == 4) {
    T x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(address));
    return x;
  } else {
    T x;
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(x.bits) : "l"(address));
    return x;
  }
}

template <typename T>
__device__ __forceinline__ void StoreElement(std::uint64_t address, T x) {
  if constexpr (sizeof(T) == 4) {
    asm volatile("st.global.f32 [%0], %1;" : : "l"(address), "f"(x) : "memory");
  } else {
    asm volatile("st.global.u16 [%0], %1;" : : "l"(address), "h"(x.bits) : "memory");
  }
}

// Element `index` of a table of `Table`.
template <typename Table>
__device__ __forceinline__ float LoadTableElement(std::uint64_t table, std::uint64_t index) {
  if constexpr (std::is_same_v<Table, float>) {
    return __ldg(reinterpret_cast<const float*>(table) + index);
  } else {
    return WidenElement(Table{__ldg(reinterpret_cast<const std::uint16_t*>(table) + index)});
  }
}

// `count` table values that fill whole vectors, kept as they lie in memory until they are wanted:
// in 16 bits they take half the registers of their fp32 values.
template <typename Table, int count>
class TableVectors {
 public:
  // Loads them from `address`, a multiple of 16, and flips `sign_bit`, kSignBit or 0, in each.
  __device__ __forceinline__ TableVectors(std::uint64_t address, std::uint32_t sign_bit) {
    const std::uint32_t signs = sizeof(Table) == 4 ? sign_bit : sign_bit | sign_bit >> 16;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const uint4 v = __ldg(reinterpret_cast<const uint4*>(address) + i);
      vectors_[i] = make_uint4(v.x ^ signs, v.y ^ signs, v.z ^ signs, v.w ^ signs);
    }
  }

  // `index` must be known at compile time, so that nothing is indexed when the kernel runs.
  __device__ __forceinline__ float operator[](int index) const {
    float values[kPerVector<Table>];
    WidenVector<Table>(vectors_[index / kPerVector<Table>], values);
    return values[index % kPerVector<Table>];
  }

 private:
  static_assert(count % kPerVector<Table> == 0);
  static constexpr int kVectors = count / kPerVector<Table>;
  uint4 vectors_[kVectors];
};

// Asks for the line of `address`, which must be readable, without waiting for it.
__device__ __forceinline__ void PrefetchL2(std::uint64_t address) {
  asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
}

}  // namespace ropebench
