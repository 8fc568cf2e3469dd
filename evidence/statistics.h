// Pure functions over samples. Nothing here drops a sample, and nothing is random.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace ropebench {

struct Interval {
  double low;
  double high;
};

// What is published of a list of samples, all in nanoseconds.
struct Summary {
  std::int64_t samples = 0;
  double mean = 0.0;
  double median = 0.0;
  double p05 = 0.0;
  double p20 = 0.0;
  double p80 = 0.0;
  double p95 = 0.0;
  double minimum = 0.0;
  double maximum = 0.0;
  double mad = 0.0;                  // median absolute deviation from the median, unscaled
  std::optional<Interval> median95;  // none under 6 samples
};

// The quantile q in [0, 1] of ascending, non-empty `sorted`, by linear interpolation at q (n - 1).
double Quantile(std::span<const double> sorted, double q);

// The 95 % interval of the median from order statistics: with k the largest rank such that
// P(Binomial(n, 1/2) < k) <= 2.5 %, it runs from the k-th smallest to the k-th largest sample. No
// distribution is assumed. Under 6 samples no such k exists. `sorted` is ascending.
std::optional<Interval> MedianInterval95(std::span<const double> sorted);

// Summarises non-empty `samples`. `tick_ns` is the timer's resolution: an interval narrower than a
// tick is widened to one around its centre.
Summary Summarise(std::span<const double> samples, double tick_ns);

}  // namespace ropebench
