// Sweeps from YAML files, and the cases that they ask for. configs/README.md is the language.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/bench_case.h"
#include "benchmarks/config_error.h"
#include "benchmarks/text_file.h"
#include "evidence/identity.h"
#include "kernels/rope_workload.h"

namespace ropebench {

// Workloads times protocols of one file, before its exclude rules.
inline constexpr std::size_t kMaxConfigCases = 100'000;

struct SweepConfig {
  std::string name;
  std::string where;                    // file:line:column
  std::vector<RopeWorkload> workloads;  // valid, at least one; what `identity` can describe
  Identity identity = Identity::kStrict;
  std::vector<std::string> protocols;  // known names; empty: the default protocol
  std::vector<std::string> backends;   // known names; empty: every backend
  std::vector<std::string> variants;   // empty: every variant; names are not checked, and
                                       // kAutoVariant may be among them
};

struct SuiteConfig {
  std::string path;
  std::vector<SweepConfig> sweeps;  // at least one
};

// Throws ConfigError. A file may be anything that can be read to its end, a pipe too.
SuiteConfig LoadSuiteConfig(const std::string& path);

// The same for a text; `name` stands for the path, in messages and as the place that paths in the
// text begin at. `read` reads the models that it names.
SuiteConfig ParseSuiteConfig(std::string_view text, const std::string& name,
                             const TextFileReader& read = ReadTextFile);

// Stands for the best variant by the shape of the workload; reports carry that variant's own name.
inline constexpr std::string_view kAutoVariant = "auto";

// A device that cases may run on, with every rotation that its backend offers.
struct DeviceChoice {
  std::string backend;
  int device = 0;
  std::vector<std::string> variants;
  // The variant that `auto` stands for, one of `variants`.
  std::function<std::string(const RopeWorkload&)> auto_variant = nullptr;
};

// What the command line adds to the configs. An empty list restricts nothing.
struct CaseRequest {
  std::vector<DeviceChoice> devices;
  std::vector<std::string> protocols;  // instead of those of the sweeps
  std::vector<std::string> variants;   // of these only; kAutoVariant may be among them
};

struct SkippedCase {
  std::string what;  // a case id, or a sweep's place and name
  std::string reason;
};

struct CaseExpansion {
  std::vector<BenchCase> cases;      // each case once
  std::vector<SkippedCase> skipped;  // what a config asks for and the request cannot give
};

// The cases of the configs on the devices, in the order of configs, sweeps, workloads, protocols,
// devices, variants: those to be compared stand side by side. A case that several sweeps share runs
// at its first place. Pure: whether a variant supports a workload is asked elsewhere.
CaseExpansion ExpandCases(std::span<const SuiteConfig> configs, const CaseRequest& request);

}  // namespace ropebench
