#include "kernels/rope_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numbers>
#include <system_error>

namespace ropebench {
namespace {

using BrokenRule = std::optional<std::pair<std::string, std::string>>;

constexpr double kMaxPositions = 2147483647.0;

// Wide enough for every model, narrow enough that no formula below can overflow.
constexpr double kLeast = 1e-9;
constexpr double kMost = 1e9;

BrokenRule BrokenRange(std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most) return std::nullopt;  // not so for a NaN
  return {{std::string(name), fmt::format("{} is outside {}..{}", value, least, most)}};
}

// A number of RopeScaling by name, so that one table reads, writes and lists them.
struct NumberField {
  std::string_view name;
  bool (*is_used)(ScalingKind);
  double (*get)(const RopeScaling&);
  void (*set)(RopeScaling&, double);
};

constexpr bool IsYarn(ScalingKind kind) { return kind == ScalingKind::kYarn; }
constexpr bool IsLlama3(ScalingKind kind) { return kind == ScalingKind::kLlama3; }

constexpr NumberField kNumbers[] = {
    {"factor", [](ScalingKind k) { return k != ScalingKind::kNone && k != ScalingKind::kLongrope; },
     [](const RopeScaling& s) { return s.factor; }, [](RopeScaling& s, double v) { s.factor = v; }},
    {"original_max_position_embeddings",
     [](ScalingKind k) { return k != ScalingKind::kNone && k != ScalingKind::kLinear; },
     [](const RopeScaling& s) { return static_cast<double>(s.original_max_position_embeddings); },
     [](RopeScaling& s, double v) {
       s.original_max_position_embeddings = static_cast<std::int64_t>(v);
     }},
    {"attention_factor",
     [](ScalingKind k) { return k == ScalingKind::kYarn || k == ScalingKind::kLongrope; },
     [](const RopeScaling& s) { return s.attention_factor; },
     [](RopeScaling& s, double v) { s.attention_factor = v; }},
    {"beta_fast", IsYarn, [](const RopeScaling& s) { return s.beta_fast; },
     [](RopeScaling& s, double v) { s.beta_fast = v; }},
    {"beta_slow", IsYarn, [](const RopeScaling& s) { return s.beta_slow; },
     [](RopeScaling& s, double v) { s.beta_slow = v; }},
    {"truncate", IsYarn, [](const RopeScaling& s) { return s.truncate ? 1.0 : 0.0; },
     [](RopeScaling& s, double v) { s.truncate = v != 0.0; }},
    {"low_freq_factor", IsLlama3, [](const RopeScaling& s) { return s.low_freq_factor; },
     [](RopeScaling& s, double v) { s.low_freq_factor = v; }},
    {"high_freq_factor", IsLlama3, [](const RopeScaling& s) { return s.high_freq_factor; },
     [](RopeScaling& s, double v) { s.high_freq_factor = v; }},
};

BrokenRule BrokenListRule(std::string_view name, const std::vector<double>& factors) {
  for (const double value : factors) {
    if (BrokenRule broken = BrokenRange(name, value, kLeast, kMost)) return broken;
  }
  return std::nullopt;
}

// The dimension, as a real number, that turns `rotations` times within the context of training.
double YarnDimension(double rotations, double theta, std::int64_t rotary_dim, double context) {
  return static_cast<double>(rotary_dim) *
         std::log(context / (rotations * 2.0 * std::numbers::pi)) / (2.0 * std::log(theta));
}

void ScaleYarn(const RopeScaling& s, double theta, std::int64_t rotary_dim,
               std::vector<double>& frequencies) {
  const auto context = static_cast<double>(s.original_max_position_embeddings);
  double low = YarnDimension(s.beta_fast, theta, rotary_dim, context);
  double high = YarnDimension(s.beta_slow, theta, rotary_dim, context);
  if (s.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(rotary_dim - 1));
  if (low == high) high += 0.001;  // as published, against a division by zero
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    frequencies[i] = frequencies[i] / s.factor * ramp + frequencies[i] * (1.0 - ramp);
  }
}

void ScaleLlama3(const RopeScaling& s, std::vector<double>& frequencies) {
  const auto context = static_cast<double>(s.original_max_position_embeddings);
  for (double& frequency : frequencies) {
    const double turns = context * frequency / (2.0 * std::numbers::pi);
    const double share = std::clamp(
        (turns - s.low_freq_factor) / (s.high_freq_factor - s.low_freq_factor), 0.0, 1.0);
    frequency = (1.0 - share) * frequency / s.factor + share * frequency;
  }
}

}  // namespace

std::string_view Name(ScalingKind kind) { return kScalingNames[static_cast<std::size_t>(kind)]; }

