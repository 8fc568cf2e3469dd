#include "benchmarks/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ropebench {
namespace {

// Longer names are not corrected: the cost grows with the square of the length.
constexpr std::size_t kMaxLength = 200;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance, ignoring the case of ASCII letters.
std::size_t Edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
          Lower(a[i - 2]) == Lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

template <typename String>
std::string Nearest(std::string_view name, std::span<const String> known) {
  if (name.empty() || name.size() > kMaxLength) return {};
  std::string_view nearest;
  std::size_t fewest = kMaxLength;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kMaxLength) continue;
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    const std::size_t allowed = std::max<std::size_t>(1, longer / 3);
    if (longer - shorter > allowed) continue;
    const std::size_t edits = Edits(name, candidate);
    if (edits <= allowed && edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return std::string(nearest);
}

template <typename String>
std::string Question(std::string_view name, std::span<const String> known) {
  const std::string nearest = Nearest(name, known);
  return nearest.empty() ? std::string() : "; did you mean " + nearest + "?";
}

}  // namespace

std::string NearestName(std::string_view name, std::span<const std::string_view> known) {
  return Nearest(name, known);
}
std::string NearestName(std::string_view name, std::span<const std::string> known) {
  return Nearest(name, known);
}
std::string DidYouMean(std::string_view name, std::span<const std::string_view> known) {
  return Question(name, known);
}
std::string DidYouMean(std::string_view name, std::span<const std::string> known) {
  return Question(name, known);
}

}  // namespace ropebench
