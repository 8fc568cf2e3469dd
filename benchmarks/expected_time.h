// How long cases take, before any of them runs: pure functions of the case and of what the device
// says about itself.
#pragma once

#include "backends/backend.h"
#include "benchmarks/bench_case.h"

namespace ropebench {

// Bytes per second that a device is taken to move where it does not name its peak.
inline constexpr double kFallbackBytesPerS = 10e9;

// One call: the fewest bytes that it must move, at the device's peak rate. A lower bound, except
// under the fallback.
double ExpectedCallNs(const RopeWorkload& workload, const DeviceInfo& device);

// The sampling of a case under its protocol, flushes and the interleaved copies included; preparing
// and verifying are not.
double ExpectedSamplingNs(const BenchCase& bench_case, const DeviceInfo& device);

}  // namespace ropebench
