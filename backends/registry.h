// Every backend that this build knows and what it found on this machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace ropebench {

struct BackendDevices {
  std::string backend;                            // cuda, vulkan or cpu
  std::vector<std::unique_ptr<Backend>> devices;  // in the order of --device
  std::string why_none;                           // one line; set exactly when `devices` is empty
};

// In the order of preference of `--backend auto`: cuda, vulkan, cpu. Never throws: a backend that
// cannot be opened is listed with its reason.
std::vector<BackendDevices> OpenBackends();

}  // namespace ropebench
