#include "manifests/names.h"

#include <fmt/format.h>

namespace ropebench {

std::string Kebab(std::string_view text) {
  constexpr std::size_t kMaxLength = 100;
  std::string name;
  bool gap = false;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
      gap = true;
      continue;
    }
    if (gap && !name.empty()) name += '-';
    gap = false;
    name += c;
  }
  return name.substr(0, kMaxLength);
}

std::string CaseKey(const std::map<std::string, std::int64_t>& axes, std::string_view dtype) {
  std::string key;
  for (const auto& [name, value] : axes) key += fmt::format("{}{}-", name, value);
  return key.append(dtype);
}

}  // namespace ropebench
