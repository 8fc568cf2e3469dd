#include <atomic>

#include "backends/cuda/blocker.h"
#include "backends/cuda/cuda_error.h"

namespace ropebench {
namespace {

__device__ __forceinline__ std::uint64_t GlobalTimerNs() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// Ends when *released reaches `ticket`, or after `limit_ns`, and then writes the ticket to
// *gave_up. The difference is taken as signed, so the count may wrap.
__global__ void WaitKernel(const volatile std::uint32_t* released, volatile std::uint32_t* gave_up,
                           std::uint32_t ticket, std::uint64_t limit_ns) {
  const std::uint64_t begin = GlobalTimerNs();
  while (static_cast<std::int32_t>(*released - ticket) < 0) {
    if (GlobalTimerNs() - begin >= limit_ns) {
      *gave_up = ticket;
      return;
    }
  }
}

}  // namespace

Blocker::Blocker(const CudaDevice& device) : device_(device) {
  device_.MakeCurrent();
  void* flags = nullptr;
  // Mapped host memory has the same address on the device wherever addressing is unified, which is
  // every 64-bit platform.
  Check(cudaHostAlloc(&flags, sizeof(Flags), cudaHostAllocMapped), "allocating pinned host memory");
  flags_ = new (flags) Flags{};
  try {
    Spin(0);
    device_.Synchronize();
  } catch (...) {
    cudaFreeHost(flags_);
    throw;
  }
}

Blocker::~Blocker() {
  Release();
  cudaStreamSynchronize(device_.stream());  // the kernel may still be reading the flag
  cudaFreeHost(flags_);
}

void Blocker::Block() {
  ++blocks_;
  device_.MakeCurrent();
  WaitKernel<<<1, 1, 0, device_.stream()>>>(&flags_->released, &flags_->gave_up, blocks_, kLimitNs);
  Check(cudaGetLastError(), "blocking the stream");
}

void Blocker::Release() {
  std::atomic_ref<std::uint32_t>(flags_->released).store(blocks_, std::memory_order_release);
}

bool Blocker::GaveUp() const {
  return std::atomic_ref<std::uint32_t>(flags_->gave_up).load(std::memory_order_acquire) ==
             blocks_ &&
         blocks_ != 0;
}

void Blocker::Spin(std::uint64_t duration_ns) {
  device_.MakeCurrent();
  WaitKernel<<<1, 1, 0, device_.stream()>>>(&flags_->never, &flags_->unread, 1, duration_ns);
  Check(cudaGetLastError(), "launching a spin kernel");
}

}  // namespace ropebench
