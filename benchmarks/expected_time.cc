#include "benchmarks/expected_time.h"

#include <algorithm>
#include <cmath>

#include "backends/sampler.h"

namespace ropebench {
namespace {

double BytesPerS(const DeviceInfo& device) {
  return device.peak_bytes_per_s > 0.0 ? device.peak_bytes_per_s : kFallbackBytesPerS;
}

}  // namespace

double ExpectedCallNs(const RopeWorkload& workload, const DeviceInfo& device) {
  return static_cast<double>(MinTrafficBytes(workload)) / BytesPerS(device) * 1e9;
}

double ExpectedSamplingNs(const BenchCase& bench_case, const DeviceInfo& device) {
  const Protocol& protocol = bench_case.protocol;
  const double call_ns = ExpectedCallNs(bench_case.workload, device);
  const double flush_ns =
      static_cast<double>(FlushBytes(protocol, device)) / BytesPerS(device) * 1e9;
  if (protocol.procedure == Procedure::kDoBench) {
    return std::max(kDoBenchWarmupNs, call_ns) + std::max(kDoBenchRepeatNs, flush_ns + call_ns) +
           kDoBenchEstimateRuns * (flush_ns + call_ns);
  }
  const double wanted = std::ceil(static_cast<double>(protocol.min_time_ns) / call_ns);
  const double samples = std::clamp(wanted, static_cast<double>(protocol.min_samples),
                                    static_cast<double>(protocol.max_samples));
  const double sampling_ns = samples * 2.0 * (flush_ns + call_ns);  // each beside a copy
  return static_cast<double>(protocol.warmup_calls) * call_ns +
         std::min(sampling_ns, static_cast<double>(protocol.wall_limit_ns));
}

}  // namespace ropebench
