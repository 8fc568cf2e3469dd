#include "backends/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ropebench {
namespace {

SampleSet SampleCold(Sampler& sampler, std::span<PreparedCase* const> cases,
                     const Protocol& protocol, StopRule& stop, WallClock now) {
  const std::int64_t begin = now();
  for (std::int64_t i = 0; i < protocol.warmup_calls; ++i) {
    for (PreparedCase* prepared : cases) sampler.Launch(*prepared);
  }
  sampler.Synchronize();

  SampleSet set;
  set.samples_ns.resize(cases.size());
  const auto over_limit = [&] { return now() - begin >= protocol.wall_limit_ns; };
  std::int64_t rounds_done = 0;
  while (true) {
    sampler.Reserve(kRoundsPerGroup * cases.size());
    std::int64_t group = 0;
    for (; group < kRoundsPerGroup; ++group) {
      if (rounds_done + group >= kLeastRounds && over_limit()) break;
      for (PreparedCase* prepared : cases) {
        sampler.Flush();
        sampler.Synchronize();
        sampler.Block();
        sampler.Start();
        sampler.Launch(*prepared);
        sampler.Stop();
        sampler.Release();
        sampler.Synchronize();
      }
    }
    rounds_done += group;
    const std::vector<double> times = sampler.Collect();
    if (times.size() != static_cast<std::size_t>(group) * cases.size()) {
      throw DeviceError(fmt::format("the timer returned {} samples of {} launches", times.size(),
                                    static_cast<std::size_t>(group) * cases.size()));
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      set.samples_ns[i % cases.size()].push_back(times[i]);
      stop.Add(i % cases.size(), times[i]);
    }
    if (stop.Finished()) {
      set.stop_reason = stop.reason();
      return set;
    }
    if (over_limit()) {
      set.stop_reason = "wall_limit";
      return set;
    }
  }
}

SampleSet SampleDoBench(Sampler& sampler, PreparedCase& prepared) {
  sampler.Launch(prepared);
  sampler.Synchronize();

  // The estimate includes the flush, as triton's does.
  sampler.Reserve(1);
  sampler.Start();
  for (int i = 0; i < kDoBenchEstimateRuns; ++i) {
    sampler.Flush();
    sampler.Launch(prepared);
  }
  sampler.Stop();
  sampler.Synchronize();
  const double estimate_ns = sampler.Collect().at(0) / kDoBenchEstimateRuns;
  if (!(estimate_ns > 0.0)) throw DeviceError("do_bench's estimate is no time at all");
  const auto warmups =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(kDoBenchWarmupNs / estimate_ns));
  const auto repeats =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(kDoBenchRepeatNs / estimate_ns));

  sampler.Reserve(static_cast<std::size_t>(repeats));
  for (std::int64_t i = 0; i < warmups; ++i) sampler.Launch(prepared);
  for (std::int64_t i = 0; i < repeats; ++i) {
    sampler.Flush();
    sampler.Start();
    sampler.Launch(prepared);
    sampler.Stop();
  }
  sampler.Synchronize();
  return {{sampler.Collect()}, "do_bench_count"};
}

}  // namespace

std::uint64_t FlushBytes(const Protocol& protocol, const DeviceInfo& device) {
  if (protocol.flush_bytes != 0) return protocol.flush_bytes;
  if (device.is_software) return std::uint64_t{16} << 20;
  if (device.cache_bytes != 0) return 2 * device.cache_bytes;
  return std::uint64_t{256} << 20;
}

std::int64_t SteadyNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

EnoughSamples::EnoughSamples(const Protocol& protocol, std::size_t cases)
    : min_samples_(protocol.min_samples),
      max_samples_(protocol.max_samples),
      min_time_ns_(static_cast<double>(protocol.min_time_ns)),
      cases_(cases) {}

void EnoughSamples::Add(std::size_t case_index, double sample_ns) {
  Progress& progress = cases_.at(case_index);
  ++progress.samples;
  progress.time_ns += sample_ns;
}

bool EnoughSamples::Enough(const Progress& progress) const {
  return progress.samples >= max_samples_ ||
         (progress.samples >= min_samples_ && progress.time_ns >= min_time_ns_);
}

bool EnoughSamples::Finished() const {
  return std::all_of(cases_.begin(), cases_.end(),
                     [this](const Progress& progress) { return Enough(progress); });
}

std::string EnoughSamples::reason() const {
  const bool at_most = std::any_of(cases_.begin(), cases_.end(), [this](const Progress& progress) {
    return progress.samples >= max_samples_;
  });
  return at_most ? "max_samples" : "min_samples_and_time";
}

SampleSet Sample(Sampler& sampler, std::span<PreparedCase* const> cases, const Protocol& protocol,
                 StopRule& stop, WallClock now) {
  if (cases.empty()) return {{}, "no_cases"};
  switch (protocol.procedure) {
    case Procedure::kCold:
      return SampleCold(sampler, cases, protocol, stop, now);
    case Procedure::kDoBench:
      if (cases.size() != 1) throw std::logic_error("do_bench times one case at a time");
      return SampleDoBench(sampler, *cases.front());
  }
  __builtin_unreachable();
}

}  // namespace ropebench
