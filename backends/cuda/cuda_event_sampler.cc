#include "backends/cuda/cuda_event_sampler.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "backends/cuda/cuda_error.h"

namespace ropebench {

CudaEventSampler::Event::Event() { Check(cudaEventCreate(&event_), "creating an event"); }

CudaEventSampler::Event::~Event() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

CudaEventSampler::Event::Event(Event&& other) noexcept
    : event_(std::exchange(other.event_, nullptr)) {}

CudaEventSampler::CudaEventSampler(const CudaDevice& device, std::uint64_t flush_bytes)
    : CudaSampler(device, flush_bytes) {
  MeasureTick();
}

void CudaEventSampler::Reserve(std::size_t pairs) {
  if (used_ + pairs <= pairs_.size()) return;
  device().MakeCurrent();  // an event belongs to the device that is current when it is made
  while (pairs_.size() < used_ + pairs) pairs_.emplace_back();
}

void CudaEventSampler::Start() {
  Reserve(1);
  Check(cudaEventRecord(pairs_[used_].start.get(), device().stream()), "recording the start event");
}

void CudaEventSampler::Stop() {
  Check(cudaEventRecord(pairs_[used_].stop.get(), device().stream()), "recording the stop event");
  ++used_;
  if (blocked_ && blocker().GaveUp()) ++unblocked_;
}

void CudaEventSampler::Block() {
  CudaSampler::Block();
  blocked_ = true;
}

void CudaEventSampler::Release() {
  CudaSampler::Release();
  blocked_ = false;
}

void CudaEventSampler::Synchronize() { CudaSampler::Synchronize(); }

std::vector<double> CudaEventSampler::Collect() {
  CudaSampler::Synchronize();
  const std::size_t count = std::exchange(used_, 0);
  if (const std::size_t unblocked = std::exchange(unblocked_, 0); unblocked != 0) {
    throw DeviceError(fmt::format(
        "{} of {} launches took the host longer than the {} ms for which it may block the device; "
        "under a profiler, which runs each kernel to its end, use --protocol do_bench",
        unblocked, count, Blocker::kLimitNs / 1'000'000));
  }
  std::vector<double> times_ns;
  times_ns.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    float time_ms = 0.0f;
    Check(cudaEventElapsedTime(&time_ms, pairs_[i].start.get(), pairs_[i].stop.get()),
          "reading two events");
    // The tick is a whole number of nanoseconds, which fp32 milliseconds blur.
    const double time_ns = std::round(static_cast<double>(time_ms) * 1e6);
    if (!(time_ns >= 0.0)) throw DeviceError("a stop event lies before its start event");
    times_ns.push_back(time_ns);
  }
  return times_ns;
}

}  // namespace ropebench
