#include "backends/cuda/cuda_backend.h"

#include <fmt/format.h>

#include "backends/cuda/cuda_case.h"
#include "backends/cuda/cuda_device.h"
#include "backends/cuda/cuda_error.h"
#include "backends/cuda/cuda_event_sampler.h"
#include "backends/cuda/cupti_sampler.h"
#include "backends/cuda/device_info.h"

namespace ropebench {
namespace {

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(DeviceInfo info) : info_(std::move(info)), device_(info_.index) {
    for (const CudaVariant& variant : CudaVariants()) variants_.push_back(variant.variant);
  }

  const DeviceInfo& device() const override { return info_; }
  std::span<const KernelVariant> variants() const override { return variants_; }

  std::optional<std::string> WhyUnsupported(const KernelVariant& variant,
                                            const RopeWorkload& workload) const override {
    return variant.why_unsupported(workload);
  }

  std::unique_ptr<PreparedCase> Prepare(const KernelVariant& variant,
                                        const RopeWorkload& workload) override {
    const auto index = static_cast<std::size_t>(&variant - variants_.data());
    return PrepareCudaCase(device_, CudaVariants()[index], workload);
  }

  std::span<const Timer> timers() const override {
    static constexpr Timer kTimers[] = {Timer::kCupti, Timer::kCudaEvents};
    return kTimers;
  }

  std::optional<std::string> WhyNoTimer(Timer timer) const override {
    switch (timer) {
      case Timer::kCupti:
        if (!why_no_cupti_) why_no_cupti_ = WhyNoCupti(device_);
        return *why_no_cupti_;
      case Timer::kCudaEvents:
        return std::nullopt;
      default:
        return std::string(Name(timer)) + " does not time the cuda backend";
    }
  }

  std::unique_ptr<Sampler> MakeSampler(Timer timer, std::uint64_t flush_bytes) override {
    switch (timer) {
      case Timer::kCupti:
        return MakeCuptiSampler(device_, flush_bytes);
      case Timer::kCudaEvents:
        return std::make_unique<CudaEventSampler>(device_, flush_bytes);
      default:
        throw std::logic_error(*WhyNoTimer(timer));
    }
  }

 private:
  DeviceInfo info_;
  CudaDevice device_;
  std::vector<KernelVariant> variants_;
  mutable std::optional<std::optional<std::string>> why_no_cupti_;  // found by the first question
};

// The oldest architecture that this build carries code for.
constexpr int kLeastMajor = 8;

}  // namespace

BackendDevices OpenCudaBackend() {
  BackendDevices found{"cuda", {}, ""};
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    cudaGetLastError();
    found.why_none = "no CUDA device: " + Describe(error);
    return found;
  }
  found.why_none = "no CUDA device";
  for (int index = 0; index < count; ++index) {
    try {
      int major = 0;
      Check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index),
            "querying the device");
      if (major < kLeastMajor) {
        found.why_none =
            fmt::format("CUDA device {} has compute capability {}.x: kernels are built for {}.0 on",
                        index, major, kLeastMajor);
        continue;
      }
      found.devices.push_back(std::make_unique<CudaBackend>(QueryCudaDevice(index)));
    } catch (const DeviceError& error) {
      found.why_none = fmt::format("CUDA device {}: {}", index, error.what());
    }
  }
  if (!found.devices.empty()) found.why_none.clear();
  return found;
}

}  // namespace ropebench
