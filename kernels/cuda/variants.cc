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

// Adapters from the table's one signature to what each family needs to know.
template <CopyForm form>
CudaLaunch CopyWith(const RopeWorkload&, const KernelParams& params) {
  return SelectCopy(std::get<CopyParams>(params), form);
}

template <std::uint32_t heads_per_thread>
constexpr CudaVariant Flat16(std::string_view name, std::string_view idea,
                             std::string_view suited_for = "",
                             bool (*suits)(const RopeWorkload&) = nullptr) {
  CudaVariant entry{
      Rope(name, idea, "kernels/cuda/flat16.cu", "Flat16Kernel",
           [](const RopeWorkload& w) { return WhyNotFlat16(w, heads_per_thread); }),
      [](const RopeWorkload& w, const KernelParams&) { return SelectFlat16(w, heads_per_thread); }};
  entry.variant.suited_for = suited_for;
  entry.variant.suits = suits;
  return entry;
}

}  // namespace

std::span<const CudaVariant> CudaVariants() {
  static constexpr CudaVariant kVariants[] = {
      Flat16<4>("flat16_v4", "16-byte vectors of 4 heads a thread, partners by shuffle",
                "more than 400 000 vectors of q and k, as many as the threads of flat16_v2 hold on "
                "132 SMs",
                [](const RopeWorkload& w) {
                  return (w.q_elements() + w.k_elements()) * Info(w.dtype).size_bytes >
                         std::int64_t{400'000} * 16;
                }),
      Flat16<2>("flat16_v2", "16-byte vectors of 2 heads a thread, partners by shuffle"),
      {Rope("vec16", "16-byte columns of both halves, one head a thread", "kernels/cuda/vec16.cu",
            "Vec16Kernel", WhyNotVec16),
       [](const RopeWorkload& workload, const KernelParams&) { return SelectVec16(workload); }},
      {Rope("pair", "one thread per pair, any valid workload", "kernels/cuda/pair.cu", "PairKernel",
            SupportsEverything),
       [](const RopeWorkload& workload, const KernelParams&) { return SelectPair(workload); }},
      {Copy("copy_v1_b128", "1 vector of 16 bytes a thread, 128 threads"),
       CopyWith<CopyForm::kV1B128>},
      {Copy("copy_v1_b256", "1 vector of 16 bytes a thread, 256 threads"),
       CopyWith<CopyForm::kV1B256>},
      {Copy("copy_v4_b128", "4 vectors of 16 bytes a thread, 128 threads"),
       CopyWith<CopyForm::kV4B128>},
      {Copy("copy_v4_b256", "4 vectors of 16 bytes a thread, 256 threads"),
       CopyWith<CopyForm::kV4B256>},
      {Copy("copy_v4_b256_na", "4 vectors of 16 bytes a thread, 256 threads, not allocating in L1"),
       CopyWith<CopyForm::kV4B256NoAllocate>},
      {{"empty", KernelRole::kEmpty, "one block that does nothing", "cuda", "kernels/cuda/empty.cu",
        "EmptyKernel", SupportsEverything},
       [](const RopeWorkload&, const KernelParams&) { return SelectEmpty(); }},
  };
  return kVariants;
}

}  // namespace ropebench
