#include "shaders/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "shaders/copy.spv.h"
#include "shaders/empty.spv.h"
#include "shaders/pair.spv.h"
#include "shaders/vec16.spv.h"

namespace ropebench {
namespace {

constexpr std::uint64_t kMaxGroups = 65535;

// Shaders count invocations and index arrays in 32 bits, and an index with the top bit set may be
// taken for a negative one.
constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 31;

constexpr std::uint32_t kVectorBytes = 16;
constexpr std::uint32_t kPairGroupSize = 128;

// Ids and values as in pair.comp.
enum Pairing : std::uint32_t { kWordPerHalf, kWalkOddHalf, kInterleaved };

// How the invocations of a rotation are laid out; see FindPlace in rope.glsl.
struct Geometry {
  std::uint64_t columns;         // per head
  std::uint64_t rotary_columns;  // of these
  std::uint64_t head_groups;     // per token
};

std::uint64_t Invocations(const RopeWorkload& w, const Geometry& geometry) {
  return static_cast<std::uint64_t>(w.batch * w.seq) * geometry.head_groups * geometry.columns;
}

ShaderLaunch RopeLaunch(std::span<const std::uint32_t> spirv, const RopeWorkload& w,
                        const Geometry& geometry, std::uint32_t group_size,
                        std::uint32_t last_constant) {
  ShaderLaunch launch{spirv,
                      group_size,
                      {{1, static_cast<std::uint32_t>(w.dtype)},
                       {2, static_cast<std::uint32_t>(w.table_dtype)},
                       {3, static_cast<std::uint32_t>(geometry.columns)},
                       {4, static_cast<std::uint32_t>(geometry.rotary_columns)},
                       {5, static_cast<std::uint32_t>(geometry.head_groups)},
                       {6, last_constant}},
                      {}};
  FoldGroups((Invocations(w, geometry) + group_size - 1) / group_size, launch.groups);
  return launch;
}

// Whether every index that a shader of that geometry computes stays below kMaxIndex, with tensors
// indexed in units of `unit_elements` and tables in single entries.
std::optional<std::string> WhyTooLarge(const RopeWorkload& w, const Geometry& geometry,
                                       std::uint64_t unit_elements) {
  const auto elements = static_cast<std::uint64_t>(std::max(w.q_elements(), w.k_elements()));
  if (elements / unit_elements >= kMaxIndex || Invocations(w, geometry) >= kMaxIndex ||
      static_cast<std::uint64_t>(w.table_elements()) >= kMaxIndex) {
    return fmt::format("indexes a tensor in {} bytes and 31 bits: it is too large",
                       unit_elements * Info(w.dtype).size_bytes);
  }
  return std::nullopt;
}

// Out of place, the elements past rotary_dim have invocations of their own.
std::int64_t TailElements(const RopeWorkload& w) {
  return w.placement == Placement::kOutOfPlace ? w.head_dim - w.rotary_dim : 0;
}

std::uint64_t ElementsPerVector(const RopeWorkload& w) {
  return kVectorBytes / Info(w.dtype).size_bytes;
}

Geometry Vec16Geometry(const RopeWorkload& w, std::uint32_t heads_per_invocation) {
  const std::uint64_t rotary_columns =
      static_cast<std::uint64_t>(w.rotary_dim / 2) / ElementsPerVector(w);
  const auto heads = static_cast<std::uint64_t>(w.q_heads + w.kv_heads);
  return {rotary_columns + static_cast<std::uint64_t>(TailElements(w)) / ElementsPerVector(w),
          rotary_columns, (heads + heads_per_invocation - 1) / heads_per_invocation};
}

std::uint64_t ElementsPerWord(const RopeWorkload& w) {
  return sizeof(std::uint32_t) / Info(w.dtype).size_bytes;
}

Pairing PairingOf(const RopeWorkload& w) {
  if (w.style == Style::kInterleaved) return kInterleaved;
  const auto half = static_cast<std::uint64_t>(w.rotary_dim / 2);
  return half % ElementsPerWord(w) == 0 ? kWordPerHalf : kWalkOddHalf;
}

Geometry PairGeometry(const RopeWorkload& w) {
  const auto half = static_cast<std::uint64_t>(w.rotary_dim / 2);
  std::uint64_t rotary_columns = 1;
  if (PairingOf(w) == kWordPerHalf) rotary_columns = half / ElementsPerWord(w);
  if (PairingOf(w) == kInterleaved) rotary_columns = half;
  return {rotary_columns + static_cast<std::uint64_t>(TailElements(w)) / ElementsPerWord(w),
          rotary_columns, static_cast<std::uint64_t>(w.q_heads + w.kv_heads)};
}

constexpr KernelVariant Rope(std::string_view name, std::string_view idea,
                             std::string_view source_path,
                             std::optional<std::string> (*why_unsupported)(const RopeWorkload&)) {
  return {name, KernelRole::kRope, idea, "glsl", source_path, "main", why_unsupported};
}

constexpr KernelVariant Vec16(std::string_view name, std::string_view idea) {
  return Rope(name, idea, "shaders/vec16.comp", shaders::WhyNotVec16);
}

constexpr KernelVariant Pair() {
  KernelVariant variant =
      Rope("pair", "32-bit words, one or two pairs an invocation, any valid workload",
           "shaders/pair.comp", shaders::WhyNotPair);
  variant.suited_for =
      "halves under 32 bytes (14 % faster at head_dim 16) and what vec16 cannot do";
  variant.suits = [](const RopeWorkload& w) {
    return w.rotary_dim / 2 * Info(w.dtype).size_bytes < 32 || shaders::WhyNotVec16(w);
  };
  return variant;
}

constexpr KernelVariant Copy(std::string_view name, std::string_view idea) {
  return {name, KernelRole::kCopy, idea, "glsl", "shaders/copy.comp", "main", shaders::WhyNotCopy};
}

// Adapters from the table's one signature to what each family needs to know.
template <std::uint32_t heads_per_invocation, std::uint32_t group_size>
ShaderLaunch Vec16With(const RopeWorkload& workload, const KernelParams&) {
  return shaders::SelectVec16(workload, heads_per_invocation, group_size);
}

template <std::uint32_t vectors_per_invocation, std::uint32_t group_size>
ShaderLaunch CopyWith(const RopeWorkload&, const KernelParams& params) {
  return shaders::SelectCopy(std::get<CopyParams>(params), vectors_per_invocation, group_size);
}

}  // namespace

namespace shaders {

std::optional<std::string> WhyNotVec16(const RopeWorkload& w) {
  if (w.style != Style::kHalf) return "rotates half style only";
  if (w.table_dtype != w.dtype && w.table_dtype != Dtype::kFp32) {
    return "needs a table in the dtype of q and k, or in fp32";
  }
  const auto per_vector = static_cast<std::int64_t>(ElementsPerVector(w));
  if (w.rotary_dim / 2 % per_vector != 0 || w.head_dim % per_vector != 0) {
    return fmt::format("needs halves and heads of whole {}-byte vectors: {} elements of {}",
                       kVectorBytes, per_vector, Info(w.dtype).name);
  }
  return WhyTooLarge(w, Vec16Geometry(w, 1), static_cast<std::uint64_t>(per_vector));
}

ShaderLaunch SelectVec16(const RopeWorkload& w, std::uint32_t heads_per_invocation,
                         std::uint32_t group_size) {
  return RopeLaunch(kVec16Spirv, w, Vec16Geometry(w, heads_per_invocation), group_size,
                    heads_per_invocation);
}

std::optional<std::string> WhyNotPair(const RopeWorkload& w) {
  // One known software driver silently skips what a loop does past 65535 trips; no published model
  // comes near it.
  if (PairingOf(w) == kWalkOddHalf && w.rotary_dim / 4 > 65535) {
    return "an odd half of 16-bit elements is walked in at most 65535 steps";
  }
  return WhyTooLarge(w, PairGeometry(w), ElementsPerWord(w));
}

ShaderLaunch SelectPair(const RopeWorkload& w) {
  return RopeLaunch(kPairSpirv, w, PairGeometry(w), kPairGroupSize, PairingOf(w));
}

std::optional<std::string> WhyNotCopy(const RopeWorkload& w) {
  const std::uint64_t bytes = MinTrafficBytes(w) / Steps(w.pass).size() / 2;
  if (bytes / kVectorBytes >= kMaxIndex - kVectorBytes) {
    return "counts its 16-byte vectors in 31 bits: the workload is too large";
  }
  return std::nullopt;
}

ShaderLaunch SelectCopy(const CopyParams& params, std::uint32_t vectors_per_invocation,
                        std::uint32_t group_size) {
  ShaderLaunch launch{kCopySpirv, group_size, {{1, vectors_per_invocation}}, {}};
  const std::uint64_t per_group = std::uint64_t{group_size} * vectors_per_invocation;
  const auto groups = [&](std::uint64_t vectors) { return (vectors + per_group - 1) / per_group; };
  FoldGroups(groups(params.q_vectors) + groups(params.k_vectors), launch.groups);
  return launch;
}

ShaderLaunch SelectEmpty() { return {kEmptySpirv, 32, {}, {1, 1, 1}}; }

}  // namespace shaders

void FoldGroups(std::uint64_t count, std::uint32_t (&groups)[3]) {
  const std::uint64_t rows = (count + kMaxGroups - 1) / kMaxGroups;
  groups[0] = static_cast<std::uint32_t>((count + rows - 1) / rows);
  groups[1] = static_cast<std::uint32_t>(rows);
  groups[2] = 1;
}

std::span<const ShaderVariant> ShaderVariants() {
  static constexpr ShaderVariant kVariants[] = {
      {Pair(), [](const RopeWorkload& workload,
                  const KernelParams&) { return shaders::SelectPair(workload); }},
      {Vec16("vec16", "16-byte columns of both halves, 1 head an invocation, 128 to a group"),
       Vec16With<1, 128>},
      {Copy("copy_v1_g128", "1 vector of 16 bytes an invocation, 128 to a group"),
       CopyWith<1, 128>},
      {Copy("copy_v1_g256", "1 vector of 16 bytes an invocation, 256 to a group"),
       CopyWith<1, 256>},
      {Copy("copy_v4_g128", "4 vectors of 16 bytes an invocation, 128 to a group"),
       CopyWith<4, 128>},
      {Copy("copy_v4_g256", "4 vectors of 16 bytes an invocation, 256 to a group"),
       CopyWith<4, 256>},
      {{"empty", KernelRole::kEmpty, "one work group that does nothing", "glsl",
        "shaders/empty.comp", "main", SupportsEverything},
       [](const RopeWorkload&, const KernelParams&) { return shaders::SelectEmpty(); }},
  };
  return kVariants;
}

}  // namespace ropebench
