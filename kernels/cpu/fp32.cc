// fp32: the arithmetic that every GPU kernel must reproduce bit for bit, on all host threads. Each
// product and sum is rounded to fp32 on its own (-ffp-contract=off) and the result once to the
// tensor's dtype. Expected: bound by conversion and stores, far from the host's copy rate in 16
// bits.
#include "kernels/cpu/rotate_rows.h"
#include "kernels/cpu/variants.h"

namespace ropebench {

void RunFp32(const RopeWorkload& w, const KernelParams& params) {
  VisitDtype(w.dtype, [&](auto element) {
    VisitDtype(w.table_dtype, [&](auto table) {
      using T = decltype(element);
      RotateRows<T, decltype(table), float>(w.style, std::get<RopeParams>(params),
                                            [](float y) { return FromFloat<T>(y); });
    });
  });
}

}  // namespace ropebench
