#include "backends/vulkan/memory_types.h"

namespace ropebench {
namespace {

// Higher is better; negative is unfit.
int Score(const MemoryType& type, MemoryPurpose purpose) {
  if (type.special) return -1;
  switch (purpose) {
    case MemoryPurpose::kKernel:
      if (!type.device_local) return -1;
      return type.host_visible ? 0 : 1;
    case MemoryPurpose::kStaging:
      if (!IsHostAccessible(type)) return -1;
      return (type.host_cached ? 2 : 0) + (type.device_local ? 0 : 1);
  }
  __builtin_unreachable();
}

}  // namespace

bool IsHostAccessible(const MemoryType& type) { return type.host_visible && type.host_coherent; }

std::optional<std::uint32_t> ChooseMemoryType(const std::vector<MemoryType>& types,
                                              std::uint32_t allowed_bits, std::uint64_t bytes,
                                              MemoryPurpose purpose) {
  std::optional<std::uint32_t> best;
  int best_score = -1;
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if ((allowed_bits >> i & 1u) == 0 || types[i].heap_bytes < bytes) continue;
    const int score = Score(types[i], purpose);
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

}  // namespace ropebench
