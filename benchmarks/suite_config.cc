#include "benchmarks/suite_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "benchmarks/model_config.h"
#include "benchmarks/nearest_name.h"
#include "benchmarks/node_reader.h"
#include "benchmarks/protocols.h"
#include "benchmarks/scaling_keys.h"

namespace ropebench {
namespace {

// The keys that span a sweep, outermost loop first.
enum Axis : std::size_t {
  kPass,
  kSeq,
  kHidden,
  kHeadDim,
  kQHeads,
  kKvHeads,
  kDtype,
  kBatch,
  kRotaryDim,
  kTableDtype,
  kStyle,
  kLayout,
  kPlacement,
  kTheta,
  kPositionOffset,
  kScaling,
  kAxisCount,
};

constexpr std::int64_t kMaxHidden = std::int64_t{1} << 40;
constexpr std::string_view kDtypeNames[] = {Info(Dtype::kFp32).name, Info(Dtype::kFp16).name,
                                            Info(Dtype::kBf16).name};
constexpr std::string_view kBackendNames[] = {"cuda", "vulkan", "cpu"};
constexpr std::string_view kDefaultProtocol = "cold";

enum class AxisType : std::uint8_t { kInteger, kReal, kWord, kScaling };

struct AxisInfo {
  std::string_view name;
  AxisType type;
  std::int64_t min = 0;  // of an integer
  std::int64_t max = 0;
  std::span<const std::string_view> words = {};  // an axis value is the index of its word
};

constexpr AxisInfo kAxes[kAxisCount] = {
    {"pass", AxisType::kWord, 0, 0, kPassNames},
    {"seq", AxisType::kInteger, 1, kMaxCount},
    {"hidden", AxisType::kInteger, 1, kMaxHidden},
    {"head_dim", AxisType::kInteger, 1, kMaxCount},
    {"q_heads", AxisType::kInteger, 1, kMaxCount},
    {"kv_heads", AxisType::kInteger, 1, kMaxCount},
    {"dtype", AxisType::kWord, 0, 0, kDtypeNames},
    {"batch", AxisType::kInteger, 1, kMaxCount},
    {"rotary_dim", AxisType::kInteger, 1, kMaxCount},
    {"table_dtype", AxisType::kWord, 0, 0, kDtypeNames},
    {"style", AxisType::kWord, 0, 0, kStyleNames},
    {"layout", AxisType::kWord, 0, 0, kLayoutNames},
    {"placement", AxisType::kWord, 0, 0, kPlacementNames},
    {"theta", AxisType::kReal},
    {"position_offset", AxisType::kInteger, 0, kMaxCount},
    {"scaling", AxisType::kScaling},
};

// A value on an axis and where it was written; line 0 for one that nobody wrote.
struct AxisValue {
  std::int64_t integer = 0;
  double real = 0.0;
  YamlPosition position;
  std::shared_ptr<const RopeScaling> scaling = nullptr;  // null: none

