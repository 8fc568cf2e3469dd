#include "evidence/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace ropebench {

double Quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) throw std::invalid_argument("a quantile needs at least one sample");
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

std::optional<Interval> MedianInterval95(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  const auto probability = [n](double successes) {
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(successes + 1.0) -
                    std::lgamma(n - successes + 1.0) - n * std::log(2.0));
  };
  std::size_t rank = 0;
  double cumulative = probability(0.0);
  while (cumulative <= 0.025 && rank < sorted.size() / 2) {
    ++rank;
    cumulative += probability(static_cast<double>(rank));
  }
  if (rank == 0) return std::nullopt;
  return Interval{sorted[rank - 1], sorted[sorted.size() - rank]};
}

Summary Summarise(std::span<const double> samples, double tick_ns) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  Summary summary;
  summary.samples = static_cast<std::int64_t>(sorted.size());
  summary.median = Quantile(sorted, 0.5);
  summary.p05 = Quantile(sorted, 0.05);
  summary.p20 = Quantile(sorted, 0.2);
  summary.p80 = Quantile(sorted, 0.8);
  summary.p95 = Quantile(sorted, 0.95);
  summary.minimum = sorted.front();
  summary.maximum = sorted.back();
  summary.mean =
      std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  summary.median95 = MedianInterval95(sorted);
  if (summary.median95 && summary.median95->high - summary.median95->low < tick_ns) {
    const double centre = 0.5 * (summary.median95->low + summary.median95->high);
    summary.median95 = Interval{std::max(0.0, centre - 0.5 * tick_ns), centre + 0.5 * tick_ns};
  }
  for (double& sample : sorted) sample = std::fabs(sample - summary.median);
  std::sort(sorted.begin(), sorted.end());
  summary.mad = Quantile(sorted, 0.5);
  return summary;
}

}  // namespace ropebench
