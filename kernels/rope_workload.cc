#include "kernels/rope_workload.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace ropebench {
namespace {

template <typename Enum, std::size_t n>
std::optional<Enum> ParseEnum(const std::string_view (&names)[n], std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// Largest tensor that is accepted: offsets in bytes stay far inside 63 bits.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

std::optional<WorkloadError> BrokenScaling(const RopeWorkload& w) {
  const RopeScaling& scaling = w.scaling;
  const auto broken = [](std::string_view parameter, std::string rule) {
    return WorkloadError{fmt::format("scaling.{}", parameter), std::move(rule)};
  };
  if (const auto rule = BrokenScalingRule(scaling)) return broken(rule->first, rule->second);
  switch (scaling.kind) {
    case ScalingKind::kNone:
    case ScalingKind::kLinear:
    case ScalingKind::kLlama3:
      break;
    case ScalingKind::kDynamic:
      if (w.rotary_dim < 4) {
        return WorkloadError{"rotary_dim", "2 is too few for scaling dynamic, which needs 4"};
      }
      break;
    case ScalingKind::kYarn:
      if (w.theta <= 1.0) {
        return WorkloadError{"theta",
                             fmt::format("{} is not above 1 as scaling yarn needs", w.theta)};
      }
      break;
    case ScalingKind::kLongrope:
      for (const auto& [name, factors] : {std::pair("short_factor", &scaling.short_factor),
                                          std::pair("long_factor", &scaling.long_factor)}) {
        if (static_cast<std::int64_t>(factors->size()) != w.rotary_dim / 2) {
          return broken(name, fmt::format("has {} values, not the {} of rotary_dim / 2",
                                          factors->size(), w.rotary_dim / 2));
        }
      }
      break;
  }
  return std::nullopt;
}

}  // namespace

std::string_view Name(Pass pass) { return kPassNames[static_cast<std::size_t>(pass)]; }
std::string_view Name(Style style) { return kStyleNames[static_cast<std::size_t>(style)]; }
std::string_view Name(Layout layout) { return kLayoutNames[static_cast<std::size_t>(layout)]; }
std::string_view Name(Placement placement) {
  return kPlacementNames[static_cast<std::size_t>(placement)];
}
std::optional<Pass> ParsePass(std::string_view name) { return ParseEnum<Pass>(kPassNames, name); }
std::optional<Style> ParseStyle(std::string_view name) {
  return ParseEnum<Style>(kStyleNames, name);
}
std::optional<Layout> ParseLayout(std::string_view name) {
  return ParseEnum<Layout>(kLayoutNames, name);
}
std::optional<Placement> ParsePlacement(std::string_view name) {
  return ParseEnum<Placement>(kPlacementNames, name);
}

std::optional<WorkloadError> Validate(const RopeWorkload& w) {
  const std::pair<std::string_view, std::int64_t> counts[] = {
      {"batch", w.batch},       {"seq", w.seq},           {"q_heads", w.q_heads},
      {"kv_heads", w.kv_heads}, {"head_dim", w.head_dim}, {"rotary_dim", w.rotary_dim},
  };
  for (const auto& [field, value] : counts) {
    if (value < 1) return WorkloadError{std::string(field), fmt::format("{} < 1", value)};
    if (value >= std::int64_t{1} << 31) {
      return WorkloadError{std::string(field), fmt::format("{} does not fit 31 bits", value)};
    }
  }
  if (w.head_dim % 2 != 0) {
    return WorkloadError{"head_dim",
                         fmt::format("{} is odd: elements rotate in pairs", w.head_dim)};
  }
  if (w.rotary_dim % 2 != 0) {
    return WorkloadError{"rotary_dim",
                         fmt::format("{} is odd: elements rotate in pairs", w.rotary_dim)};
  }
  if (w.rotary_dim > w.head_dim) {
    return WorkloadError{"rotary_dim",
                         fmt::format("{} exceeds head_dim {}", w.rotary_dim, w.head_dim)};
  }
  for (const auto& [field, heads] : {counts[2], counts[3]}) {
    std::int64_t elements = 0;
    if (__builtin_mul_overflow(w.batch, w.seq, &elements) ||
        __builtin_mul_overflow(elements, heads, &elements) ||
        __builtin_mul_overflow(elements, w.head_dim, &elements) || elements > kMaxElements) {
      return WorkloadError{std::string(field), "the tensor exceeds 2^40 elements"};
    }
  }
  if (!(std::isfinite(w.theta) && w.theta > 0.0)) {
    return WorkloadError{"theta", fmt::format("{} is not a positive number", w.theta)};
  }
  if (w.position_offset < 0 || w.position_offset >= std::int64_t{1} << 31) {
    return WorkloadError{"position_offset",
                         fmt::format("{} is outside 0..2^31-1", w.position_offset)};
  }
  return BrokenScaling(w);
}

std::span<const Pass> Steps(Pass pass) {
  static constexpr Pass kForwardThenBackward[] = {Pass::kForward, Pass::kBackward};
  switch (pass) {
    case Pass::kForward:
      return {kForwardThenBackward, 1};
    case Pass::kBackward:
      return {kForwardThenBackward + 1, 1};
    case Pass::kFull:
      return kForwardThenBackward;
  }
  __builtin_unreachable();
}

std::uint64_t MinTrafficBytes(const RopeWorkload& w) {
  const std::int64_t moved_dim = w.placement == Placement::kInPlace ? w.rotary_dim : w.head_dim;
  const std::int64_t heads = w.batch * w.seq * (w.q_heads + w.kv_heads);
  const std::int64_t per_step = 2 * heads * moved_dim * Info(w.dtype).size_bytes +
                                2 * w.table_elements() * Info(w.table_dtype).size_bytes;
  return static_cast<std::uint64_t>(per_step) * Steps(w.pass).size();
}

std::string CanonicalText(const RopeWorkload& w) {
  std::string text = fmt::format(
      "pass:{} batch:{} seq:{} q_heads:{} kv_heads:{} head_dim:{} rotary_dim:{} dtype:{} "
      "table_dtype:{} style:{} layout:{} placement:{} theta:{} position_offset:{}",
      Name(w.pass), w.batch, w.seq, w.q_heads, w.kv_heads, w.head_dim, w.rotary_dim,
      Info(w.dtype).name, Info(w.table_dtype).name, Name(w.style), Name(w.layout),
      Name(w.placement), w.theta, w.position_offset);
  if (w.scaling.kind != ScalingKind::kNone) text += " scaling:" + CanonicalText(w.scaling);
  return text;
}

}  // namespace ropebench
