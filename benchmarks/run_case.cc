#include "benchmarks/run_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "backends/sampler.h"
#include "benchmarks/verification.h"
#include "kernels/input_data.h"

namespace ropebench {
namespace {

// Ends a case with a status other than that of the exception's type.
struct CaseFailure : std::runtime_error {
  CaseFailure(CaseStatus s, const std::string& what) : std::runtime_error(what), status(s) {}
  CaseStatus status;
};

// Loads fresh data, runs the case once and judges it.
CorrectnessReport LoadRunCheck(PreparedCase& prepared, const RopeWorkload& workload,
                               KernelRole role, std::uint64_t seed_offset) {
  const CaseData data(workload, role, seed_offset);
  data.Load(prepared);
  prepared.RunOnce();
  return data.Check(prepared);
}

SampleSet TakeSamples(Sampler& sampler, std::span<PreparedCase* const> cases,
                      const Protocol& protocol) {
  EnoughSamples stop(protocol, cases.size());
  return Sample(sampler, cases, protocol, stop);
}

}  // namespace

std::string_view Name(CaseStatus status) {
  static constexpr std::string_view kNames[] = {"passed", "incorrect_numerical", "runtime_error",
                                                "resource_exceeded", "incomplete_evidence"};
  return kNames[static_cast<std::size_t>(status)];
}

double CaseResult::gb_per_s() const { return static_cast<double>(bytes) / summary.median; }

double CaseResult::percent_of_copy() const { return 100.0 * copy_median_ns / summary.median; }

bool CaseResult::is_above_peak() const {
  return peak_bytes_per_s > 0.0 && gb_per_s() * 1e9 > peak_bytes_per_s;
}

const KernelVariant* FindVariant(const Backend& backend, std::string_view name) {
  for (const KernelVariant& variant : backend.variants()) {
    if (variant.name == name) return &variant;
  }
  return nullptr;
}

Ceilings CaseRunner::CeilingsFor(Backend& backend, const BenchCase& bench_case) {
  const RopeWorkload& workload = bench_case.workload;
  const Protocol& protocol = bench_case.protocol;
  const CeilingKey key = {&backend, protocol.name, workload.pass, workload.placement,
                          MinTrafficBytes(workload)};
  if (const auto found = ceilings_.find(key); found != ceilings_.end()) return found->second;

  Ceilings& ceilings = ceilings_[key];
  for (const KernelVariant& variant : backend.variants()) {
    if (variant.role == KernelRole::kRope || backend.WhyUnsupported(variant, workload)) continue;
    try {
      const std::unique_ptr<PreparedCase> prepared = backend.Prepare(variant, workload);
      const CorrectnessReport report = LoadRunCheck(*prepared, workload, variant.role, 0);
      if (!report.passed()) throw DeviceError(report.first_failure);
      const auto sampler =
          backend.MakeSampler(protocol.timer, FlushBytes(protocol, backend.device()));
      PreparedCase* const cases[] = {prepared.get()};
      const SampleSet set = TakeSamples(*sampler, cases, protocol);
      const double median = Summarise(set.samples_ns.front(), sampler->tick_ns()).median;
      if (variant.role == KernelRole::kEmpty) {
        ceilings.floor_ns = median;
      } else {
        ceilings.copies.push_back({std::string(variant.name), median});
      }
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& error) {
      // A ceiling that fails is no fault of the rotation's: it goes without.
      ceilings.trouble +=
          fmt::format("{}{}: {}", ceilings.trouble.empty() ? "" : "; ", variant.name, error.what());
    }
  }
  std::sort(ceilings.copies.begin(), ceilings.copies.end(),
            [](const auto& a, const auto& b) { return a.median_ns < b.median_ns; });
  return ceilings;
}

void CaseRunner::RunOrThrow(Backend& backend, const BenchCase& bench_case, CaseResult& result) {
  const RopeWorkload& workload = bench_case.workload;
  const Protocol& protocol = bench_case.protocol;
  const KernelVariant* variant = FindVariant(backend, bench_case.variant);
  if (variant == nullptr) throw std::logic_error("no variant " + bench_case.variant);
  result.ceilings = CeilingsFor(backend, bench_case);

  const auto judge = [&](const CorrectnessReport& report, const char* when) {
    result.correctness.Merge(report);
    if (!result.correctness.passed()) {
      throw CaseFailure(CaseStatus::kIncorrectNumerical,
                        fmt::format("{}: {}", when, result.correctness.first_failure));
    }
  };
  const std::unique_ptr<PreparedCase> prepared = backend.Prepare(*variant, workload);
  SampleSet set;
  {
    const CaseData data(workload, variant->role, 0);
    data.Load(*prepared);
    prepared->RunOnce();
    judge(data.Check(*prepared), "before timing");

    const auto sampler = backend.MakeSampler(protocol.timer, result.flush_bytes);
    result.tick_ns = sampler->tick_ns();
    std::vector<PreparedCase*> cases = {prepared.get()};
    std::unique_ptr<PreparedCase> copy;
    if (!result.ceilings.copies.empty() && protocol.procedure == Procedure::kCold) {
      copy =
          backend.Prepare(*FindVariant(backend, result.ceilings.copies.front().variant), workload);
      cases.push_back(copy.get());
    }
    set = TakeSamples(*sampler, cases, protocol);
    judge(data.Check(*prepared, CaseData::Calls::kMany), "during timing");
  }
  judge(LoadRunCheck(*prepared, workload, variant->role, kFreshSeedOffset), "after timing");

  result.samples_ns = std::move(set.samples_ns.front());
  result.stop_reason = std::move(set.stop_reason);
  result.summary = Summarise(result.samples_ns, result.tick_ns);
  if (result.summary.median < result.tick_ns) {
    throw CaseFailure(CaseStatus::kIncompleteEvidence,
                      fmt::format("the median of {} ns is below the timer's tick of {} ns",
                                  result.summary.median, result.tick_ns));
  }
  if (set.samples_ns.size() == 2) {
    result.copy_median_ns = Summarise(set.samples_ns[1], result.tick_ns).median;
  } else if (!result.ceilings.copies.empty()) {
    result.copy_median_ns = result.ceilings.copies.front().median_ns;
  }
}

CaseResult CaseRunner::Run(Backend& backend, const BenchCase& bench_case) {
  CaseResult result;
  result.bench_case = bench_case;
  result.bytes = MinTrafficBytes(bench_case.workload);
  result.flush_bytes = FlushBytes(bench_case.protocol, backend.device());
  result.peak_bytes_per_s = backend.device().peak_bytes_per_s;
  result.observed_at = std::chrono::system_clock::now();
  if (lost_.contains(&backend)) {
    result.is_kept = false;
    result.detail = "not run: the device was lost in an earlier case";
    return result;
  }
  try {
    RunOrThrow(backend, bench_case, result);
    result.status = CaseStatus::kPassed;
    return result;
  } catch (const CaseFailure& failure) {
    result.status = failure.status;
    result.detail = failure.what();
  } catch (const DeviceLost& error) {
    lost_.insert(&backend);
    result.status = CaseStatus::kRuntimeError;
    result.detail = error.what();
  } catch (const OutOfMemory& error) {
    result.status = CaseStatus::kResourceExceeded;
    result.detail = error.what();
  } catch (const std::bad_alloc&) {
    result.status = CaseStatus::kResourceExceeded;
    result.detail = "out of host memory";
  } catch (const std::exception& error) {
    result.status = CaseStatus::kRuntimeError;
    result.detail = error.what();
  }
  result.samples_ns.clear();
  return result;
}

}  // namespace ropebench
