#include "benchmarks/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "benchmarks/config_error.h"
#include "benchmarks/json_reader.h"
#include "benchmarks/nearest_name.h"
#include "benchmarks/node_reader.h"
#include "benchmarks/scaling_keys.h"

namespace ropebench {
namespace {

// What transformers' configuration class of a type takes where the config leaves a key out.
enum Defaults : unsigned {
  kNoDefaults = 0,
  kKvIsQ = 1,       // num_key_value_heads: as many as heads of q
  kHeadFits = 2,    // head_dim: hidden_size / num_attention_heads
  kFullRotary = 4,  // rotary share: all of a head
  kPlain = kKvIsQ | kHeadFits | kFullRotary,
};

struct ModelType {
  std::string_view name;
  Style style;
  unsigned defaults;
  double theta;  // where the config gives none; 0: it must
};

// Style: which pairs the model's own code rotates.
constexpr ModelType kModelTypes[] = {
    {"codegen", Style::kInterleaved, kKvIsQ | kHeadFits, 10000.0},
    {"cohere", Style::kInterleaved, kPlain, 0.0},
    {"deepseek_v2", Style::kInterleaved, kNoDefaults, 10000.0},
    {"deepseek_v3", Style::kInterleaved, kNoDefaults, 10000.0},
    {"gemma", Style::kHalf, kFullRotary, 10000.0},
    {"gemma2", Style::kHalf, kFullRotary, 10000.0},
    {"glm", Style::kInterleaved, kNoDefaults, 10000.0},
    {"glm4", Style::kInterleaved, kNoDefaults, 10000.0},
    {"gpt_neox", Style::kHalf, kKvIsQ | kHeadFits, 10000.0},
    {"gpt_oss", Style::kHalf, kFullRotary, 0.0},
    {"gptj", Style::kInterleaved, kKvIsQ | kHeadFits, 10000.0},
    {"granite", Style::kHalf, kPlain, 10000.0},
    {"llama", Style::kHalf, kPlain, 10000.0},
    {"mistral", Style::kHalf, kHeadFits | kFullRotary, 10000.0},
    {"mixtral", Style::kHalf, kHeadFits | kFullRotary, 0.0},
    {"olmo", Style::kHalf, kPlain, 10000.0},
    {"olmo2", Style::kHalf, kPlain, 10000.0},
    {"phi", Style::kHalf, kKvIsQ | kHeadFits, 10000.0},
    {"phi3", Style::kHalf, kPlain, 10000.0},
    {"qwen2", Style::kHalf, kHeadFits | kFullRotary, 10000.0},
    {"qwen2_moe", Style::kHalf, kHeadFits | kFullRotary, 10000.0},
    {"qwen3", Style::kHalf, kFullRotary, 10000.0},
    {"qwen3_moe", Style::kHalf, kFullRotary, 10000.0},
    {"stablelm", Style::kHalf, kHeadFits, 10000.0},
    {"starcoder2", Style::kHalf, kHeadFits | kFullRotary, 10000.0},
};

// Every key that is read. Each list holds the spellings of one thing.
constexpr std::string_view kHeads[] = {"num_attention_heads", "n_head"};
constexpr std::string_view kHidden[] = {"hidden_size", "n_embd"};
constexpr std::string_view kKvHeads[] = {"num_key_value_heads"};
constexpr std::string_view kHeadDim[] = {"head_dim"};
constexpr std::string_view kRopeHeadDim[] = {"qk_rope_head_dim"};
constexpr std::string_view kShare[] = {"partial_rotary_factor", "rotary_pct"};
constexpr std::string_view kRotaryDim[] = {"rotary_dim"};
constexpr std::string_view kTheta[] = {"rope_theta", "rotary_emb_base"};
constexpr std::string_view kScalings[] = {"rope_scaling", "rope_parameters"};
constexpr std::string_view kContext[] = {"max_position_embeddings", "n_positions"};
constexpr std::string_view kTrainedContext[] = {"original_max_position_embeddings"};
constexpr std::string_view kInterleave[] = {"rope_interleave"};
constexpr std::string_view kDtype[] = {"torch_dtype", "dtype"};
constexpr std::string_view kRotationKeys[] = {
    "qk_rope_head_dim", "qk_nope_head_dim", "partial_rotary_factor", "rotary_pct",
    "rotary_dim",       "rope_theta",       "rotary_emb_base",       "rope_scaling",
    "rope_parameters",  "rope_interleave",
};

// Keys of which one value alone is understood.
struct Switch {
  std::string_view key;
  bool value;
};
constexpr Switch kSwitches[] = {{"rotary", true}, {"use_mrope", false}};

bool ConcernsRotation(std::string_view key) {
  static constexpr std::string_view kMarks[] = {"rope", "rotary", "ntk", "yarn", "alibi"};
  return std::any_of(std::begin(kMarks), std::end(kMarks), [&](std::string_view mark) {
    return key.find(mark) != std::string_view::npos;
  });
}

bool Knows(std::span<const std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// The one of several spellings that a map has, a null being none. Two are one too many.
const YamlNode* FindOne(const YamlNode& map, std::span<const std::string_view> spellings) {
  const YamlNode* found = nullptr;
  for (const std::string_view spelling : spellings) {
    const YamlNode* node = Find(map, spelling);
    if (node == nullptr || node->kind == YamlNode::Kind::kNull) continue;
    if (found != nullptr)
      Fail(node->key_position, "{} and {} both stand here", found->key, spelling);
    found = node;
  }
  return found;
}

class ModelReader {
 public:
  // `config` is the whole document, `text` the part of it that describes the language model.
  ModelReader(const YamlNode& config, const YamlNode& text)
      : config_(config), map_(text), type_(ReadType()) {}

  ModelConfig Read() const {
    RefuseUnknownKeys();
    ModelConfig model;
    model.style = ReadStyle();
    model.dtype = ReadDtype();
    model.q_heads = Count(Require(kHeads));
    if (IsDeepSeek()) {
      model.kv_heads = 1;
      model.head_dim = model.rotary_dim = Count(Require(kRopeHeadDim));
    } else {
      model.kv_heads = ReadKvHeads(model.q_heads);
      model.head_dim = ReadHeadDim(model.q_heads);
      model.rotary_dim = ReadRotaryDim(model.head_dim);
    }
    model.theta = ReadTheta();
    model.scaling = ReadModelScaling();
    return model;
  }

 private:
  const ModelType& ReadType() const {
    std::vector<std::string_view> names;
    for (const ModelType& type : kModelTypes) names.push_back(type.name);
    const YamlNode* node = Find(map_, "model_type");
    if (node == nullptr) Fail(map_.position, "the key model_type is missing");
    if (node->kind != YamlNode::Kind::kQuoted) {
      Fail(node->position, "model_type: expected a text, got {}", Describe(*node));
    }
    const auto found = std::find(names.begin(), names.end(), node->text);
    if (found == names.end()) {
      Fail(node->position, "model_type: {} is not known{}; write its axes into the sweep instead",
           Shown(node->text), DidYouMean(node->text, names));
    }
    return kModelTypes[found - names.begin()];
  }

  bool IsDeepSeek() const { return type_.name.starts_with("deepseek"); }
  bool Has(Defaults what) const { return (type_.defaults & what) != 0; }

  void RefuseUnknownKeys() const {
    const auto refuse = [&](const YamlNode& item, std::string_view why) {
      Fail(item.key_position, "{} {}", Shown(item.key), why);
    };
    for (const YamlNode& item : map_.items) {
      if (!ConcernsRotation(item.key) || item.kind == YamlNode::Kind::kNull) continue;
      if (IsSwitch(item)) continue;
      if (!Knows(kRotationKeys, item.key)) {
        refuse(item, "may change the rotation and is not understood");
      }
      // Two dimensions of a head are DeepSeek's alone.
      if (item.key.starts_with("qk_") && !IsDeepSeek()) {
        refuse(item, fmt::format("is not understood for model_type {}", type_.name));
      }
    }
    if (&map_ == &config_) return;
    for (const YamlNode& item : config_.items) {
      if (!ConcernsRotation(item.key) || item.kind == YamlNode::Kind::kNull) continue;
      refuse(item, "stands outside of text_config, which is what is read");
    }
  }

  static bool IsSwitch(const YamlNode& item) {
    for (const Switch& known : kSwitches) {
      if (item.key != known.key) continue;
      if (ReadBool(item, item.key) == known.value) return true;
      Fail(item.position, "{}: {} is not supported", item.key, item.text);
    }
    return false;
  }

  const YamlNode& Require(std::span<const std::string_view> spellings) const {
    const YamlNode* node = FindOne(map_, spellings);
    if (node == nullptr) {
      Fail(map_.position, "the key {} is missing, which has no default for model_type {}",
           spellings.front(), type_.name);
    }
    return *node;
  }

  static std::int64_t Count(const YamlNode& node) {
    return ReadInteger(node, node.key, 1, kMaxCount);
  }

  Style ReadStyle() const {
    const YamlNode* node = FindOne(map_, kInterleave);
    if (node == nullptr) return type_.style;
    return ReadBool(*node, node->key) ? Style::kInterleaved : Style::kHalf;
  }

  // Often at the top of a config whose language model has a part of its own.
  std::optional<Dtype> ReadDtype() const {
    static constexpr std::string_view kNames[] = {"float32", "float16", "bfloat16"};
    static constexpr Dtype kDtypesOfNames[] = {Dtype::kFp32, Dtype::kFp16, Dtype::kBf16};
    const YamlNode* node = FindOne(map_, kDtype);
    if (node == nullptr) node = FindOne(config_, kDtype);
    if (node == nullptr) return std::nullopt;
    return kDtypesOfNames[ReadWord(*node, node->key, kNames)];
  }

  std::int64_t ReadKvHeads(std::int64_t q_heads) const {
    if (FindOne(map_, kKvHeads) == nullptr && Has(kKvIsQ)) return q_heads;
    return Count(Require(kKvHeads));
  }

  std::int64_t ReadHeadDim(std::int64_t q_heads) const {
    if (FindOne(map_, kHeadDim) != nullptr || !Has(kHeadFits)) return Count(Require(kHeadDim));
    const YamlNode& hidden = Require(kHidden);
    const std::int64_t size = Count(hidden);
    if (size % q_heads != 0) {
      Fail(hidden.position, "{}: {} is no multiple of {} heads, and there is no head_dim",
           hidden.key, size, q_heads);
    }
    return size / q_heads;
  }

  std::int64_t ReadRotaryDim(std::int64_t head_dim) const {
    const YamlNode* dim = FindOne(map_, kRotaryDim);
    const YamlNode* share = FindShare();
    if (dim != nullptr) {
      if (share != nullptr)
        Fail(dim->key_position, "rotary_dim and {} both stand here", share->key);
      return Count(*dim);
    }
    if (share == nullptr) {
      if (Has(kFullRotary)) return head_dim;
      Fail(map_.position, "the share of a head that rotates is missing for model_type {}: {}",
           type_.name, type_.name == "gptj" || type_.name == "codegen" ? "rotary_dim" : kShare[0]);
    }
    const double value = ReadReal(*share, share->key);
    if (value > 1.0) Fail(share->position, "{}: {} is above 1", share->key, value);
    return static_cast<std::int64_t>(static_cast<double>(head_dim) * value);  // as published
  }

  // New configs have the share and theta inside of rope_parameters.
  const YamlNode* FindShare() const { return FindHereOrInside(kShare); }

  const YamlNode* FindHereOrInside(std::span<const std::string_view> spellings) const {
    const YamlNode* here = FindOne(map_, spellings);
    const YamlNode* scaling = FindScaling();
    const YamlNode* inside = scaling == nullptr ? nullptr : FindOne(*scaling, spellings);
    if (here != nullptr && inside != nullptr && here->text != inside->text) {
      Fail(inside->position, "{}: {} and {} contradict each other", inside->key, Shown(here->text),
           Shown(inside->text));
    }
    return inside != nullptr ? inside : here;
  }

  double ReadTheta() const {
    const YamlNode* node = FindHereOrInside(kTheta);
    if (node == nullptr && type_.theta > 0.0) return type_.theta;
    return node != nullptr ? ReadReal(*node, node->key) : ReadReal(Require(kTheta), kTheta[0]);
  }

  const YamlNode* FindScaling() const {
    const YamlNode* node = FindOne(map_, kScalings);
    if (node == nullptr) return nullptr;
    if (node->kind != YamlNode::Kind::kMap) {
      Fail(node->position, "{}: expected a map, got {}", node->key, Describe(*node));
    }
    for (const YamlNode& item : node->items) {
      if (item.kind != YamlNode::Kind::kMap) continue;
      Fail(item.key_position, "{}: a scaling for each type of layer is not supported, as {}",
           node->key, Shown(item.key));
    }
    return node;
  }

  RopeScaling ReadModelScaling() const {
    static constexpr std::string_view kOtherKeys[] = {"type", "rope_type", "rope_theta",
                                                      "partial_rotary_factor"};
    static constexpr std::string_view kDefault = "default";
    const YamlNode* scaling = FindScaling();
    if (scaling == nullptr) return {};
    std::vector<std::string_view> types(ScalingTypes().begin(), ScalingTypes().end());
    types.push_back(kDefault);
    std::optional<ScalingKind> kind;
    for (const std::string_view key : {kOtherKeys[0], kOtherKeys[1]}) {
      const YamlNode* node = Find(*scaling, key);
      if (node == nullptr || node->kind == YamlNode::Kind::kNull) continue;
      const std::size_t type = ReadWord(*node, fmt::format("{}.{}", scaling->key, key), types);
      const ScalingKind read = types[type] == kDefault ? ScalingKind::kNone : KindOf(type);
      if (kind && *kind != read) {
        Fail(node->position, "{}: type and rope_type contradict each other", scaling->key);
      }
      kind = read;
    }
    if (!kind) Fail(scaling->position, "{}: the key rope_type is missing", scaling->key);
    if (*kind == ScalingKind::kNone) {
      CheckKeys(*scaling, kOtherKeys, "a default " + scaling->key);
      return {};
    }
    YamlNode written = *scaling;  // a null is how JSON leaves a key out
    std::erase_if(written.items,
                  [](const YamlNode& item) { return item.kind == YamlNode::Kind::kNull; });
    return ReadScaling(written, *kind, kOtherKeys, Fallbacks(*kind));
  }

  ScalingFallbacks Fallbacks(ScalingKind kind) const {
    const auto count = [](const YamlNode* node) {
      return node == nullptr ? std::nullopt : std::optional(Count(*node));
    };
    const std::optional<std::int64_t> context = count(FindOne(map_, kContext));
    const std::optional<std::int64_t> trained = count(FindHereOrInside(kTrainedContext));
    ScalingFallbacks fallbacks;
    fallbacks.original_max_position_embeddings = trained;
    const bool takes_context = kind == ScalingKind::kDynamic || kind == ScalingKind::kYarn;
    if (!trained && takes_context) fallbacks.original_max_position_embeddings = context;
    if (trained && context) {
      fallbacks.longrope_factor = static_cast<double>(*context) / static_cast<double>(*trained);
    }
    return fallbacks;
  }

  const YamlNode& config_;
  const YamlNode& map_;
  const ModelType& type_;
};

ModelConfig BuildModel(const YamlNode& root) {
  if (root.kind != YamlNode::Kind::kMap) {
    Fail(root.position, "expected a map with the key model_type, got {}", Describe(root));
  }
  static constexpr std::string_view kTextConfig[] = {"text_config"};
  const YamlNode* text = FindOne(root, kTextConfig);
  if (text != nullptr && text->kind != YamlNode::Kind::kMap) {
    Fail(text->position, "text_config: expected a map, got {}", Describe(*text));
  }
  return ModelReader(root, text == nullptr ? root : *text).Read();
}

}  // namespace

ModelConfig ParseModelConfig(std::string_view text, const std::string& path) {
  try {
    return BuildModel(ReadJson(text));
  } catch (const YamlError& error) {
    throw ConfigError(path, error);
  }
}

}  // namespace ropebench
