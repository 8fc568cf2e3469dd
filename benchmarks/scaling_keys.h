// A RoPE scaling as configs write it: a map with the keys of Hugging Face's rope_scaling. What it
// leaves to a formula, the attention factor, is worked out here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "benchmarks/yaml_reader.h"
#include "kernels/rope_scaling.h"

namespace ropebench {

// What a `type` may be: the kinds but none, and su, the older name of longrope.
std::span<const std::string_view> ScalingTypes();
ScalingKind KindOf(std::size_t type);  // by index into ScalingTypes

// What stands elsewhere in a model's config, for a map that leaves it out.
struct ScalingFallbacks {
  std::optional<std::int64_t> original_max_position_embeddings;
  std::optional<double> longrope_factor;
};

// The scaling of that kind in a map. `other_keys` are those that the caller reads. Throws YamlError
// for what the kind does not know, for what it lacks and for values that break a rule.
RopeScaling ReadScaling(const YamlNode& map, ScalingKind kind,
                        std::span<const std::string_view> other_keys,
                        const ScalingFallbacks& fallbacks = {});

}  // namespace ropebench
