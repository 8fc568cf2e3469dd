#include "kernels/dtype.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropebench {

double UlpOf(double x, Dtype dtype) {
  const DtypeInfo& info = Info(dtype);
  const auto biased = static_cast<int>((std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ffu);
  const int exponent = std::max(info.min_exponent, biased - 1023) - info.significand_bits + 1;
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

double RoundToDtype(double x, Dtype dtype) {
  if (!std::isfinite(x)) return x;
  // Adding 1.5 x 2^52 units pushes everything below one unit out of the sum, which rounds it to
  // even; |x| is below 2^25 units, else the sum below overflows the dtype anyway.
  const double magic = 0x1.8p52 * UlpOf(x, dtype);
  const double rounded = (x + magic) - magic;
  const double limit = std::ldexp(1.0, Info(dtype).max_exponent + 1);
  if (std::fabs(rounded) >= limit) {
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  return std::copysign(rounded, x);
}

}  // namespace ropebench
