#include "evidence/workload_of.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace ropebench {
namespace {

std::int64_t Axis(const WorkloadCase& fields, const char* name) {
  const auto found = fields.axes.find(name);
  return found == fields.axes.end() ? 0 : found->second;
}

std::optional<Dtype> TensorDtype(const WorkloadCase& fields, const char* name) {
  const auto found = fields.tensors.find(name);
  return found == fields.tensors.end() ? std::nullopt : ParseDtype(found->second.dtype);
}

double Scalar(const WorkloadCase& fields, const std::string& name) {
  const auto found = fields.scalars.find(name);
  return found == fields.scalars.end() ? 0.0 : found->second.value;
}

// 0 for what no integer is: such a workload is found by no digest.
std::int64_t IntegerScalar(const WorkloadCase& fields, const std::string& name) {
  constexpr double kLimit = 9007199254740992.0;  // 2^53
  const double value = Scalar(fields, name);
  return std::abs(value) < kLimit ? static_cast<std::int64_t>(value) : 0;
}

std::vector<double> ScalarList(const WorkloadCase& fields, const std::string& name) {
  std::vector<double> list;
  for (;;) {
    const auto found = fields.scalars.find(fmt::format("{}_{}", name, list.size()));
    if (found == fields.scalars.end()) return list;
    list.push_back(found->second.value);
  }
}

// Scalars of a scaling are named KIND_NUMBER.
RopeScaling StatedScaling(const WorkloadCase& fields) {
  for (const ScalingKind kind : {ScalingKind::kLinear, ScalingKind::kDynamic, ScalingKind::kYarn,
                                 ScalingKind::kLongrope, ScalingKind::kLlama3}) {
    RopeScaling scaling;
    scaling.kind = kind;
    std::string text(Name(kind));
    bool is_stated = false;
    for (const auto& [number, unused] : ScalingNumbers(scaling)) {
      const std::string name = fmt::format("{}_{}", Name(kind), number);
      is_stated = is_stated || fields.scalars.contains(name);
      text += fmt::format("~{}", Scalar(fields, name));
    }
    if (!is_stated) continue;
    if (kind != ScalingKind::kLongrope) return ParseScaling(text).value_or(RopeScaling{});
    scaling.original_max_position_embeddings =
        IntegerScalar(fields, "longrope_original_max_position_embeddings");
    scaling.attention_factor = Scalar(fields, "longrope_attention_factor");
    scaling.short_factor = ScalarList(fields, "longrope_short_factor");
    scaling.long_factor = ScalarList(fields, "longrope_long_factor");
    return scaling;
  }
  return {};
}

// What the document says outright.
RopeWorkload StatedWorkload(const WorkloadCase& fields) {
  RopeWorkload w;
  w.seq = Axis(fields, "seq");
  w.q_heads = Axis(fields, "q_heads");
  w.kv_heads = Axis(fields, "kv_heads");
  if (fields.axes.contains("hidden")) {
    if (w.q_heads > 0) w.head_dim = Axis(fields, "hidden") / w.q_heads;
    w.rotary_dim = w.head_dim;
  } else {
    w.batch = Axis(fields, "batch");
    w.head_dim = Axis(fields, "head_dim");
    w.rotary_dim = Axis(fields, "rotary_dim");
  }
  for (const char* name : {"q", "dq"}) w.dtype = TensorDtype(fields, name).value_or(w.dtype);
  w.table_dtype = TensorDtype(fields, "cos").value_or(w.dtype);
  if (fields.scalars.contains("theta")) w.theta = Scalar(fields, "theta");
  w.position_offset = IntegerScalar(fields, "position_offset");
  w.scaling = StatedScaling(fields);
  return w;
}

}  // namespace

// What stands in the operation alone is found by trying: the digest says which it was.
std::optional<IdentifiedWorkload> WorkloadOf(const WorkloadCase& fields,
                                             const std::string& digest) {
  const RopeWorkload stated = StatedWorkload(fields);
  const auto matches = [&](Identity identity, const RopeWorkload& workload) {
    if (Validate(workload)) return false;
    if (identity == Identity::kLiger && WhyNotLiger(workload)) return false;
    return Identify(identity, workload).workload.digest == digest;
  };
  if (fields.axes.contains("hidden")) {
    if (matches(Identity::kLiger, stated)) return IdentifiedWorkload{Identity::kLiger, stated};
    return std::nullopt;
  }
  for (const Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
    for (const Style style : {Style::kHalf, Style::kInterleaved}) {
      for (const Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
        for (const Layout layout : {Layout::kBshd, Layout::kBhsd}) {
          RopeWorkload workload = stated;
          workload.pass = pass;
          workload.style = style;
          workload.placement = placement;
          workload.layout = layout;
          if (matches(Identity::kStrict, workload)) {
            return IdentifiedWorkload{Identity::kStrict, workload};
          }
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace ropebench
