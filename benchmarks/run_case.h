// RunCase: one case from inputs to result.
//
//   ceilings (once for all cases that share them) -> seeded inputs -> prepare -> poison, guard
//   zones
//   -> run once -> verify -> sample -> guard zones and inputs again -> fresh inputs, run once,
//   verify again -> summarise
//
// Whatever goes wrong ends this case alone, with a status.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "backends/backend.h"
#include "benchmarks/bench_case.h"
#include "evidence/statistics.h"
#include "kernels/correctness_policy.h"

namespace ropebench {

// Names are KernelIndex's run status values.
enum class CaseStatus : std::uint8_t {
  kPassed,
  kIncorrectNumerical,  // the policy, a guard zone or an input was violated, before or after timing
  kRuntimeError,
  kResourceExceeded,    // out of memory
  kIncompleteEvidence,  // verified, but the timer gave no sample that it can resolve
};
std::string_view Name(CaseStatus status);

// What the same device reaches under the same protocol in the same run.
struct Ceilings {
  struct Copy {
    std::string variant;
    double median_ns;
  };
  std::vector<Copy> copies;  // every copy of the same bytes that ran, fastest first
  double floor_ns = 0.0;     // median of the empty kernel
  std::string trouble;       // why a ceiling is missing; empty if none is
};

struct CaseResult {
  BenchCase bench_case;
  CaseStatus status = CaseStatus::kRuntimeError;
  std::string detail;              // one line on what went wrong; empty if passed
  CorrectnessReport correctness;   // of both verifications together
  std::uint64_t bytes = 0;         // MinTrafficBytes
  std::uint64_t flush_bytes = 0;   // that the protocol's flush amounted to
  double tick_ns = 0.0;            // the timer's resolution
  std::vector<double> samples_ns;  // in the order taken; empty unless passed
  std::string stop_reason;
  Summary summary;  // valid if passed
  Ceilings ceilings;
  double copy_median_ns = 0.0;    // of the fastest copy, in samples that alternate with the case's;
                                  // 0 if no copy ran
  double peak_bytes_per_s = 0.0;  // of the device; 0 where unknown
  bool is_kept = true;            // false for a case that could not be tried: it is no evidence
  std::chrono::system_clock::time_point observed_at;

  bool passed() const { return status == CaseStatus::kPassed; }
  double gb_per_s() const;         // bytes over the median; decimal
  double percent_of_copy() const;  // copy_median_ns over the median
  bool is_above_peak() const;      // a rate that memory cannot have: the bytes came from a cache
};

// Runs cases and remembers the ceilings that they share. One object per run of the program.
class CaseRunner {
 public:
  // `bench_case` names a variant of `backend` that supports the workload, and a timer that is
  // there.
  CaseResult Run(Backend& backend, const BenchCase& bench_case);

 private:
  // Backend, protocol name, pass, placement and bytes decide what a copy measures.
  using CeilingKey = std::tuple<const Backend*, std::string, Pass, Placement, std::uint64_t>;
  Ceilings CeilingsFor(Backend& backend, const BenchCase& bench_case);

  void RunOrThrow(Backend& backend, const BenchCase& bench_case, CaseResult& result);

  std::map<CeilingKey, Ceilings> ceilings_;
  std::set<const Backend*> lost_;  // backends whose device is gone
};

// The element of backend.variants() with that name, or nullptr.
const KernelVariant* FindVariant(const Backend& backend, std::string_view name);

}  // namespace ropebench
