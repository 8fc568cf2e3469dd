// What a Vulkan device says about itself, as far as this backend asks.
#pragma once

#include <vulkan/vulkan.h>

#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/vulkan/launch_limits.h"
#include "backends/vulkan/memory_types.h"
#include "backends/vulkan/timestamps.h"
#include "shaders/float_controls.h"

namespace ropebench {

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  DeviceInfo info;  // without its index
  DeviceLimits limits;
  FloatControls float_controls;  // what the device grants; every module asks for all of it
  std::vector<MemoryType> memory_types;
  std::uint32_t queue_family = 0;
  TimestampClock clock;  // of that family
  bool portability_subset = false;
  int preference = 0;  // discrete before integrated before virtual before software

  std::string why_unsuitable;  // empty if the backend can use the device
};

PhysicalDevice Inspect(VkPhysicalDevice handle);

}  // namespace ropebench
