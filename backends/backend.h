// Backend: where kernels run. Four things are kept apart, so that a harness cannot time wrongly:
//
//   KernelVariant  what is computed         (kernels/)
//   PreparedCase   buffers and pipelines; can launch, knows no clock
//   Sampler        the clock, the flush and the blocked launch; computes nothing   (sampler.h)
//   Sample()       the order of operations, one for all backends                   (sampler.h)
//
// All of it is used from one thread. Anything that fails on the device throws DeviceError.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backends/protocol.h"
#include "kernels/case_plan.h"
#include "kernels/kernel_variant.h"
#include "kernels/rope_workload.h"

namespace ropebench {

class Sampler;

// A launch, an allocation or a wait failed on the device: ends the case, never the run.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The device is gone for this process: every later call on its backend would fail as well.
class DeviceLost : public DeviceError {
  using DeviceError::DeviceError;
};

// The device has not enough memory for the case: DeviceError with a status of its own.
class OutOfMemory : public DeviceError {
  using DeviceError::DeviceError;
};

struct DeviceInfo {
  std::string backend;       // cpu, cuda or vulkan
  int index = 0;             // as in --device
  std::string name;          // as the driver reports it
  std::string vendor;        // token: nvidia, amd, intel, mesa, ...
  std::string architecture;  // token: sm_90, x86_64, gpu where the interface has no name for it
  std::string driver;        // version text; empty where there is no driver
  std::optional<std::array<std::uint8_t, 16>> uuid;  // joins the CUDA and Vulkan view of one card
  std::uint64_t memory_bytes = 0;
  std::uint64_t cache_bytes = 0;       // last-level cache; 0 where it cannot be queried
  double peak_bytes_per_s = 0.0;       // memory clock x bus width; 0 where unknown
  std::uint64_t max_buffer_bytes = 0;  // largest single buffer; 0 where unlimited
  bool is_software = false;            // a CPU that plays a GPU: its times describe the host
  std::optional<double> power_limit_watts;
  std::optional<bool> persistence_mode;
  std::optional<bool> ecc_enabled;
};

// Bytes of guard zone before and after each buffer's payload. A multiple of every alignment that a
// kernel may assume (256), so a payload is as aligned as its allocation.
inline constexpr std::uint64_t kGuardBytes = 4096;

// One case on one device. Owns its buffers and pipelines; move-only by being held by pointer.
// Buffer i is the plan's buffer i with a guard zone on either side; Write and Read transfer all of
// it: kGuardBytes + bytes + kGuardBytes.
class PreparedCase {
 public:
  virtual ~PreparedCase() = default;

  // Copies to or from the device and waits. `image` has exactly the size named above.
  virtual void Write(std::size_t buffer, std::span<const std::byte> image) = 0;
  virtual void Read(std::size_t buffer, std::span<std::byte> image) = 0;

  // Launches every step once and waits; for warm-up and verification. Timed launches are made by
  // the Sampler of the same backend.
  virtual void RunOnce() = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const DeviceInfo& device() const = 0;

  // Every variant of this backend, ropes first; storage is static.
  virtual std::span<const KernelVariant> variants() const = 0;

  // Why this device cannot run the variant on the workload, or nothing: the variant's own reason
  // or a limit of the device. Costs no device work.
  virtual std::optional<std::string> WhyUnsupported(const KernelVariant& variant,
                                                    const RopeWorkload& workload) const = 0;

  // `variant` is an element of variants() that supports the workload. Throws DeviceError.
  virtual std::unique_ptr<PreparedCase> Prepare(const KernelVariant& variant,
                                                const RopeWorkload& workload) = 0;

  // The timers of this backend, its default first. `WhyNoTimer` says what one of them lacks here.
  virtual std::span<const Timer> timers() const = 0;
  virtual std::optional<std::string> WhyNoTimer(Timer timer) const = 0;

  // A sampler for cases prepared by this backend, which must outlive it. Throws DeviceError.
  virtual std::unique_ptr<Sampler> MakeSampler(Timer timer, std::uint64_t flush_bytes) = 0;
};

}  // namespace ropebench
