#include "backends/cuda/cupti_sampler.h"

#include <utility>

#include "backends/cuda/cuda_sampler.h"
#include "backends/cuda/cupti_library.h"

namespace ropebench {
namespace {

class CuptiSampler final : public CudaSampler {
 public:
  CuptiSampler(const CudaDevice& device, std::uint64_t flush_bytes)
      : CudaSampler(device, flush_bytes), api_(LoadCupti()) {
    MeasureTick();
  }

  // A launch that threw has left its mark set.
  ~CuptiSampler() override {
    LaunchMark mark = 0;
    if (started_) api_.pop_external_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &mark);
  }

  void Start() override {
    samples_.push_back({NewLaunchMark(), 0});
    CheckCupti(api_.push_external_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, samples_.back().mark),
               "marking a launch");
    started_ = true;
  }

  void Stop() override {
    LaunchMark mark = 0;
    started_ = false;
    CheckCupti(api_.pop_external_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &mark),
               "marking a launch");
  }

  std::vector<double> Collect() override {
    Synchronize();
    return TakeDurationsNs(std::exchange(samples_, {}), device().index());
  }

 private:
  // Counts what was launched between Start and Stop; warm-up launches are not timed.
  void Launched(std::size_t kernels) override {
    if (started_) samples_.back().kernels += kernels;
  }

  const CuptiApi& api_;
  CuptiRecording recording_;
  std::vector<MarkedKernels> samples_;
  bool started_ = false;
};

}  // namespace

std::optional<std::string> WhyNoCupti(const CudaDevice& device) {
  try {
    CuptiSampler probe(device, 1);
    return std::nullopt;
  } catch (const DeviceError& error) {
    return error.what();
  }
}

std::unique_ptr<Sampler> MakeCuptiSampler(const CudaDevice& device, std::uint64_t flush_bytes) {
  return std::make_unique<CuptiSampler>(device, flush_bytes);
}

}  // namespace ropebench