std::optional<std::pair<std::string, std::string>> BrokenScalingRule(const RopeScaling& s) {
  const RopeScaling defaults;
  for (const NumberField& field : kNumbers) {
    if (!field.is_used(s.kind) && field.get(s) != field.get(defaults)) {
      return {{std::string(field.name), fmt::format("is no parameter of {}", Name(s.kind))}};
    }
    if (!field.is_used(s.kind) || field.name == "truncate") continue;
    const bool is_context = field.name == "original_max_position_embeddings";
    const bool is_factor = field.name == "factor";
    if (BrokenRule broken =
            BrokenRange(field.name, field.get(s), is_context || is_factor ? 1.0 : kLeast,
                        is_context ? kMaxPositions : kMost)) {
      return broken;
    }
  }
  if (s.beta_fast <= s.beta_slow) {
    return {{"beta_fast", fmt::format("{} is not above beta_slow {}", s.beta_fast, s.beta_slow)}};
  }
  if (s.high_freq_factor <= s.low_freq_factor) {
    return {{"high_freq_factor", fmt::format("{} is not above low_freq_factor {}",
                                             s.high_freq_factor, s.low_freq_factor)}};
  }
  if (s.kind != ScalingKind::kLongrope && !(s.short_factor.empty() && s.long_factor.empty())) {
    return {{s.short_factor.empty() ? "long_factor" : "short_factor",
             fmt::format("is no parameter of {}", Name(s.kind))}};
  }
  if (BrokenRule broken = BrokenListRule("short_factor", s.short_factor)) return broken;
  return BrokenListRule("long_factor", s.long_factor);
}

std::vector<std::pair<std::string_view, double>> ScalingNumbers(const RopeScaling& scaling) {
  std::vector<std::pair<std::string_view, double>> numbers;
  for (const NumberField& field : kNumbers) {
    if (field.is_used(scaling.kind)) numbers.emplace_back(field.name, field.get(scaling));
  }
  return numbers;
}

std::string CanonicalText(const RopeScaling& scaling) {
  std::string text(Name(scaling.kind));
  const auto append = [&](double value) { fmt::format_to(std::back_inserter(text), "~{}", value); };
  for (const auto& [name, value] : ScalingNumbers(scaling)) append(value);
  // Both lists have the same length, so nothing need stand between them.
  for (const double value : scaling.short_factor) append(value);
  for (const double value : scaling.long_factor) append(value);
  return text;
}

std::optional<RopeScaling> ParseScaling(std::string_view text) {
  const auto next_part = [&text]() -> std::string_view {
    const std::string_view part = text.substr(0, text.find('~'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
  };
  const std::string_view name = next_part();
  const auto* const found = std::find(std::begin(kScalingNames), std::end(kScalingNames), name);
  if (found == std::end(kScalingNames)) return std::nullopt;
  RopeScaling scaling;
  scaling.kind = static_cast<ScalingKind>(found - std::begin(kScalingNames));
  if (scaling.kind == ScalingKind::kLongrope) return std::nullopt;
  for (const NumberField& field : kNumbers) {
    if (!field.is_used(scaling.kind)) continue;
    const std::string_view part = next_part();
    double value = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    // No number is larger, and one that is would not convert to an integer.
    if (error != std::errc() || end != part.data() + part.size() ||
        !(std::abs(value) <= kMaxPositions)) {
      return std::nullopt;
    }
    field.set(scaling, value);
  }
  if (!text.empty()) return std::nullopt;
  return scaling;
}

std::vector<double> InverseFrequencies(const RopeScaling& scaling, double theta,
                                       std::int64_t rotary_dim, std::int64_t positions) {
  const auto dims = static_cast<double>(rotary_dim);
  const std::int64_t context = scaling.original_max_position_embeddings;
  if (scaling.kind == ScalingKind::kDynamic) {
    const double excess =
        static_cast<double>(std::max(positions, context) - context) / static_cast<double>(context);
    theta *= std::pow(1.0 + scaling.factor * excess, dims / (dims - 2.0));
  }
  std::vector<double> frequencies(static_cast<std::size_t>(rotary_dim / 2));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    frequencies[i] = std::pow(theta, -2.0 * static_cast<double>(i) / dims);
  }
  switch (scaling.kind) {
    case ScalingKind::kNone:
    case ScalingKind::kDynamic:
      break;
    case ScalingKind::kLinear:
      for (double& frequency : frequencies) frequency /= scaling.factor;
      break;
    case ScalingKind::kYarn:
      ScaleYarn(scaling, theta, rotary_dim, frequencies);
      break;
    case ScalingKind::kLongrope: {
      const std::vector<double>& factors =
          positions > context ? scaling.long_factor : scaling.short_factor;
      for (std::size_t i = 0; i < frequencies.size(); ++i) frequencies[i] /= factors[i];
      break;
    }
    case ScalingKind::kLlama3:
      ScaleLlama3(scaling, frequencies);
      break;
  }
  return frequencies;
}

}  // namespace ropebench
