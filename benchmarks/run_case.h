// RunCase: one case from inputs to result.
//
//   seeded inputs -> prepare -> poison, guard zones -> run once -> verify -> ceilings -> sample
//   -> fresh inputs, run once, verify again -> summarise
//
// Whatever goes wrong ends this case alone, with a status.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "backends/backend.h"
#include "benchmarks/bench_case.h"
#include "benchmarks/statistics.h"
#include "kernels/correctness_policy.h"

namespace ropebench {

// Names are KernelIndex's run status values.
enum class CaseStatus : std::uint8_t {
  kPassed,
  kIncorrectNumerical,  // the policy, a guard zone or an input was violated, before or after timing
  kRuntimeError,
  kResourceExceeded,    // out of memory
  kIncompleteEvidence,  // verified, but the timer gave no sample
};
std::string_view Name(CaseStatus status);

// What the same device reaches under the same protocol in the same run.
struct Ceilings {
  struct Copy {
    std::string variant;
    double median_ns;
  };
  std::vector<Copy> copies;  // every copy of the same bytes, fastest first
  double floor_ns = 0.0;     // median of the empty kernel
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
  std::chrono::system_clock::time_point observed_at;

  bool passed() const { return status == CaseStatus::kPassed; }
  double gb_per_s() const;         // bytes over the median; decimal
  double percent_of_copy() const;  // the fastest copy over the median; copies not empty
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

  std::map<CeilingKey, Ceilings> ceilings_;
};

// The element of backend.variants() with that name, or nullptr.
const KernelVariant* FindVariant(const Backend& backend, std::string_view name);

}  // namespace ropebench
