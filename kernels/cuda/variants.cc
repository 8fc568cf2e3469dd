#include "kernels/cuda/variants.h"

#include <variant>

namespace ropebench {
namespace {

constexpr KernelVariant Rope(std::string_view name, std::string_view idea,
                             std::string_view source_path, std::string_view symbol,
                             std::optional<std::string> (*why_unsupported)(const RopeWorkload&)) {
  return {name, KernelRole::kRope, idea, "cuda", source_path, symbol, why_unsupported};
}

constexpr KernelVariant Copy(std::string_view name, std::string_view idea) {
  return {name,         KernelRole::kCopy, idea, "cuda", "kernels/cuda/copy.cu",
          "CopyKernel", SupportsEverything};
}

// An adapter from the table's one signature to what the family of copies needs to know.
template <int vectors_per_thread, L1Hint hint, std::uint32_t block>
CudaLaunch CopyWith(const RopeWorkload&, const KernelParams& params) {
  return SelectCopy(std::get<CopyParams>(params), vectors_per_thread, hint, block);
}

}  // namespace

std::span<const CudaVariant> CudaVariants() {
  constexpr L1Hint kDefault = L1Hint::kDefault;
  constexpr L1Hint kNoAllocate = L1Hint::kNoAllocate;
  static constexpr CudaVariant kVariants[] = {
      {Rope("pair", "one thread per pair, any valid workload", "kernels/cuda/pair.cu", "PairKernel",
            SupportsEverything),
       [](const RopeWorkload& workload, const KernelParams&) { return SelectPair(workload); }},
      {Rope("vec16", "16-byte columns of both halves, one head a thread", "kernels/cuda/vec16.cu",
            "Vec16Kernel", WhyNotVec16),
       [](const RopeWorkload& workload, const KernelParams&) { return SelectVec16(workload); }},
      {Rope("flat16", "16-byte vectors of 4 heads a thread, partners by shuffle",
            "kernels/cuda/flat16.cu", "Flat16Kernel", WhyNotFlat16),
       [](const RopeWorkload& workload, const KernelParams&) { return SelectFlat16(workload); }},
      {Copy("copy_v1_b128", "1 vector of 16 bytes a thread, 128 threads"),
       CopyWith<1, kDefault, 128>},
      {Copy("copy_v1_b256", "1 vector of 16 bytes a thread, 256 threads"),
       CopyWith<1, kDefault, 256>},
      {Copy("copy_v4_b128", "4 vectors of 16 bytes a thread, 128 threads"),
       CopyWith<4, kDefault, 128>},
      {Copy("copy_v4_b256", "4 vectors of 16 bytes a thread, 256 threads"),
       CopyWith<4, kDefault, 256>},
      {Copy("copy_v4_b256_na", "4 vectors of 16 bytes a thread, 256 threads, not allocating in L1"),
       CopyWith<4, kNoAllocate, 256>},
      {{"empty", KernelRole::kEmpty, "one block that does nothing", "cuda", "kernels/cuda/empty.cu",
        "EmptyKernel", SupportsEverything},
       [](const RopeWorkload&, const KernelParams&) { return SelectEmpty(); }},
  };
  return kVariants;
}

}  // namespace ropebench
