// Kernels that only the tests of the CUDA backend need.
#pragma once

#include <cstdint>

#include "kernels/cuda/variants.h"

namespace ropebench {

// A kernel of one thread that lasts CopyParams::q_in nanoseconds by the device's clock.
CudaLaunch SpinForLaunch();

struct ConversionReport {
  std::uint64_t compared;
  std::uint64_t different;
  std::uint32_t first_different;  // bits of the input with the least pattern that differs
};

// Compares the conversions of kernels/cuda/arithmetic.cuh with those of kernels/dtype.h on the
// current device, NaNs as a class: rounding for every fp32 pattern, widening for every pattern of
// 16 bits.
ConversionReport CompareBf16Conversions();
ConversionReport CompareFp16Conversions();

}  // namespace ropebench
