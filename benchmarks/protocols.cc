#include "benchmarks/protocols.h"

#include <fmt/format.h>

#include <iterator>

#include "backends/sampler.h"
#include "benchmarks/nearest_name.h"

namespace ropebench {
namespace {

struct NamedProtocol {
  std::string_view name;
  std::string_view version;
  Procedure procedure;
  std::uint64_t flush_bytes;  // as in Protocol
  // The timer on each backend, or nothing where the protocol does not exist there.
  std::optional<Timer> cuda;
  std::optional<Timer> vulkan;
  std::optional<Timer> cpu;
};

constexpr NamedProtocol kProtocols[] = {
    {"cold", "1", Procedure::kCold, 0, Timer::kCupti, Timer::kVulkanTimestamps, Timer::kHostClock},
    {"cold_events", "1", Procedure::kCold, 0, Timer::kCudaEvents, std::nullopt, std::nullopt},
    {"do_bench", "1", Procedure::kDoBench, std::uint64_t{256} << 20, Timer::kCudaEvents,
     std::nullopt, std::nullopt},
};

std::string_view TimedText(Timer timer) {
  switch (timer) {
    case Timer::kCupti:
      return "each kernel's own start and end in CUPTI activity records; the durations of the "
             "kernels of one call are added";
    case Timer::kCudaEvents:
      return "the span between two CUDA events around the launches of one call";
    case Timer::kVulkanTimestamps:
      return "the span between two timestamps around the dispatches of one call";
    case Timer::kHostClock:
      return "the span on the host's steady clock around one call, the start of its threads "
             "included";
  }
  __builtin_unreachable();
}

std::string_view CallText(Pass pass) {
  switch (pass) {
    case Pass::kForward:
      return "one forward of q and k in one launch";
    case Pass::kBackward:
      return "one backward of dq and dk in one launch";
    case Pass::kFull:
      return "one forward of q and k, then one backward of dq and dk, two launches";
  }
  __builtin_unreachable();
}

std::string_view BlockText(Timer timer) {
  switch (timer) {
    case Timer::kCupti:
    case Timer::kCudaEvents:
      return "the stream is blocked until the call and its timers are enqueued, so that the host's "
             "launch cost cannot fall between start and end";
    case Timer::kVulkanTimestamps:
      return "the call and its timestamps are submitted as one command buffer";
    case Timer::kHostClock:
      return "the call returns when it is done";
  }
  __builtin_unreachable();
}

std::string FlushText(const Protocol& protocol) {
  const std::string size =
      protocol.flush_bytes == 0
          ? "twice the last-level cache (256 MiB where unknown, 16 MiB on a software device)"
          : fmt::format("{} bytes", protocol.flush_bytes);
  return fmt::format("a buffer of {} is overwritten, which leaves the cache dirty", size);
}

constexpr std::string_view kStatisticsText =
    "Quantiles: linear interpolation at q (n - 1). No sample is dropped.";

}  // namespace

std::span<const std::string_view> ProtocolNames() {
  static constexpr std::string_view kNames[] = {kProtocols[0].name, kProtocols[1].name,
                                                kProtocols[2].name};
  static_assert(std::size(kNames) == std::size(kProtocols));
  return kNames;
}

std::variant<Protocol, std::string> ResolveProtocol(std::string_view name, std::string_view backend,
                                                    Pass pass) {
  for (const NamedProtocol& named : kProtocols) {
    if (named.name != name) continue;
    const std::optional<Timer> timer = backend == "cuda"     ? named.cuda
                                       : backend == "vulkan" ? named.vulkan
                                       : backend == "cpu"    ? named.cpu
                                                             : std::nullopt;
    if (!timer) return fmt::format("protocol {} does not exist on {}", name, backend);
    Protocol protocol;
    protocol.name = named.name;
    protocol.version = named.version;
    protocol.pass = pass;
    protocol.procedure = named.procedure;
    protocol.timer = *timer;
    protocol.flush_bytes = named.flush_bytes;
    return protocol;
  }
  return fmt::format("no protocol {}{}", name, DidYouMean(name, ProtocolNames()));
}

std::optional<std::string> OverrideMinTime(Protocol& protocol, std::int64_t min_time_ns) {
  if (protocol.procedure == Procedure::kDoBench) {
    return fmt::format("protocol {} fixes its own sampling time", protocol.name);
  }
  // What would end the case before the time asked for makes way: a cold sample's flush and waiting
  // take some ten times as long as a short kernel.
  protocol.min_time_ns = min_time_ns;
  protocol.max_samples = 1'000'000;
  protocol.wall_limit_ns += 100 * min_time_ns;
  return std::nullopt;
}

std::string ProtocolNotes(const Protocol& p) {
  const std::string timed =
      fmt::format("A call is {}. Timed: {}.", CallText(p.pass), TimedText(p.timer));
  if (p.procedure == Procedure::kDoBench) {
    return fmt::format(
        "{} Procedure of triton.testing.do_bench with its defaults: one call; an estimate from one "
        "event pair around {} x (flush, call), flush included; max(1, int({} ms / estimate)) calls "
        "of warm-up without flush; max(1, int({} ms / estimate)) samples, each flush, start, call, "
        "end; one synchronization after the last. Flush: {}. Launches are not blocked, so the "
        "host's launch cost can fall between start and end. {} Wall limit: none.",
        timed, kDoBenchEstimateRuns, kDoBenchWarmupNs / 1e6, kDoBenchRepeatNs / 1e6, FlushText(p),
        kStatisticsText);
  }
  return fmt::format(
      "{} Order: {} calls of warm-up; per sample flush, synchronize, start, call, end, "
      "synchronize; "
      "samples alternate with those of the fastest copy of the same bytes. Flush: {}. Launch: {}. "
      "Stop: at {} samples, or once there are {} that add up to {} ns; asked every {} samples. {} "
      "Wall limit: no new sample after {} ns in one case, but {} are always taken.",
      timed, p.warmup_calls, FlushText(p), BlockText(p.timer), p.max_samples, p.min_samples,
      p.min_time_ns, kRoundsPerGroup, kStatisticsText, p.wall_limit_ns, kLeastRounds);
}

}  // namespace ropebench
