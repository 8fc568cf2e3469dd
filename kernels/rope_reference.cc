#include "kernels/rope_reference.h"

namespace ropebench {

TensorLayout LayoutOf(const RopeWorkload& w, std::int64_t heads) {
  const std::int64_t batch_stride = w.seq * heads * w.head_dim;
  if (w.layout == Layout::kBshd) return {batch_stride, heads * w.head_dim, w.head_dim};
  return {batch_stride, w.head_dim, w.seq * w.head_dim};
}

}  // namespace ropebench
