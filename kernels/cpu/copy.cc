// copy: the ceiling of the CPU. Reads and writes the same bytes as the rotation in 16-byte vectors,
// split over all host threads.
#include "kernels/cpu/parallel_for.h"
#include "kernels/cpu/variants.h"

namespace ropebench {

void RunCopy(const RopeWorkload&, const KernelParams& params) {
  struct alignas(16) Vector {
    std::uint32_t words[4];
  };
  const auto& copy = std::get<CopyParams>(params);
  const auto* in = reinterpret_cast<const Vector*>(copy.from);
  auto* out = reinterpret_cast<Vector*>(copy.to);
  ParallelFor(copy.vectors, 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Vector vector = in[i];
      for (std::uint32_t& word : vector.words) word ^= copy.mask;
      out[i] = vector;
    }
  });
}

}  // namespace ropebench
