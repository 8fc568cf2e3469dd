#include "kernels/case_plan.h"

#include <stdexcept>

namespace ropebench {
namespace {

std::uint32_t Narrow(std::int64_t value, const char* what) {
  if (value < 0 || value > std::int64_t{0xffffffff}) {
    throw std::range_error(std::string(what) + " exceeds 2^32 elements");
  }
  return static_cast<std::uint32_t>(value);
}

struct Strides {
  std::uint32_t batch, seq, head;
};

Strides StridesOf(const RopeWorkload& w, std::int64_t heads, const char* what) {
  const std::uint32_t batch = Narrow(w.batch == 1 ? 0 : w.seq * heads * w.head_dim, what);
  if (w.layout == Layout::kBshd) {
    return {batch, Narrow(heads * w.head_dim, what), Narrow(w.head_dim, what)};
  }
  return {batch, Narrow(w.head_dim, what), Narrow(heads == 1 ? 0 : w.seq * w.head_dim, what)};
}

CasePlan MakeRopePlan(const RopeWorkload& w) {
  CasePlan plan;
  const auto add = [&](std::string name, std::uint64_t bytes, Access access) {
    plan.buffers.push_back({std::move(name), bytes, access});
    return static_cast<std::uint64_t>(plan.buffers.size() - 1);
  };
  const std::uint64_t element = Info(w.dtype).size_bytes;
  const std::uint64_t table_bytes =
      static_cast<std::uint64_t>(w.table_elements()) * Info(w.table_dtype).size_bytes;
  const std::uint64_t cos = add("cos", table_bytes, Access::kRead);
  const std::uint64_t sin = add("sin", table_bytes, Access::kRead);
  const bool in_place = w.placement == Placement::kInPlace;
  const Strides q = StridesOf(w, w.q_heads, "a stride of q");
  const Strides k = StridesOf(w, w.kv_heads, "a stride of k");

  for (Pass pass : Steps(w.pass)) {
    const std::string gradient = pass == Pass::kBackward ? "d" : "";
    const auto add_tensor = [&](const std::string& name, std::int64_t elements) {
      const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * element;
      const std::uint64_t in =
          add(gradient + name, bytes, in_place ? Access::kReadWrite : Access::kRead);
      const std::uint64_t out =
          in_place ? in : add(gradient + name + "_out", bytes, Access::kWrite);
      return std::pair{in, out};
    };
    const auto [q_in, q_out] = add_tensor("q", w.q_elements());
    const auto [k_in, k_out] = add_tensor("k", w.k_elements());
    RopeParams params{};
    params.q_in = q_in;
    params.k_in = k_in;
    params.q_out = q_out;
    params.k_out = k_out;
    params.cos = cos;
    params.sin = sin;
    params.batch = static_cast<std::uint32_t>(w.batch);
    params.seq = static_cast<std::uint32_t>(w.seq);
    params.q_heads = static_cast<std::uint32_t>(w.q_heads);
    params.kv_heads = static_cast<std::uint32_t>(w.kv_heads);
    params.head_dim = static_cast<std::uint32_t>(w.head_dim);
    params.rotary_dim = static_cast<std::uint32_t>(w.rotary_dim);
    params.q_batch_stride = q.batch;
    params.q_seq_stride = q.seq;
    params.q_head_stride = q.head;
    params.k_batch_stride = k.batch;
    params.k_seq_stride = k.seq;
    params.k_head_stride = k.head;
    params.table_stride = static_cast<std::uint32_t>(w.rotary_dim / 2);
    params.sin_sign_bit = pass == Pass::kBackward ? 0x80000000u : 0u;
    plan.steps.push_back({pass, params});
  }
  return plan;
}

CasePlan MakeCopyPlan(const RopeWorkload& w) {
  CasePlan plan;
  const std::uint64_t step_bytes = MinTrafficBytes(w) / Steps(w.pass).size();
  const std::uint64_t vectors = (step_bytes / 2 + 15) / 16;
  if (vectors > 0xffffffffu) throw std::range_error("a copy exceeds 2^32 vectors of 16 bytes");
  for (Pass pass : Steps(w.pass)) {
    CopyParams params{};
    params.from = plan.buffers.size();
    params.vectors = static_cast<std::uint32_t>(vectors);
    params.mask = 0x5a5a5a5au;
    if (w.placement == Placement::kInPlace) {
      plan.buffers.push_back({"copy", vectors * 16, Access::kReadWrite});
    } else {
      plan.buffers.push_back({"copy_in", vectors * 16, Access::kRead});
      plan.buffers.push_back({"copy_out", vectors * 16, Access::kWrite});
    }
    params.to = plan.buffers.size() - 1;
    plan.steps.push_back({pass, params});
  }
  return plan;
}

}  // namespace

CasePlan MakePlan(const RopeWorkload& workload, KernelRole role) {
  switch (role) {
    case KernelRole::kRope:
      return MakeRopePlan(workload);
    case KernelRole::kCopy:
      return MakeCopyPlan(workload);
    case KernelRole::kEmpty: {
      CasePlan plan;
      for (Pass pass : Steps(workload.pass)) plan.steps.push_back({pass, EmptyParams{}});
      return plan;
    }
  }
  __builtin_unreachable();
}

KernelParams BindAddresses(const KernelParams& params, std::span<const std::uint64_t> addresses) {
  KernelParams bound = params;
  if (auto* rope = std::get_if<RopeParams>(&bound)) {
    for (std::uint64_t* field :
         {&rope->q_in, &rope->k_in, &rope->q_out, &rope->k_out, &rope->cos, &rope->sin}) {
      *field = addresses[*field];
    }
  } else if (auto* copy = std::get_if<CopyParams>(&bound)) {
    copy->from = addresses[copy->from];
    copy->to = addresses[copy->to];
  }
  return bound;
}

std::span<const std::byte> ParamBytes(const KernelParams& params) {
  if (const auto* rope = std::get_if<RopeParams>(&params)) return std::as_bytes(std::span(rope, 1));
  if (const auto* copy = std::get_if<CopyParams>(&params)) return std::as_bytes(std::span(copy, 1));
  return {};
}

}  // namespace ropebench
