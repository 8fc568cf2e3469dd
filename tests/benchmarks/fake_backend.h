// A backend without a device: runs the CPU's kernels with faults put in, and tells made-up times.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/cpu_backend.h"
#include "backends/sampler.h"

namespace ropebench {

// What goes wrong. `after_launch` sees every launch of a rotation, with its number from 1.
struct FakeFaults {
  std::function<void(PreparedCase& inner, const CasePlan& plan, int launch)> after_launch;
  std::function<void()> on_prepare;
  bool skips_launch = false;
  std::string why_no_timer;
  double sample_ns = 1000.0;
};

class FakeCase final : public PreparedCase {
 public:
  FakeCase(std::unique_ptr<PreparedCase> inner, CasePlan plan, bool is_rope,
           const FakeFaults* faults)
      : inner_(std::move(inner)), plan_(std::move(plan)), is_rope_(is_rope), faults_(faults) {}

  void Write(std::size_t buffer, std::span<const std::byte> image) override {
    inner_->Write(buffer, image);
  }
  void Read(std::size_t buffer, std::span<std::byte> image) override {
    inner_->Read(buffer, image);
  }
  void RunOnce() override {
    if (is_rope_ && faults_->skips_launch) return;
    inner_->RunOnce();
    ++launches_;
    if (is_rope_ && faults_->after_launch) faults_->after_launch(*inner_, plan_, launches_);
  }

 private:
  std::unique_ptr<PreparedCase> inner_;
  CasePlan plan_;
  bool is_rope_;
  const FakeFaults* faults_;
  int launches_ = 0;
};

class FakeSampler final : public Sampler {
 public:
  explicit FakeSampler(const FakeFaults* faults) : faults_(faults) {}
  void Reserve(std::size_t) override {}
  void Flush() override {}
  void Block() override {}
  void Release() override {}
  void Start() override {}
  void Launch(PreparedCase& prepared) override { prepared.RunOnce(); }
  void Stop() override { times_.push_back(faults_->sample_ns); }
  void Synchronize() override {}
  std::vector<double> Collect() override { return std::exchange(times_, {}); }
  double tick_ns() const override { return 32.0; }

 private:
  const FakeFaults* faults_;
  std::vector<double> times_;
};

class FakeBackend final : public Backend {
 public:
  explicit FakeBackend(std::string name = "cpu", int index = 0)
      : inner_(std::move(OpenCpuBackend().devices.front())), device_(inner_->device()) {
    device_.backend = std::move(name);
    device_.index = index;
  }

  const DeviceInfo& device() const override { return device_; }
  std::span<const KernelVariant> variants() const override { return inner_->variants(); }
  std::optional<std::string> WhyUnsupported(const KernelVariant& variant,
                                            const RopeWorkload& workload) const override {
    if (variant.name == "float64" && workload.batch > 1) return "takes one sequence";
    return std::nullopt;
  }
  std::unique_ptr<PreparedCase> Prepare(const KernelVariant& variant,
                                        const RopeWorkload& workload) override {
    if (faults.on_prepare && variant.role == KernelRole::kRope) faults.on_prepare();
    return std::make_unique<FakeCase>(inner_->Prepare(variant, workload),
                                      MakePlan(workload, variant.role),
                                      variant.role == KernelRole::kRope, &faults);
  }
  std::span<const Timer> timers() const override { return inner_->timers(); }
  std::optional<std::string> WhyNoTimer(Timer) const override {
    if (faults.why_no_timer.empty()) return std::nullopt;
    return faults.why_no_timer;
  }
  std::unique_ptr<Sampler> MakeSampler(Timer, std::uint64_t) override {
    return std::make_unique<FakeSampler>(&faults);
  }

  DeviceInfo& mutable_device() { return device_; }
  FakeFaults faults;

 private:
  std::unique_ptr<Backend> inner_;
  DeviceInfo device_;
};

}  // namespace ropebench
