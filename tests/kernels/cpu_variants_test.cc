#include "kernels/cpu/variants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "kernels/rope_tables.h"

namespace ropebench {
namespace {

const CpuVariant& Find(std::string_view name) {
  for (const CpuVariant& variant : CpuVariants()) {
    if (variant.variant.name == name) return variant;
  }
  throw std::out_of_range("no such variant");
}

// Runs a variant on fp32 tensors held by the test.
struct Rotation {
  RopeWorkload w;
  std::vector<float> q, k, q_out, k_out, cos, sin;

  Rotation() {
    w.dtype = w.table_dtype = Dtype::kFp32;
    w.placement = Placement::kOutOfPlace;
  }
  void UseTables() {
    const RopeTables tables = BuildRopeTables(w);
    cos.assign(tables.cos.begin(), tables.cos.end());
    sin.assign(tables.sin.begin(), tables.sin.end());
  }
  void Run(std::string_view name) {
    q_out.assign(q.size(), 0.0f);
    k_out.assign(k.size(), 0.0f);
    const CasePlan plan = MakePlan(w, KernelRole::kRope);
    std::vector<std::uint64_t> addresses;
    for (const BufferSpec& spec : plan.buffers) {
      float* data = spec.name == "cos"                              ? cos.data()
                    : spec.name == "sin"                            ? sin.data()
                    : spec.name == "q" || spec.name == "dq"         ? q.data()
                    : spec.name == "k" || spec.name == "dk"         ? k.data()
                    : spec.name == "q_out" || spec.name == "dq_out" ? q_out.data()
                                                                    : k_out.data();
      addresses.push_back(reinterpret_cast<std::uint64_t>(data));
    }
    for (const LaunchStep& step : plan.steps) {
      Find(name).run(w, BindAddresses(step.params, addresses));
    }
  }
};

class RotationVariants : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Cpu, RotationVariants, testing::Values("fp32", "float64"));

// tiny-vllm#4: half and interleaved mixed up, hidden by position 0, which is the identity.
TEST_P(RotationVariants, HalfAndInterleavedAtPositionOne) {
  Rotation r;
  r.w.seq = 1;
  r.w.position_offset = 1;
  r.w.q_heads = r.w.kv_heads = 1;
  r.w.head_dim = r.w.rotary_dim = 4;
  r.q = {1, 2, 3, 4};
  r.k = {0, 0, 0, 0};
  r.UseTables();
  const double c = std::cos(1.0), s = std::sin(1.0), c1 = std::cos(0.01), s1 = std::sin(0.01);
  const double half[] = {c - 3 * s, 2 * c1 - 4 * s1, 3 * c + s, 4 * c1 + 2 * s1};
  const double interleaved[] = {c - 2 * s, 2 * c + s, 3 * c1 - 4 * s1, 4 * c1 + 3 * s1};
  r.Run(GetParam());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(r.q_out[i], half[i], 1e-6) << i;
  r.w.style = Style::kInterleaved;
  r.Run(GetParam());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(r.q_out[i], interleaved[i], 1e-6) << i;
}

TEST_P(RotationVariants, PositionZeroIsTheIdentity) {
  Rotation r;
  r.w.seq = 1;
  r.w.q_heads = 3;
  r.w.kv_heads = 1;
  r.w.head_dim = r.w.rotary_dim = 6;
  for (int i = 0; i < 18; ++i) r.q.push_back(static_cast<float>(i + 1));
  r.k = {-1, -2, -3, -4, -5, -6};
  r.UseTables();
  r.Run(GetParam());
  EXPECT_EQ(r.q_out, r.q);
  EXPECT_EQ(r.k_out, r.k);
}

// Liger#342: with one kv head, k was left out of place while q was rotated in place.
TEST_P(RotationVariants, KMayHaveOneHeadOrMoreThanQ) {
  for (const auto& [q_heads, kv_heads] : {std::pair{2, 1}, std::pair{1, 3}}) {
    Rotation r;
    r.w.seq = 2;
    r.w.q_heads = q_heads;
    r.w.kv_heads = kv_heads;
    r.w.head_dim = r.w.rotary_dim = 2;
    for (int i = 0; i < 4 * q_heads; ++i) r.q.push_back(static_cast<float>(i));
    for (int i = 0; i < 4 * kv_heads; ++i) r.k.push_back(static_cast<float>(100 + i));
    r.cos = {0, 0};  // a quarter turn: (x1, x2) -> (-x2, x1)
    r.sin = {1, 1};
    r.Run(GetParam());
    for (const auto& [in, out] : {std::pair{r.q, r.q_out}, std::pair{r.k, r.k_out}}) {
      for (std::size_t i = 0; i < in.size(); i += 2) {
        EXPECT_EQ(out[i], -in[i + 1]);
        EXPECT_EQ(out[i + 1], in[i]);
      }
    }
  }
}

// apex#1750: head_dim 8, rotary_dim 4, backward: the tail was not carried over.
TEST_P(RotationVariants, TheTailIsCarriedOverOutOfPlace) {
  Rotation r;
  r.w.pass = Pass::kBackward;
  r.w.seq = 2;
  r.w.q_heads = r.w.kv_heads = 1;
  r.w.head_dim = 8;
  r.w.rotary_dim = 4;
  for (int i = 0; i < 16; ++i) r.q.push_back(static_cast<float>(i));
  r.k = r.q;
  r.UseTables();
  r.Run(GetParam());
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t d = 4; d < 8; ++d) EXPECT_EQ(r.q_out[8 * t + d], r.q[8 * t + d]);
  }
  // Backward at position 1: y1 = x1 c + x2 s.
  EXPECT_NEAR(r.q_out[8], 8 * std::cos(1.0) + 10 * std::sin(1.0), 1e-5);
}

TEST(Fp32, RoundsEachProductAndSumOnItsOwn) {
  // With x = c = s = 1 + 2^-12, c^2 rounds to 1 + 2^-11; a fused multiply-add keeps the 2^-24.
  Rotation r;
  r.w.seq = 1;
  r.w.q_heads = r.w.kv_heads = 1;
  r.w.head_dim = r.w.rotary_dim = 2;
  const float a = 1.0f + 0x1p-12f;
  r.q = {a, a};
  r.k = {0, 0};
  r.cos = {a};
  r.sin = {a};
  r.Run("fp32");
  EXPECT_EQ(r.q_out[0], 0.0f);
  EXPECT_EQ(r.q_out[1], 2.0f + 0x1p-10f);
}

TEST(Copy, XorsEveryVectorWithTheMask) {
  alignas(16) std::uint32_t q[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(16) std::uint32_t k[4] = {8, 9, 10, 11};
  CopyParams params{};
  params.q_in = params.q_out = reinterpret_cast<std::uint64_t>(q);
  params.k_in = params.k_out = reinterpret_cast<std::uint64_t>(k);
  params.q_vectors = 2;
  params.k_vectors = 1;
  params.mask = 0xff00u;
  Find("copy").run(RopeWorkload{}, params);
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(q[i], i ^ 0xff00u);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(k[i], (8 + i) ^ 0xff00u);
}

}  // namespace
}  // namespace ropebench
