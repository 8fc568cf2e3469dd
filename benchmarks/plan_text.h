// A plan in words, before anything runs.
#pragma once

#include <string>

#include "benchmarks/plan.h"

namespace ropebench {

// One line for each case: its id, its bytes and the expected time of one call, between tabs:
//   rope/forward/...<TAB>bytes=5308416<TAB>expected_us=2.60
std::string CaseLines(const Plan& plan);

// One line: how many cases, their bytes and the expected time of sampling them all so many times.
std::string PlanSummary(const Plan& plan, int repetitions);

// The whole plan: devices, protocols and what they mean, cases, what is skipped and why, the
// summary.
std::string PlanText(const Plan& plan, int repetitions);

}  // namespace ropebench
