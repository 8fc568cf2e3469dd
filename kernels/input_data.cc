#include "kernels/input_data.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/parallel_for.h"

namespace ropebench {
namespace {

constexpr std::int64_t kGrain = 1 << 16;

// The output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) applied to a counter.
constexpr std::uint64_t SplitMix64(std::uint64_t counter) {
  std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

void FillUniform(std::uint64_t seed, Dtype dtype, std::span<std::byte> bytes) {
  VisitDtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    const auto count = static_cast<std::int64_t>(bytes.size() / sizeof(T));
    ParallelFor(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t hash = SplitMix64((seed << 40) + static_cast<std::uint64_t>(i));
        const float value = static_cast<float>(hash >> 40) * 0x1p-23f - 1.0f;
        const T stored = FromFloat<T>(value);
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &stored, sizeof(T));
      }
    });
  });
}

void FillPattern(std::uint64_t salt, std::span<std::byte> bytes) {
  const auto words = static_cast<std::int64_t>((bytes.size() + 7) / 8);
  ParallelFor(words, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t word = SplitMix64((salt << 40) + static_cast<std::uint64_t>(i));
      const std::size_t at = static_cast<std::size_t>(i) * 8;
      std::memcpy(bytes.data() + at, &word, std::min<std::size_t>(8, bytes.size() - at));
    }
  });
}

}  // namespace ropebench
