// float64: the reference of the correctness policy as a kernel: evaluated in double, rounded once
// to the tensor's dtype. Slow on purpose; it shows what correct rounding gives.
#include "kernels/cpu/rotate_rows.h"
#include "kernels/cpu/variants.h"

namespace ropebench {

void RunFloat64(const RopeWorkload& w, const KernelParams& params) {
  VisitDtype(w.dtype, [&](auto element) {
    VisitDtype(w.table_dtype, [&](auto table) {
      using T = decltype(element);
      const Dtype dtype = w.dtype;
      RotateRows<T, decltype(table), double>(
          w.style, std::get<RopeParams>(params),
          [dtype](double y) { return FromFloat<T>(static_cast<float>(RoundToDtype(y, dtype))); });
    });
  });
}

}  // namespace ropebench
