#include "benchmarks/environment.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

#include "ropebench_revision.h"

namespace ropebench {
namespace {

std::string KernelRelease() {
  utsname names{};
  return uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.release) : "unknown";
}

constexpr bool IsOptimised() {
#ifdef NDEBUG
  return *kSanitizers == '\0';
#else
  return false;
#endif
}

}  // namespace

std::string OperatingSystem() {
  std::ifstream file("/etc/os-release");
  constexpr std::string_view kKey = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kKey)) continue;
    std::string name = line.substr(kKey.size());
    std::erase(name, '"');
    return name;
  }
  return "unknown";
}

EnvironmentFacts DescribeEnvironment(const DeviceInfo& device, const DeviceInfo* twin) {
  const DeviceInfo& source = twin != nullptr ? *twin : device;
  EnvironmentFacts facts;
  facts.vendor = source.vendor;
  facts.product = source.name;
  facts.architecture = source.architecture;
  if (source.memory_bytes != 0) facts.memory_bytes = static_cast<std::int64_t>(source.memory_bytes);
  facts.operating_system = OperatingSystem();
  facts.kernel = KernelRelease();
  if (!source.driver.empty()) facts.driver = source.driver;
  facts.power_limit_watts = source.power_limit_watts;
  facts.persistence_mode = source.persistence_mode;
  facts.ecc_enabled = source.ecc_enabled;
  return facts;
}

std::string EnvironmentText(const DeviceInfo& device) {
  const auto or_unknown = [](const std::string& text) { return text.empty() ? "unknown" : text; };
  std::string text = fmt::format("device    {}:{} {} ({})\n", device.backend, device.index,
                                 device.name, device.architecture);
  if (!device.driver.empty()) text += fmt::format("driver    {}\n", device.driver);
  if (device.peak_bytes_per_s > 0.0) {
    text += fmt::format("memory    {:.1f} GiB, peak {:.0f} GB/s, last-level cache {} MiB\n",
                        static_cast<double>(device.memory_bytes) / (1 << 30),
                        device.peak_bytes_per_s / 1e9, device.cache_bytes >> 20);
  }
  text += fmt::format("system    {}, {}\n", OperatingSystem(), KernelRelease());
  text += fmt::format("build     ropebench {} {}, {}\n", kVersion, or_unknown(kCommit), kCompiler);
  if (device.is_software) {
    text +=
        "WARNING   this device is software on the host's processor: its times say nothing of a "
        "GPU\n";
  }
  if (!IsOptimised()) text += "WARNING   this is a debug or sanitized build: its times mean nothing\n";
  if (kDirty)
    text += "WARNING   the source differs from its commit: these runs cannot be published\n";
  return text;
}

}  // namespace ropebench
