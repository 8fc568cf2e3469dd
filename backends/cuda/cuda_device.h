// One CUDA device as this backend uses it: its index and the stream that all its work goes to.
#pragma once

#include <cuda_runtime_api.h>

namespace ropebench {

// Owns the stream, which does not synchronise with the legacy default stream. Cases and samplers
// refer to their device, which outlives them.
class CudaDevice {
 public:
  explicit CudaDevice(int index);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  int index() const { return index_; }
  cudaStream_t stream() const { return stream_; }

  // Launches and allocations go to the calling thread's current device; cheap if it is this one.
  void MakeCurrent() const;

  // Waits until the stream is empty. Throws DeviceError if anything on it failed.
  void Synchronize() const;

 private:
  int index_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace ropebench
