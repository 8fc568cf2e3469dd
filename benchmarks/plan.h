// From configs and the command line to the list of cases that will run.
#pragma once

#include <vector>

#include "backends/backend.h"
#include "backends/registry.h"
#include "benchmarks/bench_case.h"
#include "benchmarks/options.h"
#include "benchmarks/suite_config.h"
#include "evidence/run_record.h"

namespace ropebench {

// A case that can run, and where. The backend outlives the run.
struct PlannedCase {
  BenchCase bench_case;
  Backend* backend = nullptr;
  EnvironmentFacts environment;
};

struct Plan {
  std::vector<PlannedCase> cases;
  std::vector<SkippedCase> skipped;  // selected, but nothing here can run them
};

// The devices that --backend and --device name: of each named backend one device; without names, or
// for auto, the first backend that has a device. Throws UsageError where there is none.
std::vector<Backend*> ChooseDevices(const std::vector<BackendDevices>& backends,
                                    const Options& options);

// The published environment of a device: that of another backend's view of the same card, where it
// says more.
EnvironmentFacts EnvironmentOf(const Backend& backend, const std::vector<BackendDevices>& backends);

// The cases of the configs on those devices that --select and --benchmark_filter accept. What a
// variant, a device or a timer cannot do is skipped with its reason; --benchmark_min_time is
// applied. `backends` is searched for other views of the same card, whose environment must be one.
// Throws UsageError for a name that nothing knows, and where nothing is selected.
Plan PlanCases(const std::vector<SuiteConfig>& configs, const std::vector<Backend*>& devices,
               const std::vector<BackendDevices>& backends, const Options& options);

}  // namespace ropebench
