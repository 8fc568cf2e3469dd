#include "backends/cpu/cpu_backend.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "backends/sampler.h"
#include "kernels/cpu/parallel_for.h"
#include "kernels/cpu/variants.h"

namespace ropebench {
namespace {

// Memory aligned as a device allocation would be, released with the object.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::uint64_t bytes) : bytes_(bytes) {
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
    if (!data_) throw OutOfMemory("cannot allocate " + std::to_string(bytes) + " bytes of memory");
  }
  std::byte* data() const { return data_.get(); }
  std::uint64_t size() const { return bytes_; }

 private:
  static constexpr std::size_t kAlignment = 4096;
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::uint64_t bytes_;
};

class CpuCase final : public PreparedCase {
 public:
  CpuCase(const CpuVariant& variant, const RopeWorkload& workload)
      : run_(variant.run), workload_(workload) {
    const CasePlan plan = MakePlan(workload, variant.variant.role);
    std::vector<std::uint64_t> addresses;
    for (const BufferSpec& spec : plan.buffers) {
      buffers_.emplace_back(kGuardBytes + spec.bytes + kGuardBytes);
      addresses.push_back(reinterpret_cast<std::uint64_t>(buffers_.back().data() + kGuardBytes));
    }
    for (const LaunchStep& step : plan.steps) {
      steps_.push_back(BindAddresses(step.params, addresses));
    }
  }

  void Write(std::size_t buffer, std::span<const std::byte> image) override {
    const AlignedBytes& to = buffers_.at(buffer);
    if (image.size() != to.size()) throw std::logic_error("image and buffer differ in size");
    std::memcpy(to.data(), image.data(), image.size());
  }
  void Read(std::size_t buffer, std::span<std::byte> image) override {
    const AlignedBytes& from = buffers_.at(buffer);
    if (image.size() != from.size()) throw std::logic_error("image and buffer differ in size");
    std::memcpy(image.data(), from.data(), image.size());
  }
  void RunOnce() override {
    for (const KernelParams& params : steps_) run_(workload_, params);
  }

 private:
  CpuKernel run_;
  RopeWorkload workload_;
  std::vector<AlignedBytes> buffers_;
  std::vector<KernelParams> steps_;
};

// A call on the host is synchronous, so Block, Release and Synchronize have nothing to do.
class HostClockSampler final : public Sampler {
 public:
  explicit HostClockSampler(std::uint64_t flush_bytes) : flush_(flush_bytes) {
    // Smallest step of the clock that shows in practice.
    std::int64_t step = INT64_MAX;
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t before = SteadyNow();
      std::int64_t after = SteadyNow();
      while (after == before) after = SteadyNow();
      step = std::min(step, after - before);
    }
    tick_ns_ = static_cast<double>(step);
  }

  void Flush() override {
    ++flush_value_;
    ParallelFor(static_cast<std::int64_t>(flush_.size()), 1 << 20,
                [this](std::int64_t begin, std::int64_t end) {
                  std::memset(flush_.data() + begin, flush_value_,
                              static_cast<std::size_t>(end - begin));
                });
  }
  void Reserve(std::size_t pairs) override { times_ns_.reserve(pairs); }
  void Block() override {}
  void Release() override {}
  void Start() override { start_ns_ = SteadyNow(); }
  void Launch(PreparedCase& prepared) override { prepared.RunOnce(); }
  void Stop() override { times_ns_.push_back(static_cast<double>(SteadyNow() - start_ns_)); }
  void Synchronize() override {}
  std::vector<double> Collect() override { return std::exchange(times_ns_, {}); }
  double tick_ns() const override { return tick_ns_; }

 private:
  AlignedBytes flush_;
  unsigned char flush_value_ = 0;
  std::int64_t start_ns_ = 0;
  double tick_ns_;
  std::vector<double> times_ns_;
};

// The value after `key` and a colon in /proc/cpuinfo's first processor, or empty.
std::string CpuInfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(": ");
    return colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return "";
}

DeviceInfo HostInfo() {
  DeviceInfo info;
  info.backend = "cpu";
  info.name = CpuInfo("model name");
  const std::string vendor = CpuInfo("vendor_id");
  info.vendor = vendor == "GenuineIntel" ? "intel" : vendor == "AuthenticAMD" ? "amd" : "cpu";
  utsname names{};
  info.architecture = uname(&names) == 0 ? names.machine : "unknown";
  if (info.name.empty()) info.name = info.architecture + " processor";
  info.memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // The last-level cache is left unknown: in a virtual machine it is shared with others and
  // reported whole, and flushing twice half a gigabyte before each sample would measure patience.
  return info;
}

class CpuBackend final : public Backend {
 public:
  CpuBackend() : device_(HostInfo()) {
    for (const CpuVariant& variant : CpuVariants()) variants_.push_back(variant.variant);
  }

  const DeviceInfo& device() const override { return device_; }
  std::span<const KernelVariant> variants() const override { return variants_; }

  std::optional<std::string> WhyUnsupported(const KernelVariant& variant,
                                            const RopeWorkload& workload) const override {
    return variant.why_unsupported(workload);
  }
  std::unique_ptr<PreparedCase> Prepare(const KernelVariant& variant,
                                        const RopeWorkload& workload) override {
    const auto index = static_cast<std::size_t>(&variant - variants_.data());
    return std::make_unique<CpuCase>(CpuVariants()[index], workload);
  }

  std::span<const Timer> timers() const override {
    static constexpr Timer kTimers[] = {Timer::kHostClock};
    return kTimers;
  }
  std::optional<std::string> WhyNoTimer(Timer timer) const override {
    if (timer == Timer::kHostClock) return std::nullopt;
    return std::string(Name(timer)) + " does not time the cpu backend";
  }
  std::unique_ptr<Sampler> MakeSampler(Timer, std::uint64_t flush_bytes) override {
    return std::make_unique<HostClockSampler>(flush_bytes);
  }

 private:
  DeviceInfo device_;
  std::vector<KernelVariant> variants_;
};

}  // namespace

BackendDevices OpenCpuBackend() {
  BackendDevices devices{"cpu", {}, ""};
  devices.devices.push_back(std::make_unique<CpuBackend>());
  return devices;
}

}  // namespace ropebench
