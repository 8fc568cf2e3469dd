// The CPU's kernels: one explicit table.
#pragma once

#include <span>

#include "kernels/case_plan.h"
#include "kernels/kernel_variant.h"

namespace ropebench {

// Runs one launch step whose address fields have been bound to host pointers.
using CpuKernel = void (*)(const RopeWorkload& workload, const KernelParams& params);

struct CpuVariant {
  KernelVariant variant;
  CpuKernel run;
};

std::span<const CpuVariant> CpuVariants();

// One per file; see the head of each.
void RunFloat64(const RopeWorkload& workload, const KernelParams& params);
void RunFp32(const RopeWorkload& workload, const KernelParams& params);
void RunCopy(const RopeWorkload& workload, const KernelParams& params);
void RunEmpty(const RopeWorkload& workload, const KernelParams& params);

}  // namespace ropebench
