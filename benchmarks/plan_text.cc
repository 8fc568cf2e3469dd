#include "benchmarks/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "benchmarks/environment.h"
#include "benchmarks/expected_time.h"
#include "benchmarks/protocols.h"

namespace ropebench {
namespace {

std::string SpanText(double ns) {
  if (ns >= 3600e9) return fmt::format("{:.1f} h", ns / 3600e9);
  if (ns >= 60e9) return fmt::format("{:.1f} min", ns / 60e9);
  return ns >= 1e9 ? fmt::format("{:.1f} s", ns / 1e9) : fmt::format("{:.0f} ms", ns / 1e6);
}

}  // namespace

std::string CaseLines(const Plan& plan) {
  std::string text;
  for (const PlannedCase& planned : plan.cases) {
    const RopeWorkload& workload = planned.bench_case.workload;
    fmt::format_to(std::back_inserter(text), "{}\tbytes={}\texpected_us={:.2f}\n",
                   CaseId(planned.bench_case), MinTrafficBytes(workload),
                   ExpectedCallNs(workload, planned.backend->device()) / 1e3);
  }
  return text;
}

std::string PlanSummary(const Plan& plan, int repetitions) {
  double bytes = 0.0;
  double ns = 0.0;
  bool guessed = false;
  for (const PlannedCase& planned : plan.cases) {
    const DeviceInfo& device = planned.backend->device();
    bytes += static_cast<double>(MinTrafficBytes(planned.bench_case.workload));
    ns += ExpectedSamplingNs(planned.bench_case, device) * repetitions;
    guessed = guessed || device.peak_bytes_per_s <= 0.0;
  }
  return fmt::format(
      "{} case(s), {} skipped; {:.3g} GB in one call of each; sampling takes some {}{}\n",
      plan.cases.size(), plan.skipped.size(), bytes / 1e9, SpanText(ns),
      guessed
          ? fmt::format(", at {:.0f} GB/s where a device names no peak", kFallbackBytesPerS / 1e9)
          : "");
}

std::string PlanText(const Plan& plan, int repetitions) {
  std::string text;
  std::vector<const Backend*> devices;
  std::vector<std::string> protocols;
  for (const PlannedCase& planned : plan.cases) {
    if (std::find(devices.begin(), devices.end(), planned.backend) == devices.end()) {
      devices.push_back(planned.backend);
      text += EnvironmentText(planned.backend->device());
    }
    const Protocol& protocol = planned.bench_case.protocol;
    std::string line =
        fmt::format("protocol  {} {}, {}, {}: {}\n", protocol.name, protocol.version,
                    Name(protocol.timer), Name(protocol.pass), ProtocolNotes(protocol));
    if (std::find(protocols.begin(), protocols.end(), line) == protocols.end()) {
      protocols.push_back(std::move(line));
    }
  }
  for (const std::string& line : protocols) text += line;
  text += CaseLines(plan);
  for (const SkippedCase& skipped : plan.skipped) {
    text += fmt::format("skipped {}: {}\n", skipped.what, skipped.reason);
  }
  return text + PlanSummary(plan, repetitions);
}

}  // namespace ropebench
