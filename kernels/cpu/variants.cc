#include "kernels/cpu/variants.h"

namespace ropebench {

void RunEmpty(const RopeWorkload&, const KernelParams&) {}

std::span<const CpuVariant> CpuVariants() {
  static constexpr CpuVariant kVariants[] = {
      {{"fp32", KernelRole::kRope, "fp32 without contraction, tokens split over all threads", "cpp",
        "kernels/cpu/fp32.cc", "RunFp32", SupportsEverything},
       RunFp32},
      {{"float64", KernelRole::kRope, "the float64 reference, rounded once", "cpp",
        "kernels/cpu/float64.cc", "RunFloat64", SupportsEverything},
       RunFloat64},
      {{"copy", KernelRole::kCopy, "16-byte words, split over all threads", "cpp",
        "kernels/cpu/copy.cc", "RunCopy", SupportsEverything},
       RunCopy},
      {{"empty", KernelRole::kEmpty, "a call that does nothing", "cpp", "kernels/cpu/variants.cc",
        "RunEmpty", SupportsEverything},
       RunEmpty},
  };
  return kVariants;
}

}  // namespace ropebench