  bool Equals(const AxisValue& other) const {
    const bool same_scaling =
        scaling == other.scaling ||
        (scaling != nullptr && other.scaling != nullptr && *scaling == *other.scaling);
    return integer == other.integer && real == other.real && same_scaling;
  }
};

using AxisValues = std::vector<AxisValue>;

// Values by axis; an axis that is not there has none.
using Combination = std::array<std::optional<AxisValue>, kAxisCount>;

struct ExcludeRule {
  YamlPosition position;
  std::array<AxisValues, kAxisCount> axes;  // one of each that is not empty must match
  bool inherited = false;                   // from defaults, where it need not match in every sweep
};

// The keys of one sweep, or of the defaults.
struct SweepKeys {
  YamlPosition position;
  std::string name;
  std::array<AxisValues, kAxisCount> axes;
  std::optional<Identity> identity;
  YamlPosition identity_position;
  std::vector<std::string> protocols;
  std::vector<std::string> backends;
  std::vector<std::string> variants;
  std::vector<ExcludeRule> exclude;
};

// Null where the word none stands.
std::shared_ptr<const RopeScaling> ReadScalingAxis(const YamlNode& node) {
  static constexpr std::string_view kTypeKey[] = {"type"};
  if (node.is_scalar() && node.text == Name(ScalingKind::kNone)) return nullptr;
  if (node.kind != YamlNode::Kind::kMap) {
    Fail(node.position, "scaling: expected none or a map with the key type, got {}",
         Describe(node));
  }
  const YamlNode* type = Find(node, kTypeKey[0]);
  if (type == nullptr) Fail(node.position, "scaling: the key type is missing");
  const ScalingKind kind = KindOf(ReadWord(*type, "scaling.type", ScalingTypes()));
  return std::make_shared<const RopeScaling>(ReadScaling(node, kind, kTypeKey));
}

AxisValue ReadAxisValue(const YamlNode& node, const AxisInfo& axis) {
  AxisValue value;
  value.position = node.position;
  switch (axis.type) {
    case AxisType::kInteger:
      value.integer = ReadInteger(node, axis.name, axis.min, axis.max);
      break;
    case AxisType::kReal:
      value.real = ReadReal(node, axis.name);
      break;
    case AxisType::kWord:
      value.integer = static_cast<std::int64_t>(ReadWord(node, axis.name, axis.words));
      break;
    case AxisType::kScaling:
      value.scaling = ReadScalingAxis(node);
      break;
  }
  return value;
}

AxisValues ReadRange(const YamlNode& map, const AxisInfo& axis) {
  static constexpr std::string_view kRangeKeys[] = {"from", "to", "factor", "step"};
  if (axis.type != AxisType::kInteger) {
    Fail(map.position, "{}: takes a value or a list, no range", axis.name);
  }
  CheckKeys(map, kRangeKeys, "a range");
  const auto read = [&](std::string_view key, std::int64_t min) {
    const YamlNode* node = Find(map, key);
    if (node == nullptr) Fail(map.position, "{}: a range needs the key {}", axis.name, key);
    return ReadInteger(*node, fmt::format("{}.{}", axis.name, key), min, axis.max);
  };
  const YamlNode* factor_node = Find(map, "factor");
  const YamlNode* step_node = Find(map, "step");
  if ((factor_node == nullptr) == (step_node == nullptr)) {
    Fail(step_node == nullptr ? map.position : step_node->key_position,
         "{}: a range needs either factor or step", axis.name);
  }
  const bool multiplies = factor_node != nullptr;
  const std::int64_t from =
      read("from", multiplies ? std::max<std::int64_t>(axis.min, 1) : axis.min);
  const std::int64_t to = read("to", axis.min);
  const std::int64_t by = multiplies ? read("factor", 2) : read("step", 1);
  if (from > to) {
    Fail(Find(map, "to")->position, "{}: to {} is below from {}", axis.name, to, from);
  }

  AxisValues values;
  for (std::int64_t value = from; value <= to;) {
    if (values.size() == kMaxConfigCases) {
      Fail(map.position, "{}: the range has more than {} values", axis.name, kMaxConfigCases);
    }
    values.push_back({value, 0.0, map.position});
    if (multiplies ? __builtin_mul_overflow(value, by, &value)
                   : __builtin_add_overflow(value, by, &value)) {
      break;
    }
  }
  return values;
}

AxisValues ReadAxis(const YamlNode& node, const AxisInfo& axis) {
  if (node.kind == YamlNode::Kind::kMap && axis.type != AxisType::kScaling) {
    return ReadRange(node, axis);
  }
  AxisValues values;
  std::unordered_set<std::int64_t> integers;
  std::unordered_set<double> reals;
  std::unordered_set<std::string> scalings;
  const auto is_new = [&](const AxisValue& value) {
    switch (axis.type) {
      case AxisType::kReal:
        return reals.insert(value.real).second;
      case AxisType::kScaling:
        return scalings.insert(CanonicalText(value.scaling ? *value.scaling : RopeScaling{}))
            .second;
      case AxisType::kInteger:
      case AxisType::kWord:
        return integers.insert(value.integer).second;
    }
    __builtin_unreachable();
  };
  ForEachItem(node, axis.name, [&](const YamlNode& item) {
    const AxisValue value = ReadAxisValue(item, axis);
    if (!is_new(value)) Fail(item.position, "{}: {} stands twice", axis.name, Describe(item));
    values.push_back(value);
  });
  return values;
}

template <typename Read>
std::vector<std::string> ReadNames(const YamlNode& node, std::string_view key, Read&& read) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  ForEachItem(node, key, [&](const YamlNode& item) {
    names.push_back(read(item));
    if (!seen.insert(names.back()).second) {
      Fail(item.position, "{}: {} stands twice", key, Shown(item.text));
    }
  });
  return names;
}

std::vector<std::string> ReadKnownNames(const YamlNode& node, std::string_view key,
                                        std::span<const std::string_view> known) {
  return ReadNames(node, key, [&](const YamlNode& item) {
    return std::string(known[ReadWord(item, key, known)]);
  });
}

void ReadAxes(const YamlNode& map, std::array<AxisValues, kAxisCount>& axes) {
  for (std::size_t axis = 0; axis < kAxisCount; ++axis) {
    if (const YamlNode* node = Find(map, kAxes[axis].name)) {
      axes[axis] = ReadAxis(*node, kAxes[axis]);
    }
  }
}

std::vector<std::string_view> AxisNames() {
  std::vector<std::string_view> names;
  for (const AxisInfo& axis : kAxes) names.push_back(axis.name);
  return names;
}

std::vector<ExcludeRule> ReadExclude(const YamlNode& list) {
  if (list.kind != YamlNode::Kind::kList) {
    Fail(list.position, "exclude: expected a list of maps, got {}", Describe(list));
  }
  if (list.items.empty()) Fail(list.position, "exclude: the list is empty");
  static const std::vector<std::string_view> kNames = AxisNames();
  std::vector<ExcludeRule> rules;
  for (const YamlNode& item : list.items) {
    if (item.kind != YamlNode::Kind::kMap || item.items.empty()) {
      Fail(item.position, "exclude: expected a map with at least one key, got {}",
           item.kind == YamlNode::Kind::kMap ? "an empty one" : Describe(item));
    }
    CheckKeys(item, kNames, "exclude");
    ExcludeRule& rule = rules.emplace_back();
    rule.position = item.position;
    ReadAxes(item, rule.axes);
  }
  return rules;
}

// Fills the axes that the map does not give itself.
void AddModel(const ModelConfig& model, YamlPosition position,
              std::array<AxisValues, kAxisCount>& axes) {
  const auto fill = [&](Axis axis, std::int64_t integer, double real = 0.0,
                        std::shared_ptr<const RopeScaling> scaling = nullptr) {
    if (axes[axis].empty()) axes[axis] = {{integer, real, position, std::move(scaling)}};
  };
  if (axes[kHidden].empty()) fill(kHeadDim, model.head_dim);
  fill(kQHeads, model.q_heads);
  fill(kKvHeads, model.kv_heads);
  fill(kRotaryDim, model.rotary_dim);
  fill(kStyle, static_cast<std::int64_t>(model.style));
  fill(kTheta, 0, model.theta);
  if (model.dtype) fill(kDtype, static_cast<std::int64_t>(*model.dtype));
  fill(kScaling, 0, 0.0,
       model.scaling.kind == ScalingKind::kNone
           ? nullptr
           : std::make_shared<const RopeScaling>(model.scaling));
}

// The model of a sweep of the document `name`, whose folder its path begins at.
ModelConfig ReadModel(const YamlNode& node, const std::string& name, const TextFileReader& read) {
  const auto breaks_a_line = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (!node.is_scalar() || node.text.empty() ||
      std::any_of(node.text.begin(), node.text.end(), breaks_a_line)) {
    Fail(node.position, "model: expected the path of a config.json, got {}", Describe(node));
  }
  const std::string path = (std::filesystem::path(name).parent_path() / node.text).string();
  std::string text;
  try {
    text = read(path);
  } catch (const TextFileError& error) {
    Fail(node.position, "model: {} cannot be read: {}", Shown(path), error.what());
  }
  return ParseModelConfig(text, path);
}

// Reads a sweep; or the defaults, which have every key but a name.
SweepKeys ReadSweepKeys(const YamlNode& map, std::string_view where, bool named,
                        const std::string& document, const TextFileReader& read) {
  if (map.kind != YamlNode::Kind::kMap) {
    Fail(map.position, "{}: expected a map, got {}", where, Describe(map));
  }
  std::vector<std::string_view> known = AxisNames();
  if (named) known.push_back("name");
  known.insert(known.end(), {"model", "identity", "protocol", "backends", "variants", "exclude"});
  CheckKeys(map, known, where);

  SweepKeys keys;
  keys.position = map.position;
  ReadAxes(map, keys.axes);
  if (const YamlNode* hidden = Find(map, "hidden")) {
    if (const YamlNode* head_dim = Find(map, "head_dim")) {
      const YamlNode* second = hidden < head_dim ? head_dim : hidden;
      Fail(second->key_position, "{}: give either hidden or head_dim", second->key);
    }
  }
  if (const YamlNode* node = Find(map, "model")) {
    AddModel(ReadModel(*node, document, read), node->position, keys.axes);
  }
  if (const YamlNode* node = Find(map, "name")) keys.name = ReadToken(*node, "name");
  if (const YamlNode* node = Find(map, "identity")) {
    keys.identity = static_cast<Identity>(ReadWord(*node, "identity", kIdentityNames));
    keys.identity_position = node->position;
  }
  if (const YamlNode* node = Find(map, "protocol")) {
    keys.protocols = ReadKnownNames(*node, "protocol", ProtocolNames());
  }
  if (const YamlNode* node = Find(map, "backends")) {
    keys.backends = ReadKnownNames(*node, "backends", kBackendNames);
  }
  if (const YamlNode* node = Find(map, "variants")) {
    keys.variants = ReadNames(*node, "variants",
                              [](const YamlNode& item) { return ReadToken(item, "variants"); });
  }
  if (const YamlNode* node = Find(map, "exclude")) keys.exclude = ReadExclude(*node);
  return keys;
}

void Inherit(SweepKeys& keys, const SweepKeys& defaults) {
  // Either of the two replaces both.
  const bool has_head = !keys.axes[kHidden].empty() || !keys.axes[kHeadDim].empty();
  for (std::size_t axis = 0; axis < kAxisCount; ++axis) {
    if (has_head && (axis == kHidden || axis == kHeadDim)) continue;
    if (keys.axes[axis].empty()) keys.axes[axis] = defaults.axes[axis];
  }
  if (!keys.identity) {
    keys.identity = defaults.identity;
    keys.identity_position = defaults.identity_position;
  }
  if (keys.protocols.empty()) keys.protocols = defaults.protocols;
  if (keys.backends.empty()) keys.backends = defaults.backends;
  if (keys.variants.empty()) keys.variants = defaults.variants;
  if (keys.exclude.empty()) {
    keys.exclude = defaults.exclude;
    for (ExcludeRule& rule : keys.exclude) rule.inherited = true;
  }
}

// What an axis has where nobody gives it a value; the others follow from these.
void FillDefaults(std::array<AxisValues, kAxisCount>& axes) {
  const RopeWorkload reference;
  const auto fill = [&](Axis axis, std::int64_t integer, double real = 0.0) {
    if (axes[axis].empty()) axes[axis] = {{integer, real, {}}};
  };
  const auto index = [](auto value) { return static_cast<std::int64_t>(value); };
  fill(kPass, index(reference.pass));
  fill(kSeq, reference.seq);
  if (axes[kHeadDim].empty()) fill(kHidden, reference.hidden());
  fill(kQHeads, reference.q_heads);
  fill(kKvHeads, reference.kv_heads);
  fill(kDtype, index(reference.dtype));
  fill(kBatch, reference.batch);
  fill(kStyle, index(reference.style));
  fill(kLayout, index(reference.layout));
  fill(kPlacement, index(reference.placement));
  fill(kTheta, 0, reference.theta);
  fill(kPositionOffset, reference.position_offset);
  fill(kScaling, 0);
}

// Adds the values that follow from others: head_dim or hidden, rotary_dim and table_dtype. A
// head_dim that is no integer stays absent. Each stands where the value stands that it follows
// from.
void Derive(Combination& values) {
  const AxisValue& q_heads = *values[kQHeads];
  if (!values[kHeadDim] && values[kHidden]->integer % q_heads.integer == 0) {
    const bool written = values[kHidden]->position.line != 0;
    values[kHeadDim] = {values[kHidden]->integer / q_heads.integer, 0.0,
                        written ? values[kHidden]->position : q_heads.position};
  } else if (!values[kHidden]) {
    values[kHidden] = {values[kHeadDim]->integer * q_heads.integer, 0.0,
                       values[kHeadDim]->position};
  }
  if (!values[kRotaryDim]) values[kRotaryDim] = values[kHeadDim];
  if (!values[kTableDtype]) values[kTableDtype] = values[kDtype];
}

bool Matches(const ExcludeRule& rule, const Combination& values) {
  for (std::size_t axis = 0; axis < kAxisCount; ++axis) {
    const AxisValues& wanted = rule.axes[axis];
    if (wanted.empty()) continue;
    const std::optional<AxisValue>& value = values[axis];
    const bool matches = value && std::any_of(wanted.begin(), wanted.end(),
                                              [&](const AxisValue& w) { return w.Equals(*value); });
    if (!matches) return false;
  }
  return true;
}

YamlPosition PositionOr(YamlPosition position, YamlPosition fallback) {
  return position.line != 0 ? position : fallback;
}

RopeWorkload ToWorkload(const Combination& values, bool head_dim_given, YamlPosition sweep) {
  const auto integer = [&](Axis axis) { return values[axis]->integer; };
  if (!values[kHeadDim]) {
    Fail(PositionOr(PositionOr(values[kHidden]->position, values[kQHeads]->position), sweep),
         "hidden: {} is no multiple of q_heads {}", integer(kHidden), integer(kQHeads));
  }
  RopeWorkload workload;
  workload.pass = static_cast<Pass>(integer(kPass));
  workload.batch = integer(kBatch);
  workload.seq = integer(kSeq);
  workload.q_heads = integer(kQHeads);
  workload.kv_heads = integer(kKvHeads);
  workload.head_dim = integer(kHeadDim);
  workload.rotary_dim = integer(kRotaryDim);
  workload.dtype = static_cast<Dtype>(integer(kDtype));
  workload.table_dtype = static_cast<Dtype>(integer(kTableDtype));
  workload.style = static_cast<Style>(integer(kStyle));
  workload.layout = static_cast<Layout>(integer(kLayout));
  workload.placement = static_cast<Placement>(integer(kPlacement));
  workload.theta = values[kTheta]->real;
  workload.position_offset = integer(kPositionOffset);
  if (values[kScaling]->scaling != nullptr) workload.scaling = *values[kScaling]->scaling;
  const std::optional<WorkloadError> error = Validate(workload);
  if (!error) return workload;

  for (std::size_t axis = 0; axis < kAxisCount; ++axis) {
    // A parameter of the scaling stands at the scaling.
    if (kAxes[axis].name != error->field.substr(0, error->field.find('.'))) continue;
    const YamlPosition position = PositionOr(values[axis]->position, sweep);
    if (axis == kHeadDim && !head_dim_given) {
      Fail(position, "hidden: {} over {} q_heads gives head_dim {}", integer(kHidden),
           integer(kQHeads), error->rule);
    }
    Fail(position, "{}: {}", error->field, error->rule);
  }
  Fail(sweep, "{}: {}", error->field, error->rule);
}

// `cases_left` is what the file may still ask for.
SweepConfig BuildSweep(SweepKeys keys, std::size_t& cases_left) {
  const bool head_dim_given = !keys.axes[kHeadDim].empty();
  FillDefaults(keys.axes);
  std::size_t count = std::max<std::size_t>(1, keys.protocols.size());
  for (const AxisValues& values : keys.axes) {
    // No overflow: each factor is below 2^20, and so is the count before it.
    count *= std::max<std::size_t>(1, values.size());
    if (count > cases_left) {
      Fail(keys.position, "sweeps: more than {} cases in one file, before exclude",
           kMaxConfigCases);
    }
  }
  cases_left -= count;

  SweepConfig sweep;
  sweep.name = keys.name;
  sweep.identity = keys.identity.value_or(Identity::kStrict);
  sweep.protocols = std::move(keys.protocols);
  sweep.backends = std::move(keys.backends);
  sweep.variants = std::move(keys.variants);

  std::vector<bool> rule_used(keys.exclude.size(), false);
  std::array<std::size_t, kAxisCount> index = {};
  const auto advance = [&] {
    for (std::size_t axis = kAxisCount; axis-- > 0;) {
      if (++index[axis] < keys.axes[axis].size()) return true;
      index[axis] = 0;
    }
    return false;
  };
  do {
    Combination values;
    for (std::size_t axis = 0; axis < kAxisCount; ++axis) {
      if (!keys.axes[axis].empty()) values[axis] = keys.axes[axis][index[axis]];
    }
    Derive(values);
    bool excluded = false;
    for (std::size_t i = 0; i < keys.exclude.size(); ++i) {
      if (!Matches(keys.exclude[i], values)) continue;
      excluded = rule_used[i] = true;
    }
    if (excluded) continue;
    const RopeWorkload workload = ToWorkload(values, head_dim_given, keys.position);
    if (sweep.identity == Identity::kLiger) {
      const std::optional<std::string> why = WhyNotLiger(workload);
      if (why) Fail(keys.identity_position, "identity: {}", *why);
    }
    sweep.workloads.push_back(workload);
  } while (advance());

  for (std::size_t i = 0; i < keys.exclude.size(); ++i) {
    const ExcludeRule& rule = keys.exclude[i];
    if (!rule_used[i] && !rule.inherited) Fail(rule.position, "exclude: the rule excludes nothing");
  }
  if (sweep.workloads.empty()) Fail(keys.position, "exclude: leaves no case of this sweep");
  return sweep;
}

SuiteConfig BuildSuite(const YamlNode& root, const std::string& name, const TextFileReader& read) {
  static constexpr std::string_view kTopKeys[] = {"defaults", "sweeps"};
  if (root.kind == YamlNode::Kind::kNull) Fail({1, 1}, "the document is empty");
  if (root.kind != YamlNode::Kind::kMap) {
    Fail(root.position, "expected a map with the key sweeps, got {}", Describe(root));
  }
  CheckKeys(root, kTopKeys, "a config");
  SweepKeys defaults;
  if (const YamlNode* node = Find(root, "defaults")) {
    defaults = ReadSweepKeys(*node, "defaults", false, name, read);
  }
  const YamlNode* sweeps = Find(root, "sweeps");
  if (sweeps == nullptr) Fail(root.position, "the key sweeps is missing");
  if (sweeps->kind != YamlNode::Kind::kList) {
    Fail(sweeps->position, "sweeps: expected a list of maps, got {}", Describe(*sweeps));
  }
  if (sweeps->items.empty()) Fail(sweeps->position, "sweeps: the list is empty");

  SuiteConfig config;
  config.path = name;
  std::unordered_set<std::string> names;
  std::size_t cases_left = kMaxConfigCases;
  for (const YamlNode& item : sweeps->items) {
    SweepKeys keys = ReadSweepKeys(item, "a sweep", true, name, read);
    if (keys.name.empty()) keys.name = fmt::format("sweep{}", config.sweeps.size() + 1);
    if (!names.insert(keys.name).second) {
      const YamlNode* node = Find(item, "name");
      Fail(node == nullptr ? item.position : node->position, "name: {} stands twice",
           Shown(keys.name));
    }
    Inherit(keys, defaults);
    config.sweeps.push_back(BuildSweep(std::move(keys), cases_left));
    config.sweeps.back().where =
        fmt::format("{}:{}:{}", name, item.position.line, item.position.column);
  }
  return config;
}

// An empty `allowed` allows everything.
bool Allows(const std::vector<std::string>& allowed, const std::string& name) {
  return allowed.empty() || std::find(allowed.begin(), allowed.end(), name) != allowed.end();
}

// Names in a sweep that no chosen device knows would otherwise vanish without a word.
void ReportUnusedNames(const SweepConfig& sweep, const std::vector<DeviceChoice>& devices,
                       std::vector<SkippedCase>& skipped) {
  std::vector<std::string> known;
  bool has_device = false;
  for (const DeviceChoice& device : devices) {
    if (!Allows(sweep.backends, device.backend)) continue;
    has_device = true;
    known.insert(known.end(), device.variants.begin(), device.variants.end());
  }
  const std::string what = fmt::format("{}: {}", sweep.where, sweep.name);
  if (!has_device) {
    skipped.push_back({what, fmt::format("is for {} only", fmt::join(sweep.backends, ", "))});
    return;
  }
  for (const std::string& variant : sweep.variants) {
    if (variant == kAutoVariant || (Allows(known, variant) && !known.empty())) continue;
    skipped.push_back({what, fmt::format("no chosen device has a variant {}{}", variant,
                                         DidYouMean(variant, known))});
  }
}

}  // namespace

