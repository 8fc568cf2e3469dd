// copy: the ceiling of the CPU. Reads and writes the same bytes as the rotation in 16-byte vectors,
// split over all host threads.
#include <algorithm>

#include "kernels/cpu/parallel_for.h"
#include "kernels/cpu/variants.h"

namespace ropebench {

void RunCopy(const RopeWorkload&, const KernelParams& params) {
  struct alignas(16) Vector {
    std::uint32_t words[4];
  };
  const auto& copy = std::get<CopyParams>(params);
  const auto move = [&](std::uint64_t from, std::uint64_t to, std::int64_t begin,
                        std::int64_t end) {
    const auto* in = reinterpret_cast<const Vector*>(from);
    auto* out = reinterpret_cast<Vector*>(to);
    for (std::int64_t i = begin; i < end; ++i) {
      Vector vector = in[i];
      for (std::uint32_t& word : vector.words) word ^= copy.mask;
      out[i] = vector;
    }
  };
  const std::int64_t q = copy.q_vectors;
  ParallelFor(q + copy.k_vectors, 4096, [&](std::int64_t begin, std::int64_t end) {
    move(copy.q_in, copy.q_out, begin, std::min(end, q));
    move(copy.k_in, copy.k_out, std::max(begin, q) - q, end - q);
  });
}

}  // namespace ropebench
