#include "benchmarks/scaling_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "benchmarks/node_reader.h"

namespace ropebench {
namespace {

constexpr std::string_view kContext = "original_max_position_embeddings";

constexpr std::string_view kTypes[] = {"linear", "dynamic", "yarn", "longrope", "llama3", "su"};

std::vector<std::string_view> KeysOf(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::kNone:
      return {};
    case ScalingKind::kLinear:
      return {"factor"};
    case ScalingKind::kDynamic:
      return {"factor", kContext};
    case ScalingKind::kYarn:
      return {"factor",    kContext,   "attention_factor", "beta_fast",
              "beta_slow", "truncate", "mscale",           "mscale_all_dim"};
    case ScalingKind::kLongrope:
      return {"short_factor", "long_factor", kContext, "factor", "attention_factor"};
    case ScalingKind::kLlama3:
      return {"factor", kContext, "low_freq_factor", "high_freq_factor"};
  }
  __builtin_unreachable();
}

// Reads the keys of one map.
class MapReader {
 public:
  MapReader(const YamlNode& map, ScalingKind kind) : map_(map), kind_(kind) {}

  std::optional<double> Real(std::string_view key) const {
    const YamlNode* node = Find(map_, key);
    if (node == nullptr) return std::nullopt;
    return ReadReal(*node, Path(key));
  }
  double RequiredReal(std::string_view key) const { return ReadReal(Require(key), Path(key)); }

  std::vector<double> RequiredList(std::string_view key) const {
    const YamlNode& node = Require(key);
    if (node.kind != YamlNode::Kind::kList) {
      Fail(node.position, "{}: expected a list of numbers, got {}", Path(key), Describe(node));
    }
    std::vector<double> values;
    ForEachItem(node, Path(key),
                [&](const YamlNode& item) { values.push_back(ReadReal(item, Path(key))); });
    return values;
  }

  std::int64_t Context(const std::optional<std::int64_t>& fallback) const {
    if (Find(map_, kContext) == nullptr && fallback) return *fallback;
    return ReadInteger(Require(kContext), Path(kContext), 1, kMaxCount);
  }

  bool Truncate() const {
    const YamlNode* node = Find(map_, "truncate");
    return node == nullptr || ReadBool(*node, Path("truncate"));
  }

  void RefuseBoth(std::string_view first, std::string_view second) const {
    const YamlNode* node = Find(map_, second);
    if (Find(map_, first) == nullptr || node == nullptr) return;
    Fail(node->key_position, "{}: give either {} or {}", Path(second), first, second);
  }

  void RequireTogether(std::string_view first, std::string_view second) const {
    for (const auto& [there, missing] : {std::pair(first, second), std::pair(second, first)}) {
      if (Find(map_, there) == nullptr || Find(map_, missing) != nullptr) continue;
      Fail(Find(map_, there)->key_position, "{}: means nothing without {}", Path(there), missing);
    }
  }

  [[noreturn]] void FailAt(std::string_view key, std::string_view message) const {
    const YamlNode* node = Find(map_, key);
    Fail(node == nullptr ? map_.position : node->position, "{}: {}", Path(key), message);
  }

 private:
  const YamlNode& Require(std::string_view key) const {
    const YamlNode* node = Find(map_, key);
    if (node == nullptr) {
      Fail(map_.position, "scaling: {} needs the key {}", Name(kind_), key);
    }
    return *node;
  }

  static std::string Path(std::string_view key) { return fmt::format("scaling.{}", key); }

  const YamlNode& map_;
  ScalingKind kind_;
};

// transformers' get_mscale: YaRN's recommended growth of the attention, weighted.
double YarnGrowth(double factor, double weight) {
  return factor <= 1.0 ? 1.0 : 0.1 * weight * std::log(factor) + 1.0;
}

void ReadYarn(const MapReader& reader, RopeScaling& scaling) {
  scaling.beta_fast = reader.Real("beta_fast").value_or(scaling.beta_fast);
  scaling.beta_slow = reader.Real("beta_slow").value_or(scaling.beta_slow);
  scaling.truncate = reader.Truncate();
  reader.RefuseBoth("attention_factor", "mscale");
  reader.RequireTogether("mscale", "mscale_all_dim");
  const std::optional<double> attention_factor = reader.Real("attention_factor");
  const std::optional<double> mscale = reader.Real("mscale");
  scaling.attention_factor = attention_factor ? *attention_factor
                             : mscale
                                 ? YarnGrowth(scaling.factor, *mscale) /
                                       YarnGrowth(scaling.factor, *reader.Real("mscale_all_dim"))
                                 : YarnGrowth(scaling.factor, 1.0);
}

void ReadLongrope(const MapReader& reader, const ScalingFallbacks& fallbacks,
                  RopeScaling& scaling) {
  scaling.short_factor = reader.RequiredList("short_factor");
  scaling.long_factor = reader.RequiredList("long_factor");
  reader.RefuseBoth("attention_factor", "factor");
  const std::optional<double> attention_factor = reader.Real("attention_factor");
  if (attention_factor) {
    scaling.attention_factor = *attention_factor;
    return;
  }
  const std::optional<double> written = reader.Real("factor");
  if (written && fallbacks.longrope_factor && *written != *fallbacks.longrope_factor) {
    reader.FailAt("factor", fmt::format("{} is not max_position_embeddings over {}, {}", *written,
                                        kContext, *fallbacks.longrope_factor));
  }
  const std::optional<double> factor = written ? written : fallbacks.longrope_factor;
  if (!factor) reader.FailAt("factor", "longrope needs factor or attention_factor");
  if (*factor > 1.0) {
    scaling.attention_factor = std::sqrt(
        1.0 + std::log(*factor) /
                  std::log(static_cast<double>(scaling.original_max_position_embeddings)));
  }
}

}  // namespace

std::span<const std::string_view> ScalingTypes() { return kTypes; }

ScalingKind KindOf(std::size_t type) {
  if (kTypes[type] == "su") return ScalingKind::kLongrope;
  return static_cast<ScalingKind>(
      std::find(std::begin(kScalingNames), std::end(kScalingNames), kTypes[type]) -
      std::begin(kScalingNames));
}

RopeScaling ReadScaling(const YamlNode& map, ScalingKind kind,
                        std::span<const std::string_view> other_keys,
                        const ScalingFallbacks& fallbacks) {
  std::vector<std::string_view> known = KeysOf(kind);
  known.insert(known.end(), other_keys.begin(), other_keys.end());
  CheckKeys(map, known, fmt::format("scaling {}", Name(kind)));
  const MapReader reader(map, kind);
  RopeScaling scaling;
  scaling.kind = kind;
  if (kind != ScalingKind::kLongrope) scaling.factor = reader.RequiredReal("factor");
  if (kind != ScalingKind::kLinear) {
    scaling.original_max_position_embeddings =
        reader.Context(fallbacks.original_max_position_embeddings);
  }
  if (kind == ScalingKind::kYarn) ReadYarn(reader, scaling);
  if (kind == ScalingKind::kLongrope) ReadLongrope(reader, fallbacks, scaling);
  if (kind == ScalingKind::kLlama3) {
    scaling.low_freq_factor = reader.RequiredReal("low_freq_factor");
    scaling.high_freq_factor = reader.RequiredReal("high_freq_factor");
  }
  if (const auto broken = BrokenScalingRule(scaling)) reader.FailAt(broken->first, broken->second);
  return scaling;
}

}  // namespace ropebench
