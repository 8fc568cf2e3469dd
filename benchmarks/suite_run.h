// Runs planned cases as Google Benchmark benchmarks: one body call per repetition, manual time, our
// own sampling loop inside.
#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks/options.h"
#include "benchmarks/plan.h"
#include "evidence/store.h"

namespace ropebench {

struct RunCounts {
  std::int64_t passed = 0;  // body calls, so repetitions count
  std::int64_t failed = 0;
};

// Runs every case and prints rows as they come; with a store, each finished case is durable before
// the next begins. A case that fails is a row without a time. Writes --benchmark_out at the end.
// Throws StoreError where a result cannot be kept; what was stored before stays.
RunCounts RunSuite(const std::vector<PlannedCase>& cases, const Options& options, Store* store);

}  // namespace ropebench
