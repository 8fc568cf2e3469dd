// NVIDIA devices through the CUDA runtime, timed by CUPTI or by events.
#pragma once

#include "backends/registry.h"

namespace ropebench {

// One Backend per CUDA device, or the reason why there is none: not built, no driver, no device.
BackendDevices OpenCudaBackend();

}  // namespace ropebench
