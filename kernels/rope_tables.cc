#include "kernels/rope_tables.h"

#include <cmath>
#include <cstring>

#include "kernels/cpu/parallel_for.h"

namespace ropebench {

RopeTables BuildRopeTables(const RopeWorkload& w) {
  const std::int64_t half = w.rotary_dim / 2;
  const std::vector<double> frequencies =
      InverseFrequencies(w.scaling, w.theta, w.rotary_dim, w.seq + w.position_offset);
  const double factor = w.scaling.attention_factor;
  RopeTables tables;
  tables.cos.resize(static_cast<std::size_t>(w.table_elements()));
  tables.sin.resize(tables.cos.size());
  ParallelFor(w.seq, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const double position = static_cast<double>(t + w.position_offset);
      for (std::int64_t i = 0; i < half; ++i) {
        const double angle = position * frequencies[static_cast<std::size_t>(i)];
        const auto at = static_cast<std::size_t>(t * half + i);
        tables.cos[at] = factor * std::cos(angle);
        tables.sin[at] = factor * std::sin(angle);
      }
    }
  });
  return tables;
}

void StoreRounded(std::span<const double> values, Dtype dtype, std::span<std::byte> bytes) {
  VisitDtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Exact: RoundToDtype gives a value that T, and so float, holds.
      const T stored = FromFloat<T>(static_cast<float>(RoundToDtype(values[i], dtype)));
      std::memcpy(bytes.data() + i * sizeof(T), &stored, sizeof(T));
    }
  });
}

}  // namespace ropebench
