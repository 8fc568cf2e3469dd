#include "backends/cuda/cuda_sampler.h"

#include <algorithm>

#include "backends/cuda/cuda_error.h"
#include "backends/cuda/observed_tick.h"

namespace ropebench {

CudaSampler::CudaSampler(const CudaDevice& device, std::uint64_t flush_bytes)
    : device_(device), flush_(device, std::max<std::uint64_t>(flush_bytes, 1)), blocker_(device) {
  Flush();
  device_.Synchronize();
}

void CudaSampler::Flush() {
  ++flush_value_;
  Check(cudaMemsetAsync(flush_.data(), flush_value_, flush_.size(), device_.stream()),
        "flushing the cache");
}

void CudaSampler::Launch(PreparedCase& prepared) {
  auto& cuda_case = static_cast<CudaCase&>(prepared);
  cuda_case.Enqueue();
  Launched(cuda_case.kernels());
}

void CudaSampler::MeasureTick() {
  constexpr int kKernels = 256;
  for (int i = 0; i < kKernels; ++i) {
    Start();
    blocker_.Spin(static_cast<std::uint64_t>(i) * 7);
    Launched(1);
    Stop();
  }
  // Both clocks are read in whole nanoseconds, so nothing finer can show.
  tick_ns_ = std::max(1.0, ObservedTick(Collect()));
}

}  // namespace ropebench
