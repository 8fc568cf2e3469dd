// The rotation of a model, from the config.json that Hugging Face's transformers writes for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/dtype.h"
#include "kernels/rope_scaling.h"
#include "kernels/rope_workload.h"

namespace ropebench {

// The axes of a workload that a model decides. Whether they fit together is for Validate to say.
struct ModelConfig {
  std::int64_t q_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t rotary_dim = 0;
  Style style = Style::kHalf;
  double theta = 0.0;
  std::optional<Dtype> dtype;  // where the config names one
  RopeScaling scaling;
};

// Reads the text of a config.json; `path` stands in messages. A model_type decides the style, the
// spelling of the shape and what may be left out, always as transformers has it; of a config with a
// text_config, that part is read. Of DeepSeek's models it is the part of a head that rotates, with
// the one head of k that all heads of q share.
//
// Throws ConfigError for a type that is not known, for what is missing and has no such default, and
// for every key that could change the rotation and is not understood: one with rope, rotary, ntk,
// yarn or alibi in its name. Nothing is guessed.
ModelConfig ParseModelConfig(std::string_view text, const std::string& path);

}  // namespace ropebench
