#include "kernels/input_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace ropebench {
namespace {

TEST(FillUniform, IsTheDocumentedFunctionOfSeedAndIndex) {
  // SplitMix64's published first outputs for state 1234567 fix the hash; element 0 of seed s hashes
  // the counter s x 2^40, so the same finaliser is recomputed here from its definition.
  const auto mix = [](std::uint64_t counter) {
    std::uint64_t z = counter + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  EXPECT_EQ(mix(1234567), 6457827717110365317u);
  float values[3];
  FillUniform(1, Dtype::kFp32, std::as_writable_bytes(std::span(values)));
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t hash = mix(((1ull << 40) + i) * 0x9e3779b97f4a7c15u);
    EXPECT_EQ(values[i], static_cast<float>(hash >> 40) * 0x1p-23f - 1.0f);
  }
}

TEST(FillUniform, CoversTheRangeAndNothingElse) {
  std::vector<float> values(100000);
  FillUniform(7, Dtype::kFp32, std::as_writable_bytes(std::span(values)));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, -1.0f);
  EXPECT_LT(*low, -0.999f);
  EXPECT_LT(*high, 1.0f);
  EXPECT_GT(*high, 0.999f);
  EXPECT_GT(std::set<float>(values.begin(), values.end()).size(), 99000u);
}

TEST(FillUniform, DependsOnTheSeed) {
  std::vector<std::byte> a(64), b(64);
  FillUniform(1, Dtype::kBf16, a);
  FillUniform(2, Dtype::kBf16, b);
  EXPECT_NE(a, b);
}

TEST(FillPattern, FillsAnyLengthAndDependsOnTheSalt) {
  for (std::size_t bytes : {0u, 1u, 7u, 8u, 13u}) {
    std::vector<std::byte> a(bytes + 1, std::byte{0xee}), b(bytes + 1, std::byte{0xee});
    FillPattern(1, std::span(a).first(bytes));
    FillPattern(2, std::span(b).first(bytes));
    EXPECT_EQ(a[bytes], std::byte{0xee});
    if (bytes > 1) {
      EXPECT_NE(a, b);
    }
  }
}

}  // namespace
}  // namespace ropebench
