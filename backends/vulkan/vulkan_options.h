// Switches of the Vulkan backend that are for finding faults, not for measuring.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/registry.h"
#include "backends/vulkan/validation_log.h"

namespace ropebench {

struct VulkanOptions {
  // Runs under VK_LAYER_KHRONOS_validation with synchronization validation: an error ends the case
  // with a DeviceError. Times mean nothing then. Environment: ROPEBENCH_VULKAN_VALIDATE=1.
  bool validate = false;
  // Also collects the errors, those of tearing down included. May be null.
  std::shared_ptr<ValidationLog> log;

  // Transfers go through a staging buffer even where the host could reach a buffer in place.
  // Environment: ROPEBENCH_VULKAN_STAGING=1.
  bool force_staging = false;
  std::uint64_t staging_bytes = std::uint64_t{64} << 20;  // size of a chunk
};

// The options that the environment asks for.
VulkanOptions VulkanOptionsFromEnvironment();

// OpenVulkanBackend() with other options than the environment's.
BackendDevices OpenVulkanBackend(const VulkanOptions& options);

}  // namespace ropebench
