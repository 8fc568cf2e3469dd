// The cosine and sine tables, built on the host in float64 and rounded once to the table's dtype.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rope_workload.h"

namespace ropebench {

// Values of the compact tables [seq, rotary_dim / 2], row t for position t + position_offset,
// before rounding to table_dtype.
struct RopeTables {
  std::vector<double> cos;
  std::vector<double> sin;
};

// angle(t, i) = (t + position_offset) * theta^(-2 i / rotary_dim), i < rotary_dim / 2
// (Su et al., RoFormer, arXiv:2104.09864, equation 15). A scaling puts its own inverse frequencies
// in place of the power and multiplies cos and sin by its attention_factor: kernels/rope_scaling.h.
RopeTables BuildRopeTables(const RopeWorkload& workload);

// Rounds `values` to nearest even in `dtype` and stores them; `bytes` holds exactly that many.
void StoreRounded(std::span<const double> values, Dtype dtype, std::span<std::byte> bytes);

}  // namespace ropebench
