#include "backends/registry.h"

#include "backends/cpu/cpu_backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/vulkan/vulkan_backend.h"

namespace ropebench {

std::vector<BackendDevices> OpenBackends() {
  std::vector<BackendDevices> backends;
  const auto open = [&](const char* name, BackendDevices (*open_backend)()) {
    try {
      backends.push_back(open_backend());
    } catch (const std::exception& error) {
      backends.push_back({name, {}, error.what()});
    }
  };
  open("cuda", OpenCudaBackend);
  open("vulkan", OpenVulkanBackend);
  open("cpu", OpenCpuBackend);
  return backends;
}

}  // namespace ropebench
