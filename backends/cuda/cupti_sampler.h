// The kernel's own start and end, from CUPTI activity records.
//
// A sample is the sum of the durations of the kernels that were launched between Start and Stop;
// the flush, the blocking kernel and the gaps between kernels are not in it. CUPTI is loaded at run
// time and records only while such a sampler lives.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backends/cuda/cuda_device.h"
#include "backends/sampler.h"

namespace ropebench {

// What keeps CUPTI from timing kernels on this device, found by trying, or nothing.
std::optional<std::string> WhyNoCupti(const CudaDevice& device);

// Throws DeviceError where WhyNoCupti has a reason.
std::unique_ptr<Sampler> MakeCuptiSampler(const CudaDevice& device, std::uint64_t flush_bytes);

}  // namespace ropebench
