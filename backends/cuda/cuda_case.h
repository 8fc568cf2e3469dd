// PreparedCase on a CUDA device.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/device_buffer.h"
#include "kernels/cuda/variants.h"

namespace ropebench {

// One kernel launch with its parameters bound.
struct CudaStep {
  CudaLaunch launch;
  KernelParams params;
};

class CudaCase final : public PreparedCase {
 public:
  // Each of `buffers` spans guard zone, payload and guard zone. Loads every kernel, so that no
  // later launch stops to do so: a launch that is made while the stream is blocked must not wait
  // for it.
  CudaCase(const CudaDevice& device, std::vector<DeviceBuffer> buffers,
           std::vector<CudaStep> steps);

  void Write(std::size_t buffer, std::span<const std::byte> image) override;
  void Read(std::size_t buffer, std::span<std::byte> image) override;
  void RunOnce() override;

  // Launches every step on the device's stream and returns without waiting. Can be captured into a
  // graph.
  void Enqueue();

  std::size_t kernels() const { return steps_.size(); }

 private:
  const CudaDevice& device_;
  std::vector<DeviceBuffer> buffers_;
  std::vector<CudaStep> steps_;
};

// Allocates the plan's buffers, binds their addresses and selects the kernels. Throws DeviceError.
std::unique_ptr<CudaCase> PrepareCudaCase(const CudaDevice& device, const CudaVariant& variant,
                                          const RopeWorkload& workload);

}  // namespace ropebench
