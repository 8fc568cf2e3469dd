// Any device with a Vulkan 1.2 driver and buffer device addresses, timed by timestamp queries.
#pragma once

#include "backends/registry.h"

namespace ropebench {

// One Backend per suitable device, discrete devices first, or the reason why there is none.
BackendDevices OpenVulkanBackend();

}  // namespace ropebench
