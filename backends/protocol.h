// Protocol: how a case is timed, as data. Whatever decides the order of operations or the stop is
// part of the published protocol document, so two results with equal documents were taken in the
// same way.
//
// A call runs every launch of a case once: one for forward and backward, two for full.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/rope_workload.h"

namespace ropebench {

enum class Timer : std::uint8_t {
  kCupti,             // the kernel's own start and end, from CUPTI activity records
  kCudaEvents,        // two events around the launch
  kVulkanTimestamps,  // two timestamp queries around the dispatch
  kHostClock,         // steady_clock around the call
};
inline constexpr std::string_view kTimerNames[] = {"cupti_kernel", "cuda_events",
                                                   "vulkan_timestamps", "host_clock"};
constexpr std::string_view Name(Timer timer) {
  return kTimerNames[static_cast<std::size_t>(timer)];
}

// The order of operations around one sample; backends/sampler.h runs them.
enum class Procedure : std::uint8_t {
  kCold,     // flush, synchronise, block the queue, start, launch, stop, release, synchronise
  kDoBench,  // triton.testing.do_bench, step by step
};

struct Protocol {
  std::string name;     // do_bench, cold, cold_events
  std::string version;  // changes whenever the meaning of the name does
  Pass pass = Pass::kForward;
  Procedure procedure = Procedure::kCold;
  Timer timer = Timer::kHostClock;

  // The flush before each sample overwrites this many bytes, so the cache is left dirty. 0 leaves
  // it to the device: see FlushBytes in backends/sampler.h.
  std::uint64_t flush_bytes = 0;

  std::int64_t warmup_calls = 5;  // kCold; do_bench derives its own from the estimate
  std::int64_t min_samples = 30;
  std::int64_t max_samples = 1000;
  std::int64_t min_time_ns = 1'000'000;        // least sum of the samples' own times
  std::int64_t wall_limit_ns = 5'000'000'000;  // no new sample after this much time in one case

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

}  // namespace ropebench
