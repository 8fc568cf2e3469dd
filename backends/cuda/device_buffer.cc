#include "backends/cuda/device_buffer.h"

#include <fmt/format.h>

#include <utility>

#include "backends/cuda/cuda_error.h"

namespace ropebench {

DeviceBuffer::DeviceBuffer(const CudaDevice& device, std::uint64_t bytes) : size_(bytes) {
  device.MakeCurrent();
  void* data = nullptr;
  Check(cudaMalloc(&data, bytes), fmt::format("allocating {} bytes on the device", bytes));
  data_ = static_cast<std::byte*>(data);
}

DeviceBuffer::~DeviceBuffer() { cudaFree(data_); }

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}

}  // namespace ropebench
