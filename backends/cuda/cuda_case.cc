#include "backends/cuda/cuda_case.h"

#include <utility>

#include "backends/cuda/cuda_error.h"

namespace ropebench {

CudaCase::CudaCase(const CudaDevice& device, std::vector<DeviceBuffer> buffers,
                   std::vector<CudaStep> steps)
    : device_(device), buffers_(std::move(buffers)), steps_(std::move(steps)) {
  device_.MakeCurrent();
  for (const CudaStep& step : steps_) {
    cudaFuncAttributes attributes{};
    Check(cudaFuncGetAttributes(&attributes, step.launch.function), "loading the kernel");
  }
}

void CudaCase::Write(std::size_t buffer, std::span<const std::byte> image) {
  const DeviceBuffer& to = buffers_.at(buffer);
  if (image.size() != to.size()) throw std::logic_error("image and buffer differ in size");
  Check(cudaMemcpyAsync(to.data(), image.data(), image.size(), cudaMemcpyHostToDevice,
                        device_.stream()),
        "copying to the device");
  device_.Synchronize();
}

void CudaCase::Read(std::size_t buffer, std::span<std::byte> image) {
  const DeviceBuffer& from = buffers_.at(buffer);
  if (image.size() != from.size()) throw std::logic_error("image and buffer differ in size");
  Check(cudaMemcpyAsync(image.data(), from.data(), image.size(), cudaMemcpyDeviceToHost,
                        device_.stream()),
        "copying from the device");
  device_.Synchronize();
}

void CudaCase::RunOnce() {
  Enqueue();
  device_.Synchronize();
}

void CudaCase::Enqueue() {
  device_.MakeCurrent();
  for (const CudaStep& step : steps_) {
    const auto& [function, grid, block] = step.launch;
    // A kernel's one argument is its parameter block. The runtime copies it during the call, so the
    // const_cast lets nobody write.
    void* argument = const_cast<std::byte*>(ParamBytes(step.params).data());
    Check(cudaLaunchKernel(function, dim3(grid[0], grid[1], grid[2]),
                           dim3(block[0], block[1], block[2]),
                           argument == nullptr ? nullptr : &argument, 0, device_.stream()),
          "launching the kernel");
    Check(cudaGetLastError(), "launching the kernel");
  }
}

std::unique_ptr<CudaCase> PrepareCudaCase(const CudaDevice& device, const CudaVariant& variant,
                                          const RopeWorkload& workload) {
  const CasePlan plan = MakePlan(workload, variant.variant.role);
  std::vector<DeviceBuffer> buffers;
  std::vector<std::uint64_t> addresses;
  for (const BufferSpec& spec : plan.buffers) {
    buffers.emplace_back(device, kGuardBytes + spec.bytes + kGuardBytes);
    addresses.push_back(reinterpret_cast<std::uint64_t>(buffers.back().data() + kGuardBytes));
  }
  std::vector<CudaStep> steps;
  for (const LaunchStep& step : plan.steps) {
    steps.push_back({variant.select(workload, step.params), BindAddresses(step.params, addresses)});
  }
  return std::make_unique<CudaCase>(device, std::move(buffers), std::move(steps));
}

}  // namespace ropebench
