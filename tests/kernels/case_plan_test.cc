#include "kernels/case_plan.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ropebench {
namespace {

TEST(MakePlan, InPlaceSharesBuffersAndOutOfPlaceDoesNot) {
  RopeWorkload w;
  const CasePlan in_place = MakePlan(w, KernelRole::kRope);
  ASSERT_EQ(in_place.buffers.size(), 4u);  // cos, sin, q, k
  ASSERT_EQ(in_place.steps.size(), 1u);
  const auto& params = std::get<RopeParams>(in_place.steps[0].params);
  EXPECT_EQ(params.q_in, params.q_out);
  EXPECT_EQ(in_place.buffers[params.q_in].access, Access::kReadWrite);

  w.placement = Placement::kOutOfPlace;
  const CasePlan out_of_place = MakePlan(w, KernelRole::kRope);
  ASSERT_EQ(out_of_place.buffers.size(), 6u);
  const auto& other = std::get<RopeParams>(out_of_place.steps[0].params);
  EXPECT_EQ(out_of_place.buffers[other.q_in].access, Access::kRead);
  EXPECT_EQ(out_of_place.buffers[other.q_out].access, Access::kWrite);
}

TEST(MakePlan, FullIsAForwardAndABackwardOnTensorsOfTheirOwn) {
  RopeWorkload w;
  w.pass = Pass::kFull;
  const CasePlan plan = MakePlan(w, KernelRole::kRope);
  ASSERT_EQ(plan.steps.size(), 2u);
  const auto& forward = std::get<RopeParams>(plan.steps[0].params);
  const auto& backward = std::get<RopeParams>(plan.steps[1].params);
  EXPECT_EQ(plan.steps[0].pass, Pass::kForward);
  EXPECT_EQ(plan.steps[1].pass, Pass::kBackward);
  EXPECT_EQ(forward.sin_sign_bit, 0u);
  EXPECT_EQ(backward.sin_sign_bit, 0x80000000u);
  EXPECT_NE(forward.q_in, backward.q_in);
  EXPECT_EQ(forward.cos, backward.cos);
}

TEST(MakePlan, StridesFollowTheLayout) {
  RopeWorkload w;
  w.batch = 2;
  w.seq = 3;
  w.q_heads = 5;
  w.kv_heads = 7;
  w.head_dim = w.rotary_dim = 8;
  auto params = std::get<RopeParams>(MakePlan(w, KernelRole::kRope).steps[0].params);
  EXPECT_EQ(params.q_batch_stride, 3u * 5 * 8);
  EXPECT_EQ(params.q_seq_stride, 5u * 8);
  EXPECT_EQ(params.q_head_stride, 8u);
  EXPECT_EQ(params.k_seq_stride, 7u * 8);
  w.layout = Layout::kBhsd;
  params = std::get<RopeParams>(MakePlan(w, KernelRole::kRope).steps[0].params);
  EXPECT_EQ(params.q_seq_stride, 8u);
  EXPECT_EQ(params.q_head_stride, 3u * 8);
  EXPECT_EQ(params.k_batch_stride, 3u * 7 * 8);
}

TEST(MakePlan, ACopyMovesTheBytesOfTheRotation) {
  RopeWorkload w;
  for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
    for (Pass pass : {Pass::kForward, Pass::kFull}) {
      w.placement = placement;
      w.pass = pass;
      std::uint64_t moved = 0;
      for (const LaunchStep& step : MakePlan(w, KernelRole::kCopy).steps) {
        const auto& params = std::get<CopyParams>(step.params);
        moved += 2 * 16 * (std::uint64_t{params.q_vectors} + params.k_vectors);
      }
      EXPECT_GE(moved, MinTrafficBytes(w));
      EXPECT_LT(moved, MinTrafficBytes(w) + 64);
    }
  }
}

TEST(BindAddresses, ReplacesEveryIndexByItsAddress) {
  const CasePlan plan = MakePlan(RopeWorkload{}, KernelRole::kRope);
  const std::uint64_t addresses[] = {100, 200, 300, 400};
  const KernelParams bound = BindAddresses(plan.steps[0].params, addresses);
  const auto& params = std::get<RopeParams>(bound);
  EXPECT_EQ(params.cos, 100u);
  EXPECT_EQ(params.sin, 200u);
  EXPECT_EQ(params.q_in, 300u);
  EXPECT_EQ(params.q_out, 300u);
  EXPECT_EQ(params.k_out, 400u);
  ASSERT_EQ(ParamBytes(bound).size(), sizeof(RopeParams));
  EXPECT_EQ(std::memcmp(ParamBytes(bound).data(), &params, sizeof(RopeParams)), 0);
  EXPECT_TRUE(ParamBytes(KernelParams{EmptyParams{}}).empty());
}

TEST(LaunchParams, FitTheSmallestPushConstantRange) { EXPECT_LE(sizeof(RopeParams), 128u); }

}  // namespace
}  // namespace ropebench
