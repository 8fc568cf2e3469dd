#include "backends/cuda/nvml.h"

#include "backends/cuda/shared_library.h"

namespace ropebench {
namespace {

// The few declarations of nvml.h that are used, since not every toolkit brings that header. 0 is
// NVML_SUCCESS; an enabled state is 1.
using Result = int;
using Device = void*;
using Init = Result (*)();
using Shutdown = Result (*)();
using SystemGetDriverVersion = Result (*)(char* version, unsigned int length);
using DeviceGetHandleByUuid = Result (*)(const char* uuid, Device* device);
using DeviceGetUint = Result (*)(Device device, unsigned int* value);
using DeviceGetEnum = Result (*)(Device device, int* value);
using DeviceGetEccMode = Result (*)(Device device, int* current, int* pending);

constexpr Result kSuccess = 0;
constexpr int kEnabled = 1;

void QueryDevice(const SharedLibrary& library, Device device, NvmlFacts& facts) {
  const auto power = library.Find<DeviceGetUint>("nvmlDeviceGetEnforcedPowerLimit");
  if (unsigned int milliwatts = 0; power != nullptr && power(device, &milliwatts) == kSuccess) {
    facts.power_limit_watts = milliwatts / 1000.0;
  }
  const auto persistence = library.Find<DeviceGetEnum>("nvmlDeviceGetPersistenceMode");
  if (int mode = 0; persistence != nullptr && persistence(device, &mode) == kSuccess) {
    facts.persistence_mode = mode == kEnabled;
  }
  const auto ecc = library.Find<DeviceGetEccMode>("nvmlDeviceGetEccMode");
  int current = 0;
  int pending = 0;
  if (ecc != nullptr && ecc(device, &current, &pending) == kSuccess) {
    facts.ecc_enabled = current == kEnabled;
  }
}

}  // namespace

NvmlFacts QueryNvml(const std::string& uuid) {
  NvmlFacts facts;
  const std::string names[] = {"libnvidia-ml.so.1"};
  const auto library = SharedLibrary::Open(names);
  if (!library) return facts;
  const auto init = library->Find<Init>("nvmlInit_v2");
  const auto shutdown = library->Find<Shutdown>("nvmlShutdown");
  if (init == nullptr || shutdown == nullptr || init() != kSuccess) return facts;

  const auto version = library->Find<SystemGetDriverVersion>("nvmlSystemGetDriverVersion");
  char text[96] = {};
  if (version != nullptr && version(text, sizeof(text)) == kSuccess) facts.driver_version = text;
  const auto find = library->Find<DeviceGetHandleByUuid>("nvmlDeviceGetHandleByUUID");
  Device device = nullptr;
  if (find != nullptr && find(uuid.c_str(), &device) == kSuccess) {
    QueryDevice(*library, device, facts);
  }
  shutdown();
  return facts;
}

}  // namespace ropebench
