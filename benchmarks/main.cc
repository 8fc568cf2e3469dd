// ropebench: plans the cases that the command line and the configs ask for, runs them and decides
// the exit code.
//
//   0  at least one selected case passed and none failed
//   1  a case failed
//   2  bad usage, bad config, nothing selected, everything skipped, or a result that cannot be kept
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backends/registry.h"
#include "benchmarks/bench_case.h"
#include "benchmarks/commands.h"
#include "benchmarks/environment.h"
#include "benchmarks/options.h"
#include "benchmarks/plan.h"
#include "benchmarks/plan_text.h"
#include "benchmarks/suite_config.h"
#include "benchmarks/suite_run.h"
#include "evidence/store.h"
#include "ropebench_revision.h"

namespace ropebench {
namespace {

constexpr int kExitPassed = 0;
constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

// What runs without --config: configs/reference.yaml, so that the program needs no file of its own.
SuiteConfig ReferenceConfig() {
  return ParseSuiteConfig(
      "sweeps:\n"
      "  - {identity: liger, pass: forward, seq: 2048, hidden: 512, q_heads: 32, kv_heads: 8,\n"
      "     dtype: bf16}\n",
      "reference workload");
}

void ListDevices(const std::vector<BackendDevices>& backends) {
  for (const BackendDevices& entry : backends) {
    if (entry.devices.empty()) fmt::print("{:<7} -  none: {}\n", entry.backend, entry.why_none);
    for (const auto& backend : entry.devices) {
      const DeviceInfo& device = backend->device();
      fmt::print("{:<7} {}  {} ({}), {:.1f} GiB{}{}\n", entry.backend, device.index, device.name,
                 device.architecture, static_cast<double>(device.memory_bytes) / (1 << 30),
                 device.driver.empty() ? "" : ", driver " + device.driver,
                 device.is_software ? ", software" : "");
      for (Timer timer : backend->timers()) {
        fmt::print("           timer {}: {}\n", Name(timer),
                   backend->WhyNoTimer(timer).value_or("ready"));
      }
    }
  }
}

void ListVariants(const std::vector<BackendDevices>& backends) {
  for (const BackendDevices& entry : backends) {
    if (entry.devices.empty()) continue;
    for (const KernelVariant& variant : entry.devices.front()->variants()) {
      fmt::print("{:<7} {:<18} {}{}\n", entry.backend, variant.name, variant.idea,
                 variant.role == KernelRole::kRope ? "" : " (ceiling)");
      if (!variant.suited_for.empty()) {
        fmt::print("{:<7} {:<18} auto: {}\n", "", "", variant.suited_for);
      }
    }
  }
}

// Results that have nowhere to go are met before any device work.
void CheckWritable(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const bool is_folder = std::filesystem::is_directory(file);
  if (!is_folder && access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0) return;
  throw UsageError(fmt::format("--benchmark_out: cannot write {}", file));
}

int Run(const Options& options) {
  std::vector<SuiteConfig> configs;
  for (const std::string& path : options.configs) configs.push_back(LoadSuiteConfig(path));
  if (configs.empty()) configs.push_back(ReferenceConfig());
  MakeFilter(options.filter);  // a bad expression is met before any device is opened
  if (!options.out.empty()) CheckWritable(options.out);

  const std::vector<BackendDevices> backends = OpenBackends();
  if (options.list == "devices") {
    ListDevices(backends);
    return kExitPassed;
  }
  if (options.list == "variants") {
    ListVariants(backends);
    return kExitPassed;
  }

  const std::vector<Backend*> devices = ChooseDevices(backends, options);
  const Plan plan = PlanCases(configs, devices, backends, options);
  if (options.dry_run) {
    fmt::print("{}", PlanText(plan, options.repetitions));
    return plan.cases.empty() ? kExitUsage : kExitPassed;
  }
  for (const SkippedCase& skipped : plan.skipped) {
    fmt::print(stderr, "skipped {}: {}\n", skipped.what, skipped.reason);
  }
  if (options.list == "cases") {
    fmt::print("{}", CaseLines(plan));
    fmt::print(stderr, "{}", PlanSummary(plan, options.repetitions));
    return plan.cases.empty() ? kExitUsage : kExitPassed;
  }
  if (options.list_tests) {
    for (const PlannedCase& planned : plan.cases) fmt::print("{}\n", CaseId(planned.bench_case));
    return plan.cases.empty() ? kExitUsage : kExitPassed;
  }
  if (plan.cases.empty()) throw UsageError("everything that was selected is skipped; see above");

  std::optional<Store> store;
  if (!options.out_dir.empty()) store.emplace(options.out_dir);
  for (const Backend* backend : devices) {
    fmt::print(stderr, "{}", EnvironmentText(backend->device()));
  }
  const RunCounts counts = RunSuite(plan.cases, options, store ? &*store : nullptr);
  if (store) {
    fmt::print(stderr, "{} run(s) stored in {}\n", counts.passed + counts.failed, options.out_dir);
  }
  if (counts.failed > 0) {
    fmt::print(stderr, "ropebench: {} case(s) failed, {} passed\n", counts.failed, counts.passed);
    return kExitFailed;
  }
  if (counts.passed == 0) throw std::logic_error("no case was run");
  return kExitPassed;
}

}  // namespace

// Everything that can go wrong before and around the cases ends here, as one line.
int Main(int argc, const char* const* argv) {
  try {
    if (const std::optional<int> exit_code = RunCommand(argc, argv)) return *exit_code;
    const Options options = ParseOptions(argc, argv);
    if (options.show_help) {
      fmt::print("{}", options.text);
    } else if (options.show_version) {
      fmt::print("ropebench {} {}{}\n", kVersion, *kCommit == '\0' ? "(no commit)" : kCommit,
                 kDirty ? " (dirty)" : "");
    } else {
      return Run(options);
    }
    return kExitPassed;
  } catch (const ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "ropebench: {}\n", error.what());
  }
  return kExitUsage;
}

}  // namespace ropebench

int main(int argc, char** argv) { return ropebench::Main(argc, argv); }
