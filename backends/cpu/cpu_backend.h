// The host's processor as a backend: the multi-threaded fp32 kernel and the float64 reference,
// timed by the host clock.
#pragma once

#include "backends/registry.h"

namespace ropebench {

BackendDevices OpenCpuBackend();

}  // namespace ropebench
