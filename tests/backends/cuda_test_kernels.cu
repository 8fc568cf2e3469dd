#include "tests/backends/cuda_test_kernels.h"

#include "backends/cuda/cuda_error.h"
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/dtype.h"

namespace ropebench {
namespace {

__global__ void SpinForKernel(const __grid_constant__ CopyParams p) {
  std::uint64_t begin;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  std::uint64_t now = begin;
  while (now - begin < p.q_in) asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
}

__device__ bool IsNan(float x) { return (__float_as_uint(x) & 0x7fffffffu) > 0x7f800000u; }

// Equal bits, or both NaN.
__device__ bool Same(float a, float b) {
  return __float_as_uint(a) == __float_as_uint(b) || (IsNan(a) && IsNan(b));
}

template <typename T>
__device__ bool RoundsAlike(std::uint32_t bits) {
  const float x = __uint_as_float(bits);
  const float expected = ToFloat(FromFloat<T>(x));
  const float both[2] = {x, -x};
  const std::uint32_t word = WordOf<T>::Round(both);
  const T low{static_cast<std::uint16_t>(word & 0xffffu)};
  const T high{static_cast<std::uint16_t>(word >> 16)};
  return Same(ToFloat(RoundElement<T>(x)), expected) && Same(ToFloat(low), expected) &&
         Same(ToFloat(high), -expected);
}

template <typename T>
__device__ bool WidensAlike(std::uint16_t bits) {
  const float expected = ToFloat(T{bits});
  float both[2];
  WordOf<T>::Widen(bits | static_cast<std::uint32_t>(bits ^ 0x8000u) << 16, both);
  return Same(WidenElement(T{bits}), expected) && Same(both[0], expected) &&
         Same(both[1], -expected);
}

template <typename T>
__global__ void CompareKernel(ConversionReport* report) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t compared = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i <= 0xffffffffu;
       i += stride) {
    const auto bits = static_cast<std::uint32_t>(i);
    ++compared;
    const bool same = RoundsAlike<T>(bits) &&
                      (bits > 0xffffu || WidensAlike<T>(static_cast<std::uint16_t>(bits)));
    if (same) continue;
    atomicAdd(reinterpret_cast<unsigned long long*>(&report->different), 1ull);
    atomicMin(&report->first_different, bits);
  }
  atomicAdd(reinterpret_cast<unsigned long long*>(&report->compared), compared);
}

template <typename T>
ConversionReport Compare() {
  ConversionReport report{0, 0, 0xffffffffu};
  ConversionReport* on_device = nullptr;
  Check(cudaMalloc(&on_device, sizeof(report)), "allocating the report");
  Check(cudaMemcpy(on_device, &report, sizeof(report), cudaMemcpyHostToDevice), "copying");
  CompareKernel<T><<<1024, 256>>>(on_device);
  Check(cudaGetLastError(), "launching the comparison");
  Check(cudaMemcpy(&report, on_device, sizeof(report), cudaMemcpyDeviceToHost), "comparing");
  cudaFree(on_device);
  return report;
}

}  // namespace

CudaLaunch SpinForLaunch() {
  return {reinterpret_cast<const void*>(&SpinForKernel), {1, 1, 1}, {1, 1, 1}};
}

ConversionReport CompareBf16Conversions() { return Compare<Bf16>(); }
ConversionReport CompareFp16Conversions() { return Compare<Fp16>(); }

}  // namespace ropebench
