#include "backends/cuda/cuda_error.h"

#include <fmt/format.h>

#include "backends/backend.h"

namespace ropebench {
namespace {

// Errors that leave the context unusable: every later call of the process fails with the same code.
bool IsSticky(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string Describe(cudaError_t error) {
  return fmt::format("{} ({})", cudaGetErrorName(error), cudaGetErrorString(error));
}

void Check(cudaError_t error, std::string_view attempt) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report this error once more
  const std::string message = fmt::format("{}: {}", attempt, Describe(error));
  if (error == cudaErrorMemoryAllocation) throw OutOfMemory(message);
  if (IsSticky(error)) throw DeviceLost(message);
  throw DeviceError(message);
}

}  // namespace ropebench
