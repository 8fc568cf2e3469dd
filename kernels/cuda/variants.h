// The CUDA kernels: one explicit table. No CUDA header is needed to read it.
//
// Every kernel takes its parameter block (RopeParams or CopyParams) by value as its only argument,
// or no argument at all, so a launch is one call with everything resolved beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/case_plan.h"
#include "kernels/kernel_variant.h"

namespace ropebench {

// A kernel and its launch geometry. No dynamic shared memory.
struct CudaLaunch {
  const void* function;  // as cudaLaunchKernel takes it
  std::uint32_t grid[3];
  std::uint32_t block[3];
};

struct CudaVariant {
  KernelVariant variant;
  // Chooses the instance and geometry for one launch step. The workload is one that the variant
  // supports; `params` may be bound or not.
  CudaLaunch (*select)(const RopeWorkload& workload, const KernelParams& params);
};

std::span<const CudaVariant> CudaVariants();

// The most blocks that a grid has along y or z.
inline constexpr std::uint64_t kMaxGridYz = 65535;

// n / d, rounded up.
constexpr std::uint64_t CeilDiv(std::uint64_t n, std::uint64_t d) { return n / d + (n % d != 0); }

// How 16-byte loads and stores treat the L1 cache, where no byte is used twice.
enum class L1Hint : std::uint8_t { kDefault, kNoAllocate };

// One per file; see the head of each.
CudaLaunch SelectPair(const RopeWorkload& workload);

CudaLaunch SelectVec16(const RopeWorkload& workload);
std::optional<std::string> WhyNotVec16(const RopeWorkload& workload);

CudaLaunch SelectFlat16(const RopeWorkload& workload, std::uint32_t heads_per_thread);
std::optional<std::string> WhyNotFlat16(const RopeWorkload& workload,
                                        std::uint32_t heads_per_thread);

// Vectors of 16 bytes a thread, threads to a block.
enum class CopyForm : std::uint8_t { kV1B128, kV1B256, kV4B128, kV4B256, kV4B256NoAllocate };
CudaLaunch SelectCopy(const CopyParams& params, CopyForm form);

CudaLaunch SelectEmpty();

}  // namespace ropebench
