#include "kernels/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ropebench {
namespace {

// An independent oracle: the neighbours of x in the dtype are found by decoding bit patterns, and
// the nearest one (ties to the even pattern) is what rounding must give.
template <typename T>
std::uint16_t NearestPattern(double x) {
  std::uint16_t best = 0;
  double best_distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t bits = 0; bits < 0x8000u; ++bits) {
    const double value = ToFloat(T{static_cast<std::uint16_t>(bits)});
    if (!std::isfinite(value)) break;
    const double distance = std::fabs(value - x);
    if (distance < best_distance || (distance == best_distance && bits % 2 == 0)) {
      best_distance = distance;
      best = static_cast<std::uint16_t>(bits);
    }
  }
  return best;
}

TEST(Fp16, EveryPatternSurvivesAFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const Fp16 x = {static_cast<std::uint16_t>(bits)};
    if ((bits & 0x7fffu) > 0x7c00u) {
      EXPECT_TRUE(std::isnan(ToFloat(x)));
      EXPECT_TRUE(std::isnan(ToFloat(FromFloat<Fp16>(ToFloat(x)))));
    } else {
      EXPECT_EQ(FromFloat<Fp16>(ToFloat(x)), x) << bits;
    }
  }
}

TEST(Bf16, EveryPatternSurvivesAFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const Bf16 x = {static_cast<std::uint16_t>(bits)};
    if ((bits & 0x7fffu) > 0x7f80u) {
      EXPECT_TRUE(std::isnan(ToFloat(FromFloat<Bf16>(ToFloat(x)))));
    } else {
      EXPECT_EQ(FromFloat<Bf16>(ToFloat(x)), x) << bits;
    }
  }
}

TEST(Fp16, KnownValuesOfTheFormat) {
  EXPECT_EQ(ToFloat(Fp16{0x3c00}), 1.0f);
  EXPECT_EQ(ToFloat(Fp16{0x7bff}), 65504.0f);
  EXPECT_EQ(ToFloat(Fp16{0x0001}), 0x1p-24f);
  EXPECT_EQ(ToFloat(Fp16{0x0400}), 0x1p-14f);
  EXPECT_EQ(ToFloat(Fp16{0xfc00}), -std::numeric_limits<float>::infinity());
}

struct RoundingCase {
  float x;
  std::uint16_t fp16;
  std::uint16_t bf16;
};

TEST(Rounding, TiesGoToEvenAndOverflowGoesToInfinity) {
  const RoundingCase cases[] = {
      {1.0f + 0x1p-11f, 0x3c00, 0x3f80},      // halfway between 1 and the next fp16
      {1.0f + 3 * 0x1p-11f, 0x3c02, 0x3f80},  // halfway, odd below
      {1.0f + 0x1p-8f, 0x3c04, 0x3f80},       // halfway between 1 and the next bf16
      {1.0f + 3 * 0x1p-8f, 0x3c0c, 0x3f82},   // halfway, odd below
      {65519.996f, 0x7bff, 0x4780},           // just below the overflow threshold of fp16
      {65520.0f, 0x7c00, 0x4780},             // the threshold rounds to infinity
      {0x1p-25f, 0x0000, 0x3300},             // half of the least fp16 subnormal: to even
      {0x1.000002p-25f, 0x0001, 0x3300},      // just above it
      {0x1.8p-24f, 0x0002, 0x33c0},           // 1.5 subnormal units: to even
      {0x1.ffep-15f, 0x0400, 0x3880},         // rounds up into the normal range
  };
  for (const RoundingCase& c : cases) {
    EXPECT_EQ(FromFloat<Fp16>(c.x).bits, c.fp16) << c.x;
    EXPECT_EQ(FromFloat<Bf16>(c.x).bits, c.bf16) << c.x;
    EXPECT_EQ(FromFloat<Fp16>(-c.x).bits, c.fp16 | 0x8000) << c.x;
    EXPECT_EQ(FromFloat<Bf16>(-c.x).bits, c.bf16 | 0x8000) << c.x;
  }
}

TEST(Rounding, AgreesWithASearchOverAllPatterns) {
  std::uint32_t state = 12345;
  for (int i = 0; i < 200; ++i) {
    state = state * 1664525u + 1013904223u;
    const int exponent = static_cast<int>(state % 40u) - 26;
    const float x = std::ldexp(1.0f + static_cast<float>(state >> 9) * 0x1p-23f, exponent);
    if (x < 65504.0f) {
      EXPECT_EQ(FromFloat<Fp16>(x).bits, NearestPattern<Fp16>(x)) << x;
    }
    EXPECT_EQ(FromFloat<Bf16>(x).bits, NearestPattern<Bf16>(x)) << x;
  }
}

TEST(RoundToDtype, EqualsTheConversionOfFloats) {
  std::uint32_t state = 99;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1664525u + 1013904223u;
    const float x = std::bit_cast<float>(state);
    if (std::isnan(x)) continue;
    EXPECT_EQ(RoundToDtype(x, Dtype::kFp16), double{ToFloat(FromFloat<Fp16>(x))}) << x;
    EXPECT_EQ(RoundToDtype(x, Dtype::kBf16), double{ToFloat(FromFloat<Bf16>(x))}) << x;
    EXPECT_EQ(RoundToDtype(x, Dtype::kFp32), double{x}) << x;
  }
}

TEST(RoundToDtype, RoundsOnceWhereFloatWouldRoundTwice) {
  // Just above the midpoint of two bf16 values; fp32 rounds it onto the midpoint.
  const double x = 1.0 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(RoundToDtype(x, Dtype::kBf16), 1.0 + 0x1p-7);
  EXPECT_EQ(ToFloat(FromFloat<Bf16>(static_cast<float>(x))), 1.0f);
}

TEST(RoundToDtype, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(RoundToDtype(-0.0, Dtype::kBf16)));
  EXPECT_TRUE(std::signbit(RoundToDtype(-1e-300, Dtype::kFp16)));
}

TEST(UlpOf, IsTheSpacingAndNeverBelowTheLeastSubnormal) {
  EXPECT_EQ(UlpOf(1.0, Dtype::kBf16), 0x1p-7);
  EXPECT_EQ(UlpOf(1.99, Dtype::kFp16), 0x1p-10);
  EXPECT_EQ(UlpOf(-2.0, Dtype::kFp32), 0x1p-22);
  EXPECT_EQ(UlpOf(0.0, Dtype::kFp16), 0x1p-24);
  EXPECT_EQ(UlpOf(1e-300, Dtype::kBf16), 0x1p-133);
}

}  // namespace
}  // namespace ropebench
