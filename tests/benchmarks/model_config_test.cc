#include "benchmarks/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "benchmarks/config_error.h"
#include "benchmarks/suite_config.h"
#include "benchmarks/text_file.h"

namespace ropebench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kModels = ROPEBENCH_SOURCE_DIR "/tests/benchmarks/models/";

ModelConfig Model(const std::string& name) {
  return ParseModelConfig(ReadTextFile(kModels + name + ".json"), name);
}

// A small model with these keys after its own, from line 2 on.
std::string Config(const std::string& keys, const std::string& type = "llama") {
  return "{\"model_type\": \"" + type +
         "\", \"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"head_dim\": 8,\n" + keys +
         "\n}";
}

std::string ErrorOf(const std::string& text) {
  try {
    ParseModelConfig(text, "c.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

RopeScaling Llama31() {
  RopeScaling scaling;
  scaling.kind = ScalingKind::kLlama3;
  scaling.factor = 8.0;
  scaling.original_max_position_embeddings = 8192;
  return scaling;
}

RopeScaling Yarn(double factor, std::int64_t context, double attention_factor) {
  RopeScaling scaling;
  scaling.kind = ScalingKind::kYarn;
  scaling.factor = factor;
  scaling.original_max_position_embeddings = context;
  scaling.attention_factor = attention_factor;
  return scaling;
}

TEST(ParseModelConfig, ReadsTheShapesThatRealOnesHave) {
  RopeScaling dynamic;
  dynamic.kind = ScalingKind::kDynamic;
  dynamic.factor = 2.0;
  dynamic.original_max_position_embeddings = 32768;
  RopeScaling gpt_oss = Yarn(32.0, 4096, 0.1 * std::log(32.0) + 1.0);
  gpt_oss.truncate = false;
  const struct {
    const char* name;
    std::int64_t q_heads, kv_heads, head_dim, rotary_dim;
    Style style;
    double theta;
    std::optional<Dtype> dtype;
    RopeScaling scaling;
  } cases[] = {
      {"llama3", 32, 8, 128, 128, Style::kHalf, 5e5, Dtype::kBf16, {}},
      {"llama3_1", 32, 8, 128, 128, Style::kHalf, 5e5, Dtype::kBf16, Llama31()},
      {"llama3_1_new_spelling", 32, 8, 128, 128, Style::kHalf, 5e5, Dtype::kBf16, Llama31()},
      {"llama2_without_theta", 32, 32, 128, 128, Style::kHalf, 1e4, Dtype::kFp16, {}},
      {"mistral", 32, 8, 128, 128, Style::kHalf, 1e4, Dtype::kBf16, {}},
      {"qwen2_5", 28, 4, 128, 128, Style::kHalf, 1e6, Dtype::kBf16, {}},
      {"qwen2_5_yarn", 28, 4, 128, 128, Style::kHalf, 1e6, Dtype::kBf16,
       Yarn(4.0, 32768, 0.1 * std::log(4.0) + 1.0)},
      {"qwen2_5_dynamic", 28, 4, 128, 128, Style::kHalf, 1e6, Dtype::kBf16, dynamic},
      {"qwen3", 32, 8, 128, 128, Style::kHalf, 1e6, Dtype::kBf16, {}},
      {"gemma2", 16, 8, 256, 256, Style::kHalf, 1e4, Dtype::kFp32, {}},
      {"phi2", 32, 32, 80, 32, Style::kHalf, 1e4, Dtype::kFp16, {}},
      {"gpt_neox", 64, 64, 96, 24, Style::kHalf, 1e4, Dtype::kFp16, {}},
      {"gptj", 16, 16, 256, 64, Style::kInterleaved, 1e4, std::nullopt, {}},
      {"deepseek_v3", 128, 1, 64, 64, Style::kInterleaved, 1e4, Dtype::kBf16,
       Yarn(40.0, 4096, 1.0)},
      {"gpt_oss", 64, 8, 64, 64, Style::kHalf, 150000.0, std::nullopt, gpt_oss},
      {"nested_text_config", 32, 8, 128, 128, Style::kHalf, 1e9, Dtype::kBf16, {}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const ModelConfig model = Model(c.name);
    EXPECT_EQ(model.q_heads, c.q_heads);
    EXPECT_EQ(model.kv_heads, c.kv_heads);
    EXPECT_EQ(model.head_dim, c.head_dim);
    EXPECT_EQ(model.rotary_dim, c.rotary_dim);
    EXPECT_EQ(model.style, c.style);
    EXPECT_EQ(model.theta, c.theta);
    EXPECT_EQ(model.dtype, c.dtype);
    EXPECT_EQ(model.scaling, c.scaling) << CanonicalText(model.scaling);
  }
}

TEST(ParseModelConfig, Phi3TakesItsAttentionFactorFromTheContexts) {
  const RopeScaling scaling = Model("phi3_longrope").scaling;
  EXPECT_EQ(scaling.kind, ScalingKind::kLongrope);
  EXPECT_EQ(scaling.original_max_position_embeddings, 4096);
  EXPECT_EQ(scaling.short_factor.size(), 48u);
  EXPECT_EQ(scaling.long_factor.size(), 48u);
  // What converted checkpoints of the model carry, in float32.
  EXPECT_NEAR(scaling.attention_factor, 1.190238118171692, 1e-7);
}

TEST(ParseModelConfig, OldAndNewSpellingsMeanTheSame) {
  const auto scaling = [](const std::string& keys) {
    return CanonicalText(ParseModelConfig(Config(keys), "c.json").scaling);
  };
  EXPECT_EQ(scaling("\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}"), "linear~2");
  EXPECT_EQ(scaling("\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0}"), "linear~2");
  EXPECT_EQ(scaling("\"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 2, "
                    "\"rope_theta\": 5, \"attention_factor\": null}"),
            "linear~2");
  EXPECT_EQ(scaling("\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 5}"),
            "none");
  const char* longrope =
      "\"max_position_embeddings\": 32, \"rope_scaling\": {\"short_factor\": [1, 1, 1, 1], "
      "\"long_factor\": [2, 2, 2, 2], ";
  for (const char* rest :
       {"\"type\": \"su\", \"original_max_position_embeddings\": 8}",
        "\"type\": \"su\", \"rope_type\": \"longrope\", \"original_max_position_embeddings\": 8}",
        "\"rope_type\": \"longrope\"}, \"original_max_position_embeddings\": 8",
        "\"type\": \"longrope\", \"factor\": 4.0, \"original_max_position_embeddings\": 8}"}) {
    EXPECT_EQ(scaling(std::string(longrope) + rest),
              "longrope~8~1.2909944487358056~1~1~1~1~2~2~2~2")
        << rest;
  }
  EXPECT_EQ(ParseModelConfig(Config("\"rope_parameters\": {\"rope_type\": \"default\", "
                                    "\"rope_theta\": 5, \"partial_rotary_factor\": 0.5}"),
                             "c.json")
                .rotary_dim,
            4);
}

TEST(ParseModelConfig, NamesWhatItDoesNotKnow) {
  const struct {
    std::string text;
    const char* position;
    const char* message;
  } cases[] = {
      {"", "1:1", "the document is empty"},
      {"[]", "1:1", "expected a map with the key model_type, got a list"},
      {"{}", "1:1", "the key model_type is missing"},
      {"{\"model_type\": 7}", "1:16", "model_type: expected a text, got '7'"},
      {"{\"model_type\": \"lama\"}", "1:16", "'lama' is not known; did you mean llama?"},
      {"{\"model_type\": \"bert\"}", "1:16", "write its axes into the sweep instead"},
      {"{\"model_type\": \"llama\"}", "1:1", "the key num_attention_heads is missing"},
      {"{\"model_type\": \"llama\", \"num_attention_heads\": 4}", "1:1", "hidden_size is missing"},
      {"{\"model_type\": \"llama\", \"num_attention_heads\": 4,\n\"hidden_size\": 9}", "2:16",
       "9 is no multiple of 4 heads, and there is no head_dim"},
      {"{\"model_type\": \"mistral\", \"num_attention_heads\": 4, \"head_dim\": 8}", "1:1",
       "num_key_value_heads is missing, which has no default for model_type mistral"},
      {"{\"model_type\": \"qwen3\", \"num_attention_heads\": 4, \"num_key_value_heads\": 4,\n"
       "\"hidden_size\": 8}",
       "1:1", "the key head_dim is missing"},
      {"{\"model_type\": \"llama\", \"num_attention_heads\": 4,\n\"n_head\": 4}", "2:1",
       "num_attention_heads and n_head both stand here"},
      {"{\"model_type\": \"llama\",\n\"num_attention_heads\": 4.0}", "2:24",
       "num_attention_heads: expected an integer in decimal, got '4.0'"},
      {"{\"model_type\": \"llama\",\n\"num_attention_heads\": \"4\"}", "2:24", "got the text '4'"},
      {"{\"model_type\": \"llama\",\n\"num_attention_heads\": 0}", "2:24", "is outside 1.."},
      {"{\"model_type\": \"llama\",\n\"num_attention_heads\": 1,\n\"num_attention_heads\": 1}",
       "3:1", "'num_attention_heads' stands twice"},
      {Config("\"rope_local_base_freq\": 1"), "2:1",
       "'rope_local_base_freq' may change the rotation and is not understood"},
      {Config("\"no_rope_layers\": [1]"), "2:1", "not understood"},
      {Config("\"alibi\": true"), "2:1", "not understood"},
      {Config("\"use_mrope\": true"), "2:14", "use_mrope: true is not supported"},
      {Config("\"rotary\": 1"), "2:11", "expected true or false"},
      {Config("\"qk_rope_head_dim\": 64"), "2:1", "is not understood for model_type llama"},
      {Config("\"rope_theta\": \"1e4\""), "2:15", "rope_theta: expected a number"},
      {Config("\"rope_theta\": -1"), "2:15", "is not a positive number"},
      {Config("\"x\": 1", "cohere"), "1:1", "the key rope_theta is missing"},
      {Config("\"x\": 1", "phi"), "1:1",
       "the share of a head that rotates is missing for model_type phi: partial_rotary_factor"},
      {Config("\"x\": 1", "gptj"), "1:1", "is missing for model_type gptj: rotary_dim"},
      {Config("\"partial_rotary_factor\": 0.5, \"rotary_pct\": 0.5"), "2:31",
       "partial_rotary_factor and rotary_pct both stand here"},
      {Config("\"rotary_dim\": 4, \"rotary_pct\": 0.5"), "2:1",
       "rotary_dim and rotary_pct both stand here"},
      {Config("\"rotary_pct\": 1.5"), "2:15", "rotary_pct: 1.5 is above 1"},
      {Config("\"torch_dtype\": \"float8_e4m3fn\""), "2:16", "expected one of float32, float16"},
      {Config("\"torch_dtype\": \"float16\", \"dtype\": \"float16\""), "2:27", "both stand here"},
      {Config("\"rope_scaling\": \"linear\""), "2:17", "rope_scaling: expected a map"},
      {Config("\"rope_scaling\": {}"), "2:17", "rope_scaling: the key rope_type is missing"},
      {Config("\"rope_scaling\": {\"type\": \"mrope\"}"), "2:26",
       "expected one of linear, dynamic"},
      {Config("\"rope_scaling\": {\"type\": \"yarn\", \"factor\": 2, \"mrope_section\": [1]}"),
       "2:47", "unknown key 'mrope_section' in scaling yarn"},
      {Config("\"rope_scaling\": {\"type\": \"default\", \"mrope_section\": [1]}"), "2:37",
       "unknown key 'mrope_section' in a default rope_scaling"},
      {Config("\"rope_scaling\": {\"type\": \"yarn\", \"factor\": 2}"), "2:17",
       "yarn needs the key original_max_position_embeddings"},
      {Config("\"rope_scaling\": {\"type\": \"yarn\", \"rope_type\": \"linear\"}"), "2:47",
       "type and rope_type contradict each other"},
      {Config("\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2},\n\"rope_parameters\": {}"),
       "3:1", "rope_scaling and rope_parameters both stand here"},
      {Config("\"rope_theta\": 1e4,\n\"rope_parameters\": {\"rope_type\": \"default\", "
              "\"rope_theta\": 1e6}"),
       "3:59", "rope_theta: '1e4' and '1e6' contradict each other"},
      {Config("\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}}"), "2:21",
       "a scaling for each type of layer is not supported, as 'full_attention'"},
      {Config("\"original_max_position_embeddings\": 8, \"max_position_embeddings\": 16,\n"
              "\"rope_scaling\": {\"type\": \"longrope\", \"factor\": 4, \"short_factor\": [1], "
              "\"long_factor\": [1]}"),
       "3:48", "4 is not max_position_embeddings over original_max_position_embeddings, 2"},
      {"{\"model_type\": \"llava\",\n\"text_config\": []}", "2:16", "text_config: expected a map"},
      {"{\"model_type\": \"llava\", \"text_config\": {\"model_type\": \"llama\", "
       "\"num_attention_heads\": 4, \"hidden_size\": 8},\n\"rope_theta\": 5}",
       "2:1", "'rope_theta' stands outside of text_config"},
  };
  for (const auto& c : cases) {
    const std::string error = ErrorOf(c.text);
    SCOPED_TRACE(c.text);
    EXPECT_THAT(error, StartsWith("c.json:" + std::string(c.position) + ": "));
    EXPECT_THAT(error, HasSubstr(c.message));
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

RopeWorkload Sole(const std::string& text) {
  const SuiteConfig config = ParseSuiteConfig(text, kModels + "../x.yaml");
  EXPECT_EQ(config.sweeps.size(), 1u);
  EXPECT_EQ(config.sweeps.at(0).workloads.size(), 1u);
  return config.sweeps[0].workloads.at(0);
}

TEST(ModelOfASweep, GivesTheAxesThatTheSweepDoesNot) {
  RopeWorkload expected;
  expected.q_heads = expected.kv_heads = 16;
  expected.head_dim = 256;
  expected.rotary_dim = 64;
  expected.style = Style::kInterleaved;
  EXPECT_EQ(Sole("sweeps: [{model: models/gptj.json}]"), expected);
  expected.kv_heads = 1;
  expected.seq = 7;
  expected.style = Style::kHalf;
  expected.dtype = expected.table_dtype = Dtype::kFp32;
  EXPECT_EQ(
      Sole("sweeps: [{model: models/gptj.json, kv_heads: 1, seq: 7, style: half, dtype: fp32}]"),
      expected);
  EXPECT_EQ(Sole("sweeps: [{model: models/llama3_1.json, scaling: none}]").scaling, RopeScaling{});
  EXPECT_EQ(Sole("sweeps: [{model: models/llama3.json, hidden: 8192}]").head_dim, 256);
}

TEST(ModelOfASweep, StandsAboveTheDefaultsAndBelowTheSweep) {
  EXPECT_EQ(Sole("defaults: {q_heads: 4, theta: 7}\nsweeps: [{model: models/llama3.json}]").q_heads,
            32);
  EXPECT_EQ(Sole("defaults: {model: models/llama3.json, q_heads: 4}\nsweeps: [{}]").q_heads, 4);
  const RopeWorkload workload =
      Sole("defaults: {model: models/llama3.json}\nsweeps: [{q_heads: 4}]");
  EXPECT_EQ(workload.q_heads, 4);
  EXPECT_EQ(workload.head_dim, 128);
  EXPECT_EQ(workload.theta, 5e5);
}

TEST(ModelOfASweep, NamesThePlaceOfAMistake) {
  const auto error_of = [](const std::string& text, const TextFileReader& read) -> std::string {
    try {
      ParseSuiteConfig(text, "dir/x.yaml", read);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  const auto gives = [](std::string text) { return [text](const std::string&) { return text; }; };
  const std::string sweep = "sweeps:\n  - model: m/c.json";
  EXPECT_THAT(error_of(sweep, ReadTextFile),
              StartsWith("dir/x.yaml:2:12: model: 'dir/m/c.json' cannot be read: No such file"));
  EXPECT_THAT(error_of(sweep, gives("{\n\"model_type\": 1}")),
              StartsWith("dir/m/c.json:2:15: model_type: "));
  // What a config says well and no rotation can be.
  EXPECT_THAT(error_of(sweep, gives("{\"model_type\": \"llama\", \"num_attention_heads\": 1, "
                                    "\"hidden_size\": 7}")),
              StartsWith("dir/x.yaml:2:12: head_dim: 7 is odd"));
}

}  // namespace
}  // namespace ropebench
