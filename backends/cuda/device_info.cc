#include "backends/cuda/device_info.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>

#include "backends/cuda/cuda_error.h"
#include "backends/cuda/nvml.h"

namespace ropebench {
namespace {

// GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.
std::string UuidText(const std::array<std::uint8_t, 16>& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid[i]);
  }
  return text;
}

int Attribute(cudaDeviceAttr attribute, int index) {
  int value = 0;
  Check(cudaDeviceGetAttribute(&value, attribute, index), "querying the device");
  return value;
}

}  // namespace

DeviceInfo QueryCudaDevice(int index) {
  cudaDeviceProp properties{};
  Check(cudaGetDeviceProperties(&properties, index), "querying the device");
  DeviceInfo info;
  info.backend = "cuda";
  info.index = index;
  info.name = properties.name;
  info.vendor = "nvidia";
  info.architecture = fmt::format("sm_{}{}", properties.major, properties.minor);
  static_assert(sizeof(properties.uuid.bytes) == 16);
  std::memcpy(info.uuid.emplace().data(), properties.uuid.bytes, 16);
  info.memory_bytes = properties.totalGlobalMem;
  info.cache_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  const double memory_hz = 1e3 * Attribute(cudaDevAttrMemoryClockRate, index);
  const double bus_bytes = Attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8.0;
  info.peak_bytes_per_s = 2.0 * memory_hz * bus_bytes;  // two transfers per clock

  const NvmlFacts facts = QueryNvml(UuidText(*info.uuid));
  info.driver = facts.driver_version;
  if (info.driver.empty()) {
    int version = 0;
    Check(cudaDriverGetVersion(&version), "querying the driver");
    info.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  }
  info.power_limit_watts = facts.power_limit_watts;
  info.persistence_mode = facts.persistence_mode;
  info.ecc_enabled = facts.ecc_enabled;
  return info;
}

}  // namespace ropebench
