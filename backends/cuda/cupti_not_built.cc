// Stands in for the CUPTI sampler where the CUDA toolkit has no cupti.h.
#include "backends/cuda/cupti_sampler.h"

namespace ropebench {
namespace {

constexpr const char* kReason =
    "this build has no CUPTI: the CUDA toolkit had no cupti.h; install it (cuda-cupti-dev) and "
    "build again, or use --protocol cold_events";

}  // namespace

std::optional<std::string> WhyNoCupti(const CudaDevice&) { return kReason; }

std::unique_ptr<Sampler> MakeCuptiSampler(const CudaDevice&, std::uint64_t) {
  throw DeviceError(kReason);
}

}  // namespace ropebench
