// DeviceInfo from the CUDA runtime and NVML.
#pragma once

#include "backends/backend.h"

namespace ropebench {

// Throws DeviceError if the runtime cannot be asked.
DeviceInfo QueryCudaDevice(int index);

}  // namespace ropebench
