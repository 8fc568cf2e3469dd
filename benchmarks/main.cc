// ropebench: plans the cases that the command line and the configs ask for, runs them and decides
// the exit code.
//
//   0  at least one selected case passed and none failed
//   1  a case failed
//   2  bad usage, bad config, nothing selected, everything skipped, or a result that cannot be kept
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/registry.h"
#include "benchmarks/bench_case.h"
#include "benchmarks/environment.h"
#include "benchmarks/nearest_name.h"
#include "benchmarks/options.h"
#include "benchmarks/protocols.h"
#include "benchmarks/run_case.h"
#include "benchmarks/suite_config.h"
#include "benchmarks/suite_run.h"
#include "evidence/store.h"
#include "ropebench_revision.h"

namespace ropebench {
namespace {

constexpr int kExitPassed = 0;
constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

struct Plan {
  std::vector<PlannedCase> cases;
  std::vector<SkippedCase> skipped;  // selected, but nothing here can run them
};

// The devices that the run uses: of each named backend the chosen device; without names, or for
// auto, the first backend that has one.
std::vector<Backend*> ChooseDevices(const std::vector<BackendDevices>& backends,
                                    const Options& options) {
  std::vector<std::string> names = options.backends;
  if (names.empty()) names = {"auto"};
  std::vector<Backend*> chosen;
  const auto take = [&](const BackendDevices& entry) {
    const auto index = static_cast<std::size_t>(options.device.value_or(0));
    if (entry.devices.empty()) throw UsageError(entry.backend + ": " + entry.why_none);
    if (index >= entry.devices.size()) {
      throw UsageError(fmt::format("--device {}: {} has {} device(s); see --list devices", index,
                                   entry.backend, entry.devices.size()));
    }
    Backend* device = entry.devices[index].get();
    if (std::find(chosen.begin(), chosen.end(), device) == chosen.end()) chosen.push_back(device);
  };
  for (const std::string& name : names) {
    for (const BackendDevices& entry : backends) {
      if (name == entry.backend || (name == "auto" && !entry.devices.empty())) {
        take(entry);
        break;
      }
    }
  }
  return chosen;
}

const DeviceInfo* FindTwin(const std::vector<BackendDevices>& backends, const DeviceInfo& device) {
  if (!device.uuid) return nullptr;
  for (const BackendDevices& entry : backends) {
    if (entry.backend == device.backend) continue;
    for (const auto& other : entry.devices) {
      // Only CUDA's view names the architecture, so it stands for both.
      if (other->device().uuid == device.uuid && entry.backend == "cuda") return &other->device();
    }
  }
  return nullptr;
}

// What runs without --config: configs/reference.yaml, so that the program needs no file of its own.
SuiteConfig ReferenceConfig() {
  return ParseSuiteConfig(
      "sweeps:\n"
      "  - {identity: liger, pass: forward, seq: 2048, hidden: 512, q_heads: 32, kv_heads: 8,\n"
      "     dtype: bf16}\n",
      "reference workload");
}

// Names that a user typed and nothing knows are usage errors, with the nearest known one.
void CheckNames(const Options& options, const CaseRequest& request) {
  std::vector<std::string> variants;
  for (const DeviceChoice& device : request.devices) {
    variants.insert(variants.end(), device.variants.begin(), device.variants.end());
  }
  const auto check = [](const char* flag, const std::string& name, auto known) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw UsageError(
        fmt::format("{}: no {} on the chosen devices{}", flag, name, DidYouMean(name, known)));
  };
  for (const std::string& name : options.variants) check("--variant", name, variants);
  for (const std::string& name : options.protocols) check("--protocol", name, ProtocolNames());
  for (const auto& [key, value] : options.select) {
    const std::vector<std::string> keys = CaseKeyNames();
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    throw UsageError(fmt::format("--select: no key {}{}", key, DidYouMean(key, keys)));
  }
}

bool IsSelected(const BenchCase& bench_case, const Options& options) {
  if (options.select.empty()) return true;
  const auto keys = CaseKeys(bench_case);
  return std::all_of(options.select.begin(), options.select.end(), [&](const auto& wanted) {
    return std::find(keys.begin(), keys.end(), wanted) != keys.end();
  });
}

std::optional<std::string> WhySkipped(const BenchCase& bench_case, const Backend& backend) {
  if (const auto why = backend.WhyNoTimer(bench_case.protocol.timer)) return why;
  return backend.WhyUnsupported(*FindVariant(backend, bench_case.variant), bench_case.workload);
}

// What to change where none of the cases is selected: the values that a --select key does have, or
// the ids that come nearest to the filter.
std::string WhyNothing(const std::vector<BenchCase>& cases, const std::vector<std::string>& ids,
                       const Options& options) {
  if (cases.empty()) return "the configs ask for nothing that the chosen devices have";
  for (const auto& [key, value] : options.select) {
    std::vector<std::string> values;
    for (const BenchCase& bench_case : cases) {
      for (const auto& [case_key, case_value] : CaseKeys(bench_case)) {
        const bool is_new = std::find(values.begin(), values.end(), case_value) == values.end();
        if (case_key == key && is_new && values.size() < 10) values.push_back(case_value);
      }
    }
    if (std::find(values.begin(), values.end(), value) != values.end()) continue;
    return fmt::format("no case has {}={}; there is {}", key, value, fmt::join(values, ", "));
  }
  const std::string nearest = DidYouMean(options.filter, ids);
  return fmt::format("none of {} case(s) matches{}", ids.size(),
                     nearest.empty() ? "; the first is " + ids.front() : nearest);
}

// Throws UsageError where nothing is selected, with the nearest id.
Plan PlanCases(const std::vector<SuiteConfig>& configs, const std::vector<Backend*>& devices,
               const std::vector<BackendDevices>& backends, const Options& options) {
  CaseRequest request;
  for (const Backend* backend : devices) {
    DeviceChoice& choice = request.devices.emplace_back();
    choice.backend = backend->device().backend;
    choice.device = backend->device().index;
    for (const KernelVariant& variant : backend->variants()) {
      if (variant.role == KernelRole::kRope) choice.variants.emplace_back(variant.name);
    }
  }
  request.protocols = options.protocols;
  request.variants = options.variants;
  CheckNames(options, request);

  CaseExpansion expansion = ExpandCases(configs, request);
  Plan plan;
  plan.skipped = std::move(expansion.skipped);
  const auto matches_filter = MakeFilter(options.filter);
  std::vector<std::string> ids;
  for (const BenchCase& bench_case : expansion.cases) {
    const std::string& id = ids.emplace_back(CaseId(bench_case));
    if (!matches_filter(id) || !IsSelected(bench_case, options)) continue;
    Backend& backend = **std::find_if(devices.begin(), devices.end(), [&](const Backend* device) {
      return device->device().backend == bench_case.backend &&
             device->device().index == bench_case.device;
    });
    std::optional<std::string> why = WhySkipped(bench_case, backend);
    PlannedCase planned{bench_case, &backend, {}};
    if (!why && options.min_time_s) {
      why = OverrideMinTime(planned.bench_case.protocol,
                            static_cast<std::int64_t>(*options.min_time_s * 1e9));
    }
    if (why) {
      plan.skipped.push_back({id, *why});
      continue;
    }
    const DeviceInfo& device = backend.device();
    planned.environment = DescribeEnvironment(device, FindTwin(backends, device));
    plan.cases.push_back(std::move(planned));
  }
  if (plan.cases.empty() && plan.skipped.empty()) {
    throw UsageError("nothing is selected: " + WhyNothing(expansion.cases, ids, options));
  }
  return plan;
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
    }
  }
}

// Results that have nowhere to go are met before any device work.
void CheckWritable(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0) return;
  throw UsageError(fmt::format("--benchmark_out: cannot write into the folder of {}", file));
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
  for (const SkippedCase& skipped : plan.skipped) {
    fmt::print(stderr, "skipped {}: {}\n", skipped.what, skipped.reason);
  }
  if (options.list == "cases") {
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
  return kExitPassed;
}

}  // namespace

// Everything that can go wrong before and around the cases ends here, as one line.
int Main(int argc, const char* const* argv) {
  try {
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
