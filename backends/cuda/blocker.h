// Holds a stream up until the host says so, so that launches can be enqueued behind it first.
#pragma once

#include <cstdint>

#include "backends/cuda/cuda_device.h"

namespace ropebench {

// A kernel of one thread that waits for a flag in host memory. It gives up after kLimitNs, so that
// a lost Release cannot hang the device. Blocks and releases alternate.
class Blocker {
 public:
  static constexpr std::uint64_t kLimitNs = 500'000'000;

  // Launches the kernel once, so that it is loaded: a first launch may wait for the device, and
  // behind a blocked stream it would wait for its own release.
  explicit Blocker(const CudaDevice& device);
  ~Blocker();
  Blocker(const Blocker&) = delete;
  Blocker& operator=(const Blocker&) = delete;

  void Block();
  void Release();

  // Whether the last Block gave up already: what was enqueued since then was not held back.
  bool GaveUp() const;

  // Occupies the stream with one thread for that long; for measuring a timer.
  void Spin(std::uint64_t duration_ns);

 private:
  // In host memory that the device reads and writes while the kernel runs. The first two count
  // blocks, so that nothing needs to be reset between two of them.
  struct Flags {
    std::uint32_t released;
    std::uint32_t gave_up;
    std::uint32_t never;   // stays 0: what Spin waits for
    std::uint32_t unread;  // where Spin notes that it gave up
  };

  const CudaDevice& device_;
  Flags* flags_ = nullptr;
  std::uint32_t blocks_ = 0;
};

}  // namespace ropebench
