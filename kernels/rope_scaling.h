// The published ways to stretch RoPE beyond the context that a model was trained on. Each of them
// changes nothing but the table: the inverse frequencies, and one factor on cos and sin.
//
// The formulas are those of the papers below, as Hugging Face transformers defines them in
// modeling_rope_utils.py. d is rotary_dim, f_i = theta^(-2 i / d), L the positions in use, L0 the
// context of training (original_max_position_embeddings).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ropebench {

enum class ScalingKind : std::uint8_t {
  kNone,
  // f_i / factor (position interpolation, Chen et al., arXiv:2306.15595).
  kLinear,
  // theta grows by (1 + factor (max(L, L0) / L0 - 1))^(d / (d - 2)) (dynamic NTK).
  kDynamic,
  // f_i where a dimension turns more than beta_fast times within L0, f_i / factor where fewer than
  // beta_slow times, a linear ramp between (YaRN, Peng et al., arXiv:2309.00071). `truncate` rounds
  // the ends of the ramp outwards to whole dimensions.
  kYarn,
  // f_i / short_factor[i] up to L = L0, f_i / long_factor[i] above (LongRoPE, Ding et al.,
  // arXiv:2402.13753; also called su).
  kLongrope,
  // f_i / factor for wavelengths above L0 / low_freq_factor, f_i below L0 / high_freq_factor, a
  // smooth blend between (Llama 3.1).
  kLlama3,
};
inline constexpr std::string_view kScalingNames[] = {"none", "linear",   "dynamic",
                                                     "yarn", "longrope", "llama3"};
std::string_view Name(ScalingKind kind);

// What a kind does not use stays at its default, so that equal scalings compare equal. Numbers lie
// in 1e-9..1e9, factor from 1, original_max_position_embeddings in 1..2^31-1.
struct RopeScaling {
  ScalingKind kind = ScalingKind::kNone;
  double factor = 1.0;                                // linear, dynamic, yarn, llama3
  std::int64_t original_max_position_embeddings = 0;  // L0: dynamic, yarn, longrope, llama3
  double attention_factor = 1.0;                      // times cos and sin: yarn, longrope
  double beta_fast = 32.0;                            // yarn
  double beta_slow = 1.0;                             // yarn
  bool truncate = true;                               // yarn
  double low_freq_factor = 1.0;                       // llama3
  double high_freq_factor = 4.0;                      // llama3
  std::vector<double> short_factor;                   // longrope; rotary_dim / 2 values each
  std::vector<double> long_factor;

  friend bool operator==(const RopeScaling&, const RopeScaling&) = default;
};

// The name of the first parameter that breaks a rule, and the rule in words; or nothing.
std::optional<std::pair<std::string, std::string>> BrokenScalingRule(const RopeScaling& scaling);

// Every number that the kind uses, in the order of the fields above, those of the factor lists left
// out. Equal exactly when the kinds and these numbers are.
std::vector<std::pair<std::string_view, double>> ScalingNumbers(const RopeScaling& scaling);

// One token without ' ', '/', ':' or ',': "none", or the kind and its numbers as
// "yarn~40~4096~1~32~1~1"; for longrope followed by both factor lists. Equal exactly when the
// scalings are.
std::string CanonicalText(const RopeScaling& scaling);

// The scaling with that canonical text, longrope left out, or nothing.
std::optional<RopeScaling> ParseScaling(std::string_view text);

// The inverse frequencies of the rotary_dim / 2 pairs for `positions` positions in use, of a
// scaling that a valid workload may have.
std::vector<double> InverseFrequencies(const RopeScaling& scaling, double theta,
                                       std::int64_t rotary_dim, std::int64_t positions);

}  // namespace ropebench
