// libFuzzer target: no text of a config breaks the loader, and what it accepts has valid workloads.
#include <string>

#include "benchmarks/bench_case.h"
#include "benchmarks/suite_config.h"
#include "tests/fuzz/fuzz_target.h"

namespace ropebench {

int FuzzSuiteConfig(const std::uint8_t* data, std::size_t size) {
  // Reading files would make a run depend on the machine.
  const auto read = [](const std::string& path) -> std::string {
    if (path == "none.json") throw TextFileError("it is not there");
    return R"({"model_type": "llama", "num_attention_heads": 4, "hidden_size": 32})";
  };
  const auto parse = [&](std::string_view text) {
    const SuiteConfig config = ParseSuiteConfig(text, "x.yaml", read);
    if (config.sweeps.empty()) abort();
    for (const SweepConfig& sweep : config.sweeps) {
      if (sweep.workloads.empty()) abort();
      // One of many: each costs time, and they differ in what the loader computes least.
      const RopeWorkload& workload = sweep.workloads.back();
      if (Validate(workload)) abort();
      if (sweep.identity == Identity::kLiger && WhyNotLiger(workload)) abort();
      BenchCase bench_case;
      bench_case.workload = workload;
      if (CaseId(bench_case).find_first_of(" \n,") != std::string::npos) abort();
    }
  };
  return Probe(parse, data, size);
}

}  // namespace ropebench
