#include "kernels/case_plan.h"

#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

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

std::uint64_t AddBuffer(CasePlan& plan, std::string name, std::uint64_t bytes, Access access) {
  plan.buffers.push_back({std::move(name), bytes, access});
  return plan.buffers.size() - 1;
}

// Adds a step's tensor and returns the indices of what it is read from and written to.
std::pair<std::uint64_t, std::uint64_t> AddTensor(CasePlan& plan, const RopeWorkload& w, Pass pass,
                                                  std::string_view name, std::uint64_t bytes) {
  std::string full_name(pass == Pass::kBackward ? "d" : "");
  full_name += name;
  if (w.placement == Placement::kInPlace) {
    const std::uint64_t both = AddBuffer(plan, full_name, bytes, Access::kReadWrite);
    return {both, both};
  }
  const std::uint64_t in = AddBuffer(plan, full_name, bytes, Access::kRead);
  return {in, AddBuffer(plan, full_name + "_out", bytes, Access::kWrite)};
}

CasePlan MakeRopePlan(const RopeWorkload& w) {
  CasePlan plan;
  const std::uint64_t element = Info(w.dtype).size_bytes;
  const std::uint64_t table_bytes =
      static_cast<std::uint64_t>(w.table_elements()) * Info(w.table_dtype).size_bytes;
  const std::uint64_t cos = AddBuffer(plan, "cos", table_bytes, Access::kRead);
  const std::uint64_t sin = AddBuffer(plan, "sin", table_bytes, Access::kRead);
  const Strides q = StridesOf(w, w.q_heads, "a stride of q");
  const Strides k = StridesOf(w, w.kv_heads, "a stride of k");

  for (Pass pass : Steps(w.pass)) {
    RopeParams params{};
    std::tie(params.q_in, params.q_out) =
        AddTensor(plan, w, pass, "q", static_cast<std::uint64_t>(w.q_elements()) * element);
    std::tie(params.k_in, params.k_out) =
        AddTensor(plan, w, pass, "k", static_cast<std::uint64_t>(w.k_elements()) * element);
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
  const auto heads = static_cast<std::uint64_t>(w.q_heads + w.kv_heads);
  const std::uint64_t q_vectors =
      (vectors * static_cast<std::uint64_t>(w.q_heads) + heads - 1) / heads;
  for (Pass pass : Steps(w.pass)) {
    CopyParams params{};
    params.q_vectors = static_cast<std::uint32_t>(q_vectors);
    params.k_vectors = static_cast<std::uint32_t>(vectors - q_vectors);
    params.mask = 0x5a5a5a5au;
    std::tie(params.q_in, params.q_out) = AddTensor(plan, w, pass, "q", q_vectors * 16);
    std::tie(params.k_in, params.k_out) = AddTensor(plan, w, pass, "k", (vectors - q_vectors) * 16);
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
    for (std::uint64_t* field : {&copy->q_in, &copy->k_in, &copy->q_out, &copy->k_out}) {
      *field = addresses[*field];
    }
  }
  return bound;
}

std::span<const std::byte> ParamBytes(const KernelParams& params) {
  if (const auto* rope = std::get_if<RopeParams>(&params)) return std::as_bytes(std::span(rope, 1));
  if (const auto* copy = std::get_if<CopyParams>(&params)) return std::as_bytes(std::span(copy, 1));
  return {};
}

}  // namespace ropebench
