// The grid of a timer, from what it shows.
#pragma once

#include <vector>

namespace ropebench {

// The smallest distance between two different values of `times_ns`, differences under half a
// nanosecond being rounding of the interface; 0 if all are equal. An upper bound of the timer's
// tick, and the tick itself once enough values have been seen.
double ObservedTick(std::vector<double> times_ns);

}  // namespace ropebench
