// CUDA error codes to exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

namespace ropebench {

// "cudaErrorNoDevice (no CUDA-capable device is detected)".
std::string Describe(cudaError_t error);

// Throws OutOfMemory, DeviceLost or DeviceError, with what was attempted and the error's name,
// unless `error` is cudaSuccess.
void Check(cudaError_t error, std::string_view attempt);

}  // namespace ropebench
