#include "evidence/identity.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/correctness_policy.h"
#include "kernels/input_data.h"
#include "manifests/kinds.h"
#include "manifests/names.h"

namespace ropebench {
namespace {

constexpr std::string_view kTitle = "Rotary position embedding";

// Tensors that a step rotates; each output is named after its input.
struct StepTensors {
  const char* q;
  const char* k;
};
StepTensors TensorsOf(Pass step) {
  return step == Pass::kBackward ? StepTensors{"dq", "dk"} : StepTensors{"q", "k"};
}

std::string Expression(const RopeWorkload& w) {
  const std::string pair = w.style == Style::kHalf ? "(x[i], x[i + rotary_half])"  //
                                                   : "(x[2i], x[2i + 1])";
  std::string text = fmt::format(
      "For each token t, each head and each i < rotary_half the pair (x1, x2) = {} becomes (y1, "
      "y2), with c = cos[0, t, i] and s = sin[0, t, i].",
      pair);
  for (const Pass step : Steps(w.pass)) {
    const StepTensors names = TensorsOf(step);
    text += step == Pass::kForward ? fmt::format(
                                         " Forward, of {} and {}: y1 = x1 c - x2 s, y2 = "
                                         "x2 c + x1 s.",
                                         names.q, names.k)
                                   : fmt::format(
                                         " Backward, of {} and {}: y1 = x1 c + x2 s, y2 = "
                                         "x2 c - x1 s.",
                                         names.q, names.k);
  }
  return text + " Elements from rotary_dim on are passed through unchanged.";
}

Manifest StrictOperation(const RopeWorkload& w) {
  using Extents = std::vector<OperationSpec::Extent>;
  const auto shape = [&](const char* heads) {
    return w.layout == Layout::kBshd ? Extents{"batch", "seq", heads, "head_dim"}
                                     : Extents{"batch", heads, "seq", "head_dim"};
  };
  OperationSpec operation;
  operation.metadata.name = Kebab(fmt::format("rope-{}-{}-{}-{}", Name(w.pass), Name(w.style),
                                              Name(w.placement), Name(w.layout)));
  operation.metadata.title = fmt::format("{}: {}, {}, {}, {}", kTitle, Name(w.pass), Name(w.style),
                                         Name(w.placement), Name(w.layout));
  operation.family = "rope";
  for (const char* axis : {"batch", "seq", "q_heads", "kv_heads", "head_dim", "rotary_dim"}) {
    operation.axes[axis] = {.role = "variable", .minimum = 1};
  }
  operation.axes["rotary_half"] = {.role = "derived", .expression = "rotary_dim // 2"};
  const auto tensor = [](std::string name, Extents extents) {
    return OperationSpec::Tensor{std::move(name), std::move(extents), "float", "row_major"};
  };
  for (const Pass step : Steps(w.pass)) {
    const StepTensors names = TensorsOf(step);
    operation.inputs.push_back(tensor(names.q, shape("q_heads")));
    operation.inputs.push_back(tensor(names.k, shape("kv_heads")));
    operation.outputs.push_back(tensor(fmt::format("{}_out", names.q), shape("q_heads")));
    operation.outputs.push_back(tensor(fmt::format("{}_out", names.k), shape("kv_heads")));
  }
  for (const char* table : {"cos", "sin"}) {
    operation.inputs.push_back(tensor(table, {1, "seq", "rotary_half"}));
  }
  operation.expression = Expression(w);
  operation.mutation = w.placement == Placement::kInPlace ? "in_place" : "destination";
  operation.determinism = "deterministic";
  return Build(operation);
}

WorkloadCase::Tensor DenseTensor(std::vector<std::int64_t> shape, Dtype dtype,
                                 WorkloadCase::Data data) {
  WorkloadCase::Tensor tensor;
  tensor.strides.resize(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    tensor.strides[i] = stride;
    stride *= shape[i];
  }
  tensor.shape = std::move(shape);
  tensor.dtype = Info(dtype).name;
  tensor.alignment_bytes = kAlignmentBytes;
  tensor.data = std::move(data);
  return tensor;
}

// Scalars are numbers, so the kind stands in their names.
void AddScaling(const RopeScaling& scaling, WorkloadCase& workload) {
  if (scaling.kind == ScalingKind::kNone) return;
  const auto add = [&](const std::string& name, double value) {
    workload.scalars[fmt::format("{}_{}", Name(scaling.kind), name)] = {"fp64", value};
  };
  for (const auto& [name, value] : ScalingNumbers(scaling)) add(std::string(name), value);
  for (std::size_t i = 0; i < scaling.short_factor.size(); ++i) {
    add(fmt::format("short_factor_{}", i), scaling.short_factor[i]);
    add(fmt::format("long_factor_{}", i), scaling.long_factor[i]);
  }
  workload.metadata.name += fmt::format("-{}", Name(scaling.kind));
  workload.metadata.title.value() += fmt::format(", scaling {}", Name(scaling.kind));
}

Manifest StrictWorkload(const RopeWorkload& w, const Manifest& operation) {
  WorkloadCase workload;
  workload.metadata.name =
      Kebab(fmt::format("rope-{}-{}-{}-{}-b{}-s{}-q{}-kv{}-d{}-r{}-{}", Name(w.pass), Name(w.style),
                        Name(w.placement), Name(w.layout), w.batch, w.seq, w.q_heads, w.kv_heads,
                        w.head_dim, w.rotary_dim, Info(w.dtype).name));
  workload.metadata.title =
      fmt::format("{}: {}, seq {}, {} q heads, {} kv heads, head_dim {}, {}", kTitle, Name(w.pass),
                  w.seq, w.q_heads, w.kv_heads, w.head_dim, Info(w.dtype).name);
  workload.operation_digest = operation.digest;
  workload.axes = {{"batch", w.batch},       {"seq", w.seq},
                   {"q_heads", w.q_heads},   {"kv_heads", w.kv_heads},
                   {"head_dim", w.head_dim}, {"rotary_dim", w.rotary_dim}};
  const auto rotated = [&](std::int64_t heads, std::uint64_t seed) {
    return DenseTensor(w.layout == Layout::kBshd ? std::vector{w.batch, w.seq, heads, w.head_dim}
                                                 : std::vector{w.batch, heads, w.seq, w.head_dim},
                       w.dtype,
                       {.generator = kInputGenerator,
                        .seed = static_cast<std::int64_t>(seed),
                        .parameters = {{"low", kInputLow}, {"high", kInputHigh}}});
  };
  for (const Pass step : Steps(w.pass)) {
    const StepTensors names = TensorsOf(step);
    workload.tensors[names.q] = rotated(w.q_heads, kSeedQ);
    workload.tensors[names.k] = rotated(w.kv_heads, kSeedK);
  }
  for (const char* table : {"cos", "sin"}) {
    workload.tensors[table] =
        DenseTensor({1, w.seq, w.rotary_dim / 2}, w.table_dtype, {.generator = "rope_table"});
  }
  workload.scalars["theta"] = {"fp64", w.theta};
  if (w.position_offset != 0) {
    workload.scalars["position_offset"] = {"int64", static_cast<double>(w.position_offset)};
  }
  AddScaling(w.scaling, workload);
  workload.correctness = {.comparator = kComparator,
                          .required_matched_ratio = 1.0,
                          .nan_policy = "exact_match",
                          .infinity_policy = "exact_match"};
  return Build(workload);
}

// Shapes are those of the transposed view [batch, heads, seq, head_dim] of Liger's bshd storage.
WorkloadIdentity LigerIdentity(const RopeWorkload& w) {
  OperationSpec operation;
  operation.metadata = {.name = "liger-rope", .title = std::string(kTitle)};
  operation.family = "rope";
  for (const char* axis : {"q_heads", "seq", "kv_heads"}) {
    operation.axes[axis] = {.role = "variable"};
  }
  operation.axes["head_dim"] = {.role = "derived", .expression = "hidden // q_heads"};
  operation.inputs = {{"q", {1, "q_heads", "seq", "head_dim"}, "float"},
                      {"k", {1, "kv_heads", "seq", "head_dim"}, "float"}};
  operation.outputs = operation.inputs;
  for (OperationSpec::Tensor& output : operation.outputs) output.name += "_out";
  operation.mutation = "none";
  operation.determinism = "unspecified";
  WorkloadIdentity identity{.operation = Build(operation), .workload = {}};

  WorkloadCase workload;
  workload.axes = {
      {"seq", w.seq}, {"hidden", w.hidden()}, {"q_heads", w.q_heads}, {"kv_heads", w.kv_heads}};
  const std::string dtype(Info(w.dtype).name);
  workload.metadata.name = Kebab("liger-rope-" + CaseKey(workload.axes, dtype));
  workload.metadata.title = fmt::format("{}: seq {}, hidden {}, {} q heads, {} kv heads, {}",
                                        kTitle, w.seq, w.hidden(), w.q_heads, w.kv_heads, dtype);
  workload.operation_digest = identity.operation.digest;
  workload.tensors["q"] = {.shape = {1, w.q_heads, w.seq, w.head_dim}, .dtype = dtype};
  workload.tensors["k"] = {.shape = {1, w.kv_heads, w.seq, w.head_dim}, .dtype = dtype};
  workload.correctness.comparator = "not_asserted";
  identity.workload = Build(workload);
  return identity;
}

}  // namespace

std::string_view Name(Identity identity) {
  return kIdentityNames[static_cast<std::size_t>(identity)];
}

std::optional<Identity> ParseIdentity(std::string_view name) {
  for (const Identity identity : {Identity::kStrict, Identity::kLiger}) {
    if (Name(identity) == name) return identity;
  }
  return std::nullopt;
}

std::optional<std::string> WhyNotLiger(const RopeWorkload& w) {
  const auto refuse = [](std::string_view field, auto is, auto only) {
    return fmt::format("identity liger has {} {} only, not {}", field, only, is);
  };
  if (w.style != Style::kHalf) return refuse("style", Name(w.style), "half");
  if (w.placement != Placement::kInPlace) {
    return refuse("placement", Name(w.placement), "in_place");
  }
  if (w.layout != Layout::kBshd) return refuse("layout", Name(w.layout), "bshd");
  if (w.batch != 1) return refuse("batch", w.batch, 1);
  if (w.rotary_dim != w.head_dim) return refuse("rotary_dim", w.rotary_dim, w.head_dim);
  if (w.position_offset != 0) return refuse("position_offset", w.position_offset, 0);
  if (w.theta != 10000.0) return refuse("theta", w.theta, 10000);
  if (w.scaling.kind != ScalingKind::kNone) return refuse("scaling", Name(w.scaling.kind), "none");
  if (w.table_dtype != w.dtype) {
    return refuse("table_dtype", Info(w.table_dtype).name, Info(w.dtype).name);
  }
  return std::nullopt;
}

WorkloadIdentity Identify(Identity identity, const RopeWorkload& workload) {
  if (identity == Identity::kLiger) {
    if (const std::optional<std::string> reason = WhyNotLiger(workload)) {
      throw std::invalid_argument(*reason);
    }
    return LigerIdentity(workload);
  }
  Manifest operation = StrictOperation(workload);
  Manifest bound = StrictWorkload(workload, operation);
  return {std::move(operation), std::move(bound)};
}

}  // namespace ropebench
