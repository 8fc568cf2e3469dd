#include "kernels/rope_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "kernels/rope_tables.h"
#include "kernels/rope_workload.h"

namespace ropebench {
namespace {

using Real = long double;

// A model's rotation, positions 0 to positions - 1.
struct Rotation {
  RopeScaling scaling;
  double theta = 10000.0;
  std::int64_t rotary_dim = 128;
  std::int64_t positions = 4096;
};

RopeScaling Linear(double factor) {
  RopeScaling scaling;
  scaling.kind = ScalingKind::kLinear;
  scaling.factor = factor;
  return scaling;
}

RopeScaling Dynamic(double factor, std::int64_t context) {
  RopeScaling scaling = Linear(factor);
  scaling.kind = ScalingKind::kDynamic;
  scaling.original_max_position_embeddings = context;
  return scaling;
}

RopeScaling Yarn(double factor, std::int64_t context, bool truncate = true) {
  RopeScaling scaling = Dynamic(factor, context);
  scaling.kind = ScalingKind::kYarn;
  scaling.attention_factor = 0.1 * std::log(factor) + 1.0;
  scaling.truncate = truncate;
  return scaling;
}

RopeScaling Llama3(double factor, std::int64_t context) {
  RopeScaling scaling = Dynamic(factor, context);
  scaling.kind = ScalingKind::kLlama3;
  return scaling;
}

RopeScaling Longrope(std::size_t pairs, std::int64_t context) {
  RopeScaling scaling;
  scaling.kind = ScalingKind::kLongrope;
  scaling.original_max_position_embeddings = context;
  scaling.attention_factor = 1.19;
  for (std::size_t i = 0; i < pairs; ++i) {
    scaling.short_factor.push_back(1.0 + 0.01 * static_cast<double>(i));
    scaling.long_factor.push_back(1.0 + 0.5 * static_cast<double>(i));
  }
  return scaling;
}

// The published definitions once more, in the shape in which transformers writes them: wavelengths
// and branches where kernels/rope_scaling.cc has turns and clamps.
Real PublishedFrequency(const Rotation& r, std::int64_t i) {
  const RopeScaling& s = r.scaling;
  const Real dim = r.rotary_dim;
  const Real context = s.original_max_position_embeddings;
  const Real factor = s.factor;
  const Real pi = std::numbers::pi_v<Real>;
  const auto plain = [&](Real base) { return 1.0L / std::pow(base, 2.0L * i / dim); };
  switch (s.kind) {
    case ScalingKind::kNone:
      return plain(r.theta);
    case ScalingKind::kLinear:
      return plain(r.theta) / factor;
    case ScalingKind::kDynamic: {
      const Real length = std::max<Real>(r.positions, context);
      return plain(r.theta *
                   std::pow(factor * length / context - (factor - 1.0L), dim / (dim - 2.0L)));
    }
    case ScalingKind::kYarn: {
      const auto dimension = [&](Real rotations) {
        return dim * std::log(context / (rotations * 2.0L * pi)) /
               (2.0L * std::log(static_cast<Real>(r.theta)));
      };
      Real low = dimension(s.beta_fast);
      Real high = dimension(s.beta_slow);
      if (s.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
      }
      low = std::max(low, 0.0L);
      high = std::min(high, dim - 1.0L);
      const Real extrapolated = 1.0L - std::clamp((i - low) / (high - low), 0.0L, 1.0L);
      const Real frequency = plain(r.theta);
      return frequency / factor * (1.0L - extrapolated) + frequency * extrapolated;
    }
    case ScalingKind::kLongrope:
      return plain(r.theta) / (r.positions > context ? s.long_factor : s.short_factor)[i];
    case ScalingKind::kLlama3: {
      const Real frequency = plain(r.theta);
      const Real wavelength = 2.0L * pi / frequency;
      if (wavelength < context / s.high_freq_factor) return frequency;
      if (wavelength > context / s.low_freq_factor) return frequency / factor;
      const Real smooth = (context / wavelength - s.low_freq_factor) /
                          (static_cast<Real>(s.high_freq_factor) - s.low_freq_factor);
      return (1.0L - smooth) * frequency / factor + smooth * frequency;
    }
  }
  return 0.0L;
}

const Rotation kRotations[] = {
    {RopeScaling{}},
    {Linear(4.0)},
    {Dynamic(2.0, 8192)},                       // short of the context
    {Dynamic(2.0, 2048)},                       // twice the context
    {Dynamic(8.0, 100), 1e6, 4, 12345},         //
    {Yarn(40.0, 4096), 10000.0, 64},            // DeepSeek-V3
    {Yarn(4.0, 32768), 1e6, 128},               // Qwen2.5
    {Yarn(32.0, 4096, false), 150000.0, 64},    // gpt-oss
    {Yarn(16.0, 64), 10000.0, 32, 7},           // the ramp begins below dimension 0
    {Longrope(48, 4096), 10000.0, 96, 4096},    // the last position of the short factors
    {Longrope(48, 4096), 10000.0, 96, 4097},    // the first of the long ones
    {Llama3(8.0, 8192), 500000.0, 128},         // Llama 3.1
    {Llama3(32.0, 8192), 500000.0, 64, 40000},  // Llama 3.2
};

TEST(InverseFrequencies, AreThePublishedOnes) {
  for (const Rotation& r : kRotations) {
    const std::vector<double> frequencies =
        InverseFrequencies(r.scaling, r.theta, r.rotary_dim, r.positions);
    ASSERT_EQ(static_cast<std::int64_t>(frequencies.size()), r.rotary_dim / 2);
    for (std::int64_t i = 0; i < r.rotary_dim / 2; ++i) {
      const auto expected = static_cast<double>(PublishedFrequency(r, i));
      EXPECT_NEAR(frequencies[static_cast<std::size_t>(i)] / expected, 1.0, 1e-13)
          << CanonicalText(r.scaling) << " pair " << i;
    }
  }
}

TEST(BuildRopeTables, UseTheScaledFrequenciesAndTheAttentionFactor) {
  for (const Rotation& r : kRotations) {
    RopeWorkload w;
    w.head_dim = w.rotary_dim = r.rotary_dim;
    w.theta = r.theta;
    w.scaling = r.scaling;
    w.seq = 3;
    w.position_offset = r.positions - w.seq;  // L counts the offset
    ASSERT_FALSE(Validate(w)) << Validate(w)->field << ": " << Validate(w)->rule;
    const RopeTables tables = BuildRopeTables(w);
    const auto factor = static_cast<Real>(r.scaling.attention_factor);
    for (std::int64_t t = 0; t < w.seq; ++t) {
      for (std::int64_t i = 0; i < r.rotary_dim / 2; ++i) {
        const Real angle = (t + w.position_offset) * PublishedFrequency(r, i);
        const auto at = static_cast<std::size_t>(t * (r.rotary_dim / 2) + i);
        EXPECT_NEAR(tables.cos[at], static_cast<double>(factor * std::cos(angle)), 2e-11);
        EXPECT_NEAR(tables.sin[at], static_cast<double>(factor * std::sin(angle)), 2e-11);
      }
    }
  }
}

TEST(InverseFrequencies, Llama31KeepsShortWavesAndStretchesLongOnes) {
  const std::vector<double> frequencies = InverseFrequencies(Llama3(8.0, 8192), 500000.0, 128, 1);
  EXPECT_EQ(frequencies[0], 1.0);
  EXPECT_DOUBLE_EQ(frequencies[63], std::pow(500000.0, -126.0 / 128.0) / 8.0);
}

TEST(BrokenScalingRule, NamesTheParameter) {
  EXPECT_FALSE(BrokenScalingRule(RopeScaling{}));
  for (const Rotation& r : kRotations) EXPECT_FALSE(BrokenScalingRule(r.scaling));
  struct Case {
    RopeScaling scaling;
    std::function<void(RopeScaling&)> edit;
    const char* parameter;
  };
  const double nan = std::nan("");
  const Case cases[] = {
      {RopeScaling{}, [](auto& s) { s.factor = 2.0; }, "factor"},
      {RopeScaling{}, [](auto& s) { s.attention_factor = 1.1; }, "attention_factor"},
      {RopeScaling{}, [](auto& s) { s.short_factor = {1.0}; }, "short_factor"},
      {Linear(2.0), [](auto& s) { s.factor = 0.5; }, "factor"},
      {Linear(2.0), [&](auto& s) { s.factor = nan; }, "factor"},
      {Linear(2.0), [](auto& s) { s.factor = 1e10; }, "factor"},
      {Linear(2.0), [](auto& s) { s.truncate = false; }, "truncate"},
      {Linear(2.0), [](auto& s) { s.original_max_position_embeddings = 8; },
       "original_max_position_embeddings"},
      {Dynamic(2.0, 8), [](auto& s) { s.original_max_position_embeddings = 0; },
       "original_max_position_embeddings"},
      {Dynamic(2.0, 8), [](auto& s) { s.original_max_position_embeddings = std::int64_t{1} << 31; },
       "original_max_position_embeddings"},
      {Dynamic(2.0, 8), [](auto& s) { s.long_factor = {1.0}; }, "long_factor"},
      {Yarn(2.0, 8), [](auto& s) { s.beta_fast = s.beta_slow; }, "beta_fast"},
      {Yarn(2.0, 8), [](auto& s) { s.beta_slow = 0.0; }, "beta_slow"},
      {Yarn(2.0, 8), [](auto& s) { s.attention_factor = -1.0; }, "attention_factor"},
      {Yarn(2.0, 8), [](auto& s) { s.low_freq_factor = 2.0; }, "low_freq_factor"},
      {Llama3(2.0, 8), [](auto& s) { s.high_freq_factor = 1.0; }, "high_freq_factor"},
      {Longrope(2, 8), [](auto& s) { s.long_factor[1] = 0.0; }, "long_factor"},
      {Longrope(2, 8), [&](auto& s) { s.short_factor[0] = nan; }, "short_factor"},
  };
  for (const Case& c : cases) {
    RopeScaling scaling = c.scaling;
    c.edit(scaling);
    const auto broken = BrokenScalingRule(scaling);
    ASSERT_TRUE(broken) << c.parameter;
    EXPECT_EQ(broken->first, c.parameter);
  }
}

TEST(Validate, ChecksAScalingAgainstTheRotation) {
  RopeWorkload w;
  const auto field = [&] { return Validate(w) ? Validate(w)->field : ""; };
  w.scaling = Longrope(8, 4096);  // rotary_dim 16
  EXPECT_EQ(field(), "");
  w.scaling.long_factor.pop_back();
  EXPECT_EQ(field(), "scaling.long_factor");
  w.scaling = Linear(0.0);
  EXPECT_EQ(field(), "scaling.factor");
  w.scaling = Yarn(2.0, 8);
  w.theta = 1.0;
  EXPECT_EQ(field(), "theta");
  w.scaling = Dynamic(2.0, 8);
  w.rotary_dim = 2;
  EXPECT_EQ(field(), "rotary_dim");
}

TEST(CanonicalTextOfAScaling, TellsScalingsApartAndParsesBack) {
  EXPECT_EQ(CanonicalText(RopeScaling{}), "none");
  EXPECT_EQ(CanonicalText(Llama3(8.0, 8192)), "llama3~8~8192~1~4");
  EXPECT_EQ(CanonicalText(Yarn(1.0, 4096)), "yarn~1~4096~1~32~1~1");
  EXPECT_EQ(CanonicalText(Longrope(2, 8)), "longrope~8~1.19~1~1.01~1~1.5");
  std::set<std::string> texts;
  for (const Rotation& r : kRotations) {
    texts.insert(CanonicalText(r.scaling));
    if (r.scaling.kind == ScalingKind::kLongrope) continue;
    EXPECT_EQ(ParseScaling(CanonicalText(r.scaling)), r.scaling);
  }
  EXPECT_EQ(texts.size(), std::size(kRotations) - 1);  // longrope stands there twice
  for (const char* text : {"", "lin", "linear", "linear~", "linear~x", "linear~2~3", "linear~nan",
                           "linear~1e300", "longrope~8~1~1~1", "yarn~2~8"}) {
    EXPECT_FALSE(ParseScaling(text)) << text;
  }
}

}  // namespace
}  // namespace ropebench