SuiteConfig ParseSuiteConfig(std::string_view text, const std::string& name,
                             const TextFileReader& read) {
  try {
    return BuildSuite(ReadYaml(text), name, read);
  } catch (const YamlError& error) {
    throw ConfigError(name, error);
  }
}

SuiteConfig LoadSuiteConfig(const std::string& path) {
  std::string text;
  try {
    text = ReadTextFile(path);
  } catch (const TextFileError& error) {
    throw ConfigError(path, YamlError({1, 1}, fmt::format("cannot be read: {}", error.what())));
  }
  return ParseSuiteConfig(text, path);
}

CaseExpansion ExpandCases(std::span<const SuiteConfig> configs, const CaseRequest& request) {
  CaseExpansion expansion;
  std::unordered_set<std::string> ids;
  const auto add = [&](const BenchCase& bench_case, const std::string* why_not) {
    std::string id = CaseId(bench_case);
    if (!ids.insert(id).second) return;
    if (why_not != nullptr) {
      expansion.skipped.push_back({std::move(id), *why_not});
    } else {
      expansion.cases.push_back(bench_case);
    }
  };
  const std::vector<std::string> default_protocols = {std::string(kDefaultProtocol)};
  for (const SuiteConfig& config : configs) {
    for (const SweepConfig& sweep : config.sweeps) {
      ReportUnusedNames(sweep, request.devices, expansion.skipped);
      const std::vector<std::string>& protocols = !request.protocols.empty() ? request.protocols
                                                  : !sweep.protocols.empty() ? sweep.protocols
                                                                             : default_protocols;
      for (const RopeWorkload& workload : sweep.workloads) {
        for (const std::string& protocol : protocols) {
          for (const DeviceChoice& device : request.devices) {
            if (!Allows(sweep.backends, device.backend)) continue;
            BenchCase bench_case;
            bench_case.workload = workload;
            bench_case.backend = device.backend;
            bench_case.device = device.device;
            bench_case.identity = sweep.identity;
            bench_case.protocol.name = protocol;  // for the id of a case that has no protocol
            const auto resolved = ResolveProtocol(protocol, device.backend, workload.pass);
            if (const auto* found = std::get_if<Protocol>(&resolved)) bench_case.protocol = *found;
            const auto allows = [&](const std::vector<std::string>& names,
                                    const std::string& variant) {
              if (Allows(names, variant)) return true;
              return Allows(names, std::string(kAutoVariant)) &&
                     variant == device.auto_variant(workload);
            };
            for (const std::string& variant : device.variants) {
              if (!allows(request.variants, variant) || !allows(sweep.variants, variant)) continue;
              bench_case.variant = variant;
              add(bench_case, std::get_if<std::string>(&resolved));
            }
          }
        }
      }
    }
  }
  return expansion;
}

}  // namespace ropebench
