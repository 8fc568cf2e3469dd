#include "kernels/correctness_policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/rope_reference.h"

namespace ropebench {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

struct RuleCase {
  const char* what;
  double y;
  double ref;
  double magnitude;
  bool formula_is_nan;
  Dtype dtype;
  bool accepted;
};

TEST(BrokenRule, AppliesThePublishedBound) {
  const RuleCase cases[] = {
      {"bf16: half an ulp is allowed", 1.0, 1.0 + 0x1p-8, 1.0, false, Dtype::kBf16, true},
      {"bf16: plus the fp32 term", 1.0, 1.0 + 0x1p-8 + 0x1p-23, 1.0, false, Dtype::kBf16, true},
      {"bf16: not more", 1.0, 1.0 + 0x1p-8 + 0x1p-22, 1.0, false, Dtype::kBf16, false},
      {"bf16: a whole ulp is too much", 1.0 + 0x1p-7, 1.0, 1.0, false, Dtype::kBf16, false},
      {"fp32: the bound is 2^-23 of the magnitude", 1.0, 1.0 + 0x1p-23, 1.0, false, Dtype::kFp32,
       true},
      {"fp32: cancellation is measured by the terms", 0x1p-23, 0.0, 1.0, false, Dtype::kFp32, true},
      {"fp32: not more", 1.0, 1.0 + 0x1.1p-22, 1.0, false, Dtype::kFp32, false},
      {"NaN where the formula is NaN", kNan, kNan, kNan, true, Dtype::kBf16, true},
      {"NaN out of nothing", kNan, 1.0, 1.0, false, Dtype::kBf16, false},
      {"a number where the formula is NaN", 1.0, kNan, kNan, true, Dtype::kBf16, false},
      {"infinity stays infinity", kInf, kInf, kInf, false, Dtype::kFp16, true},
      {"the sign of infinity matches", -kInf, kInf, kInf, false, Dtype::kFp16, false},
      {"fp16 overflow gives infinity", kInf, 65520.0, 65520.0, false, Dtype::kFp16, true},
      {"the largest finite value next to the threshold", 65504.0, 65520.0, 65520.0, false,
       Dtype::kFp16, true},
      {"the largest finite value far above the threshold", 65504.0, 70000.0, 70000.0, false,
       Dtype::kFp16, false},
      {"infinity for a value far below the threshold", kInf, 60000.0, 60000.0, false, Dtype::kFp16,
       false},
      {"subnormals: one unit is too much", 0x1p-23, 0.0, 0.0, false, Dtype::kFp16, false},
  };
  for (const RuleCase& c : cases) {
    EXPECT_EQ(!BrokenRule(c.y, c.ref, c.magnitude, c.formula_is_nan, c.dtype), c.accepted)
        << c.what;
  }
}

// One token, two heads, head_dim 6, rotary_dim 4, fp32, with values that are easy to follow.
class CheckRotationTest : public testing::Test {
 protected:
  CheckRotationTest() {
    w_.seq = 1;
    w_.q_heads = 2;
    w_.head_dim = 6;
    w_.rotary_dim = 4;
    w_.dtype = w_.table_dtype = Dtype::kFp32;
  }
  // (c, s) = (0, 1): y1 = -x2, y2 = x1, an exact permutation.
  std::vector<float> input_ = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<float> output_ = {-3, -4, 1, 2, 5, 6, -9, -10, 7, 8, 11, 12};
  std::vector<float> cos_ = {0, 0};
  std::vector<float> sin_ = {1, 1};
  RopeWorkload w_;

  CorrectnessReport Check(Pass pass = Pass::kForward) {
    return CheckRotation(
        w_, pass, {"q", 2, std::as_bytes(std::span(input_)), std::as_bytes(std::span(output_))},
        std::as_bytes(std::span(cos_)), std::as_bytes(std::span(sin_)));
  }
};

TEST_F(CheckRotationTest, AcceptsTheExactRotation) {
  const CorrectnessReport report = Check();
  EXPECT_TRUE(report.passed()) << report.first_failure;
  EXPECT_EQ(report.elements, 12);
  EXPECT_EQ(report.mismatches, 0);
  EXPECT_EQ(report.rotated, 8);
  EXPECT_EQ(report.correctly_rounded, 8);
  EXPECT_EQ(report.max_abs_error, 0.0);
}

TEST_F(CheckRotationTest, BackwardTurnsTheOtherWay) {
  EXPECT_FALSE(Check(Pass::kBackward).passed());
  output_ = {3, 4, -1, -2, 5, 6, 9, 10, -7, -8, 11, 12};
  EXPECT_TRUE(Check(Pass::kBackward).passed());
}

TEST_F(CheckRotationTest, NamesTheFirstWrongElement) {
  output_[7] = -11;
  const CorrectnessReport report = Check();
  EXPECT_EQ(report.mismatches, 1);
  EXPECT_EQ(report.max_abs_error, 1.0);
  EXPECT_NE(report.first_failure.find("q[0, 0, 1, 1]"), std::string::npos) << report.first_failure;
}

TEST_F(CheckRotationTest, AnElementPastRotaryDimMayNotChange) {
  output_[11] = 12.5f;
  const CorrectnessReport report = Check();
  EXPECT_FALSE(report.passed());
  EXPECT_NE(report.first_failure.find("past rotary_dim"), std::string::npos);
}

TEST_F(CheckRotationTest, AnUnwrittenElementCannotPass) {
  std::memset(&output_[8], 0xff, sizeof(float));
  EXPECT_FALSE(Check().passed());
}

TEST_F(CheckRotationTest, ANanInOnePairChangesNoOther) {
  input_[0] = std::nanf("");
  output_[0] = std::nanf("");  // NaN x 0 is NaN
  output_[2] = std::nanf("");
  EXPECT_TRUE(Check().passed()) << Check().first_failure;
  output_[1] = std::nanf("");
  EXPECT_FALSE(Check().passed());
}

TEST_F(CheckRotationTest, HalfAndInterleavedAreToldApart) {
  // tiny-vllm#4: the two styles mixed up.
  w_.style = Style::kInterleaved;
  EXPECT_FALSE(Check().passed());
  output_ = {-2, 1, -4, 3, 5, 6, -8, 7, -10, 9, 11, 12};
  EXPECT_TRUE(Check().passed()) << Check().first_failure;
}

TEST(CheckShare, GatesFromAMillionElementsOn) {
  RopeWorkload w;  // bf16 with a bf16 table: 99.99 %
  CorrectnessReport report;
  report.elements = 4'000'000;  // a tail of three quarters does not dilute the share
  report.rotated = 1'000'000;
  report.correctly_rounded = 999'900;
  CheckShare(w, report);
  EXPECT_TRUE(report.passed());
  report.correctly_rounded = 999'899;
  CheckShare(w, report);
  EXPECT_FALSE(report.passed());

  CorrectnessReport small;
  small.elements = small.rotated = 999'999;
  CheckShare(w, small);
  EXPECT_TRUE(small.passed());
}

}  // namespace
}  // namespace ropebench
