#include "benchmarks/run_case.h"

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

double CaseResult::percent_of_copy() const {
  return 100.0 * ceilings.copies.front().median_ns / summary.median;
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

  Ceilings ceilings;
  for (const KernelVariant& variant : backend.variants()) {
    if (variant.role == KernelRole::kRope || backend.WhyUnsupported(variant, workload)) continue;
    const std::unique_ptr<PreparedCase> prepared = backend.Prepare(variant, workload);
    const CorrectnessReport report = LoadRunCheck(*prepared, workload, variant.role, 0);
    if (!report.passed()) {
      throw CaseFailure(CaseStatus::kRuntimeError,
                        "the ceiling is broken: " + report.first_failure);
    }
    const auto sampler =
        backend.MakeSampler(protocol.timer, FlushBytes(protocol, backend.device()));
    PreparedCase* const cases[] = {prepared.get()};
    const SampleSet set = TakeSamples(*sampler, cases, protocol);
    if (set.samples_ns.front().empty()) continue;
    const double median = Summarise(set.samples_ns.front(), sampler->tick_ns()).median;
    if (variant.role == KernelRole::kEmpty) {
      ceilings.floor_ns = median;
    } else {
      ceilings.copies.push_back({std::string(variant.name), median});
    }
  }
  std::sort(ceilings.copies.begin(), ceilings.copies.end(),
            [](const auto& a, const auto& b) { return a.median_ns < b.median_ns; });
  ceilings_.emplace(key, ceilings);
  return ceilings;
}

CaseResult CaseRunner::Run(Backend& backend, const BenchCase& bench_case) {
  const RopeWorkload& workload = bench_case.workload;
  CaseResult result;
  result.bench_case = bench_case;
  result.bytes = MinTrafficBytes(workload);
  result.flush_bytes = FlushBytes(bench_case.protocol, backend.device());
  result.observed_at = std::chrono::system_clock::now();
  try {
    const KernelVariant* variant = FindVariant(backend, bench_case.variant);
    if (variant == nullptr) throw std::logic_error("no variant " + bench_case.variant);
    result.ceilings = CeilingsFor(backend, bench_case);

    const std::unique_ptr<PreparedCase> prepared = backend.Prepare(*variant, workload);
    const auto verify = [&](std::uint64_t seed_offset, const char* when) {
      result.correctness.Merge(LoadRunCheck(*prepared, workload, variant->role, seed_offset));
      if (!result.correctness.passed()) {
        throw CaseFailure(CaseStatus::kIncorrectNumerical,
                          when + (": " + result.correctness.first_failure));
      }
    };
    verify(0, "before timing");

    const auto sampler = backend.MakeSampler(bench_case.protocol.timer, result.flush_bytes);
    result.tick_ns = sampler->tick_ns();
    PreparedCase* const cases[] = {prepared.get()};
    SampleSet set = TakeSamples(*sampler, cases, bench_case.protocol);

    verify(kFreshSeedOffset, "after timing");

    if (set.samples_ns.front().empty()) {
      throw CaseFailure(CaseStatus::kIncompleteEvidence, "the timer gave no sample");
    }
    result.samples_ns = std::move(set.samples_ns.front());
    result.stop_reason = std::move(set.stop_reason);
    result.summary = Summarise(result.samples_ns, result.tick_ns);
    result.status = CaseStatus::kPassed;
  } catch (const CaseFailure& failure) {
    result.status = failure.status;
    result.detail = failure.what();
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
  return result;
}

}  // namespace ropebench
