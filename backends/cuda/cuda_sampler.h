// What both CUDA samplers do alike: everything but the clock.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/cuda/blocker.h"
#include "backends/cuda/cuda_case.h"
#include "backends/sampler.h"

namespace ropebench {

class CudaSampler : public Sampler {
 public:
  // Allocates the flush buffer and loads what it needs, so that nothing is loaded while the stream
  // is blocked. Throws DeviceError.
  CudaSampler(const CudaDevice& device, std::uint64_t flush_bytes);

  void Reserve(std::size_t) override {}
  void Flush() override;  // a memset with a new value each time
  void Block() override { blocker_.Block(); }
  void Release() override { blocker_.Release(); }
  void Launch(PreparedCase& prepared) override;
  void Synchronize() override { device_.Synchronize(); }
  double tick_ns() const override { return tick_ns_; }

 protected:
  // Told of every launch of a case; for a clock that has to count kernels.
  virtual void Launched(std::size_t kernels) = 0;

  // Takes samples of one-thread kernels of many lengths with the clock of the derived class, and
  // sets the tick from them.
  void MeasureTick();

  const CudaDevice& device() const { return device_; }
  Blocker& blocker() { return blocker_; }

 private:
  const CudaDevice& device_;
  DeviceBuffer flush_;
  unsigned char flush_value_ = 0;
  Blocker blocker_;
  double tick_ns_ = 0.0;
};

}  // namespace ropebench
