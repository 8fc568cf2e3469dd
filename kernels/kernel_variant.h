// KernelVariant: what every kernel says about itself, whatever the backend that launches it.
//
// Variants stand in one explicit table per backend. The name is that of the source file, with a
// suffix where one file gives several (flat16_v2, flat16_v4), and it is the name in every report. A
// variant that cannot run a workload says why; it never runs something else instead.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/rope_workload.h"

namespace ropebench {

enum class KernelRole : std::uint8_t {
  kRope,   // computes the workload
  kCopy,   // ceiling: moves the same bytes (CopyParams)
  kEmpty,  // floor: one work group that does nothing (EmptyParams)
};

struct KernelVariant {
  std::string_view name;
  KernelRole role;
  std::string_view idea;         // one line
  std::string_view language;     // cpp, cuda or glsl
  std::string_view source_path;  // relative to the repository, for example kernels/cuda/vec16.cu
  std::string_view symbol;       // the kernel's function name in that file
  // The reason why the variant cannot compute a valid workload, or nothing.
  std::optional<std::string> (*why_unsupported)(const RopeWorkload&);
  // Where `auto` takes it: the first of a table, in its order, that supports a workload and suits
  // it. `suited_for` says it in words, with the measurement behind it; both empty for everything.
  std::string_view suited_for = "";
  bool (*suits)(const RopeWorkload&) = nullptr;
};

// For `why_unsupported` of ceilings and of variants that compute everything.
inline std::optional<std::string> SupportsEverything(const RopeWorkload&) { return std::nullopt; }

}  // namespace ropebench
