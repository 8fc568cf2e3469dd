// Names of manifests, made from free text as KernelIndex makes them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace ropebench {

// Lower case, each run of characters outside [a-z0-9] one '-', trimmed at both ends, then cut at
// 100 characters: so a name can end in '-', and two texts can share one name.
std::string Kebab(std::string_view text);

// Axes sorted by name, each name directly followed by its value, and the dtype, joined by '-':
// hidden512-kv_heads8-q_heads32-seq2048-bf16.
std::string CaseKey(const std::map<std::string, std::int64_t>& axes, std::string_view dtype);

}  // namespace ropebench
