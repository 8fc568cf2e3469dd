// Device memory, freed with the object.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cuda/cuda_device.h"

namespace ropebench {

class DeviceBuffer {
 public:
  // At least 256-byte aligned, contents undefined. Throws OutOfMemory.
  DeviceBuffer(const CudaDevice& device, std::uint64_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t size_;
};

}  // namespace ropebench
