#include "benchmarks/plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/environment.h"
#include "benchmarks/nearest_name.h"
#include "benchmarks/protocols.h"
#include "benchmarks/run_case.h"
#include "kernels/case_plan.h"

namespace ropebench {
namespace {

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

// Names that a user typed and nothing knows are usage errors, with the nearest known one.
void CheckNames(const Options& options, const CaseRequest& request) {
  std::vector<std::string> variants = {std::string(kAutoVariant)};
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

std::uint64_t HostMemoryBytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// What no backend can give: a plan too large for its parameter blocks, for one buffer, for the
// device's memory or, with the images of inputs and outputs, for the host's.
std::optional<std::string> WhyTooLarge(const RopeWorkload& workload, const DeviceInfo& device) {
  std::uint64_t total = 0;
  try {
    for (const BufferSpec& buffer : MakePlan(workload, KernelRole::kRope).buffers) {
      if (device.max_buffer_bytes != 0 && buffer.bytes > device.max_buffer_bytes) {
        return fmt::format("{} takes {} bytes, the device's largest buffer has {}", buffer.name,
                           buffer.bytes, device.max_buffer_bytes);
      }
      total += buffer.bytes + 2 * kGuardBytes;
    }
  } catch (const std::range_error& error) {
    return error.what();
  }
  if (total > device.memory_bytes) {
    return fmt::format("takes {} bytes, the device has {}", total, device.memory_bytes);
  }
  const std::uint64_t host = HostMemoryBytes();
  if (2 * total > host) {
    return fmt::format("verification takes {} bytes of host memory, there are {}", 2 * total, host);
  }
  return std::nullopt;
}

std::optional<std::string> WhySkipped(const BenchCase& bench_case, const Backend& backend) {
  if (const auto why = backend.WhyNoTimer(bench_case.protocol.timer)) return why;
  if (const auto why = WhyTooLarge(bench_case.workload, backend.device())) return why;
  return backend.WhyUnsupported(*FindVariant(backend, bench_case.variant), bench_case.workload);
}

// The first that supports the workload and suits it, or the last one, which then says why not.
std::string_view AutoVariant(const Backend& backend, const RopeWorkload& workload) {
  std::string_view name;
  for (const KernelVariant& variant : backend.variants()) {
    if (variant.role != KernelRole::kRope) continue;
    name = variant.name;
    if (variant.suits != nullptr && !variant.suits(workload)) continue;
    if (!backend.WhyUnsupported(variant, workload)) break;
  }
  return name;
}

// What stands between the slashes of an id or a filter.
std::set<std::string> Parts(std::string_view id) {
  std::set<std::string> parts;
  for (std::size_t begin = 0; begin <= id.size();) {
    const std::size_t end = std::min(id.find('/', begin), id.size());
    parts.emplace(id.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// What to change where none of the cases is selected: the values that a --select key does have, or
// the part of an id that comes nearest to a part of the filter.
std::string WhyNothing(const std::vector<BenchCase>& cases, const std::vector<std::string>& ids,
                       const Options& options) {
  if (cases.empty()) return "the configs ask for nothing that the chosen devices have";
  constexpr std::size_t kMostShown = 10;
  for (const auto& [key, value] : options.select) {
    std::vector<std::string> values;  // in the order of the cases
    std::set<std::string> seen;
    for (const BenchCase& bench_case : cases) {
      for (const auto& [case_key, case_value] : CaseKeys(bench_case)) {
        if (case_key == key && seen.insert(case_value).second) values.push_back(case_value);
      }
    }
    if (seen.contains(value)) continue;
    const auto shown = std::span(values).first(std::min(values.size(), kMostShown));
    std::string why =
        fmt::format("no case has {}={}; there is {}", key, value, fmt::join(shown, ", "));
    if (values.size() <= kMostShown) return why;
    return fmt::format("{} and {} more{}", why, values.size() - kMostShown,
                       DidYouMean(value, values));
  }
  if (options.filter.empty()) return "no case has all that --select asks for";
  const auto matched = std::count_if(ids.begin(), ids.end(), MakeFilter(options.filter));
  if (matched > 0) {
    return fmt::format("the filter matches {} case(s), --select none of them", matched);
  }
  std::set<std::string> known;
  for (const std::string& id : ids) known.merge(Parts(id));
  const std::vector<std::string> parts(known.begin(), known.end());
  std::string nearest;
  for (const std::string& part : Parts(options.filter)) {
    const bool is_known = std::any_of(parts.begin(), parts.end(), [&](const std::string& id_part) {
      return id_part.find(part) != std::string::npos;
    });
    if (!is_known && nearest.empty()) nearest = DidYouMean(part, parts);
  }
  return fmt::format("none of {} case(s) matches{}", ids.size(),
                     nearest.empty() ? "; the first is " + ids.front() : nearest);
}

}  // namespace

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

EnvironmentFacts EnvironmentOf(const Backend& backend,
                               const std::vector<BackendDevices>& backends) {
  const DeviceInfo& device = backend.device();
  return DescribeEnvironment(device, FindTwin(backends, device));
}

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
    choice.auto_variant = [backend](const RopeWorkload& workload) {
      return std::string(AutoVariant(*backend, workload));
    };
  }
  request.protocols = options.protocols;
  request.variants = options.variants;
  CheckNames(options, request);

  CaseExpansion expansion = ExpandCases(configs, request);
  Plan plan;
  const auto matches_filter = MakeFilter(options.filter);
  const bool selects_all = options.select.empty() && options.filter.empty();
  for (SkippedCase& skipped : expansion.skipped) {
    // What was skipped before it became a case cannot be asked for its keys.
    if (selects_all) plan.skipped.push_back(std::move(skipped));
  }
  // Files are read for an environment, so each is described once.
  std::map<const Backend*, EnvironmentFacts> environments;
  for (const Backend* backend : devices) environments[backend] = EnvironmentOf(*backend, backends);
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
    planned.environment = environments[&backend];
    plan.cases.push_back(std::move(planned));
  }
  if (plan.cases.empty() && plan.skipped.empty()) {
    throw UsageError("nothing is selected: " + WhyNothing(expansion.cases, ids, options));
  }
  return plan;
}

}  // namespace ropebench
