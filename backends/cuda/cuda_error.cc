#include "backends/cuda/cuda_error.h"

#include <fmt/format.h>

#include "backends/backend.h"

namespace ropebench {

std::string Describe(cudaError_t error) {
  return fmt::format("{} ({})", cudaGetErrorName(error), cudaGetErrorString(error));
}

void Check(cudaError_t error, std::string_view attempt) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report this error once more
  const std::string message = fmt::format("{}: {}", attempt, Describe(error));
  if (error == cudaErrorMemoryAllocation) throw OutOfMemory(message);
  throw DeviceError(message);
}

}  // namespace ropebench
