// Seeded inputs: the same bytes for every variant, backend and machine.
//
// Every element depends on its own index alone (a hash, no state), so wrong indexing shows as wrong
// values and filling runs on all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/dtype.h"

namespace ropebench {

// The generator's name and range, as published with each workload.
inline constexpr const char* kInputGenerator = "splitmix64_uniform";
inline constexpr double kInputLow = -1.0;
inline constexpr double kInputHigh = 1.0;

// The seeds of q and k in the run that is verified before timing. The verification after timing
// adds kFreshSeedOffset. dq and dk use the same seeds as q and k.
inline constexpr std::uint64_t kSeedQ = 1;
inline constexpr std::uint64_t kSeedK = 2;
inline constexpr std::uint64_t kFreshSeedOffset = 1000;

// Fills `bytes` with uniform values in [-1, 1) rounded to `dtype`: element i is
//   2^-23 * (splitmix64(seed * 2^40 + i) >> 40) - 1.
void FillUniform(std::uint64_t seed, Dtype dtype, std::span<std::byte> bytes);

// Fills `bytes` with a pattern that differs from byte to byte and from salt to salt; used for guard
// zones, for poison and for copies.
void FillPattern(std::uint64_t salt, std::span<std::byte> bytes);

}  // namespace ropebench
