// What NVML, the driver's management library, tells about a device. It is only read, and it may be
// missing: then every field is empty.
#pragma once

#include <optional>
#include <string>

namespace ropebench {

struct NvmlFacts {
  std::string driver_version;  // for example 580.159.04
  std::optional<double> power_limit_watts;
  std::optional<bool> persistence_mode;
  std::optional<bool> ecc_enabled;
};

// `uuid` in NVML's spelling: GPU-01234567-89ab-cdef-0123-456789abcdef. Never throws for want of the
// library or the device.
NvmlFacts QueryNvml(const std::string& uuid);

}  // namespace ropebench
