// libFuzzer target: no text of a config.json breaks its reader, and what it reads is in range.
#include <cmath>
#include <string_view>

#include "benchmarks/model_config.h"
#include "tests/fuzz/fuzz_target.h"

namespace ropebench {

int FuzzModelConfig(const std::uint8_t* data, std::size_t size) {
  const auto parse = [](std::string_view text) {
    const ModelConfig model = ParseModelConfig(text, "c.json");
    if (model.q_heads < 1 || model.kv_heads < 1 || model.head_dim < 1) abort();
    if (!(std::isfinite(model.theta) && model.theta > 0.0)) abort();
    if (BrokenScalingRule(model.scaling)) abort();
  };
  return Probe(parse, data, size);
}

}  // namespace ropebench
