// Two CUDA events around the launch.
//
// What lies between two events is more than the kernel: the device handles the events themselves,
// about 2.3 us on an H200 with a blocked launch. The runtime documents a resolution of about half a
// microsecond; the devices seen are finer (32 ns on an H200), so the tick is measured.
#pragma once

#include <vector>

#include "backends/cuda/cuda_sampler.h"

namespace ropebench {

class CudaEventSampler final : public CudaSampler {
 public:
  CudaEventSampler(const CudaDevice& device, std::uint64_t flush_bytes);

  void Start() override;
  // Notes whether the stream was still blocked: if not, the host's launch cost may lie inside.
  void Stop() override;
  void Reserve(std::size_t pairs) override;
  void Block() override;
  void Release() override;
  void Synchronize() override;
  std::vector<double> Collect() override;

 private:
  class Event {
   public:
    Event();
    ~Event();
    Event(Event&& other) noexcept;
    Event& operator=(Event&&) = delete;
    cudaEvent_t get() const { return event_; }

   private:
    cudaEvent_t event_ = nullptr;
  };
  struct Pair {
    Event start;
    Event stop;
  };

  void Launched(std::size_t) override {}

  std::vector<Pair> pairs_;
  std::size_t used_ = 0;       // pairs that have been recorded since the last Collect
  bool blocked_ = false;       // between Block and Release
  std::size_t unblocked_ = 0;  // samples whose block gave up before Stop
};

}  // namespace ropebench
