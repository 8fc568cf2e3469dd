#include "backends/cuda/observed_tick.h"

#include <algorithm>

namespace ropebench {

double ObservedTick(std::vector<double> times_ns) {
  std::sort(times_ns.begin(), times_ns.end());
  double tick = 0.0;
  for (std::size_t i = 1; i < times_ns.size(); ++i) {
    const double distance = times_ns[i] - times_ns[i - 1];
    if (distance >= 0.5 && (tick == 0.0 || distance < tick)) tick = distance;
  }
  return tick;
}

}  // namespace ropebench
