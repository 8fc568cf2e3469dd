#include "kernels/rope_workload.h"

#include <gtest/gtest.h>

#include <functional>

namespace ropebench {
namespace {

RopeWorkload Published(std::int64_t seq, std::int64_t hidden) {
  RopeWorkload w;
  w.seq = seq;
  w.head_dim = hidden / 32;
  w.rotary_dim = w.head_dim;
  return w;
}

TEST(MinTrafficBytes, MatchesThePublishedTable) {
  // Decimal megabytes of batch 1, 32 q heads, 8 kv heads, bf16, in place, seq 2048.
  EXPECT_NEAR(static_cast<double>(MinTrafficBytes(Published(2048, 512))) / 1e6, 5.31, 0.005);
  EXPECT_NEAR(static_cast<double>(MinTrafficBytes(Published(2048, 2048))) / 1e6, 21.23, 0.005);
  EXPECT_NEAR(static_cast<double>(MinTrafficBytes(Published(2048, 8192))) / 1e6, 84.93, 0.005);
}

TEST(MinTrafficBytes, CountsEachStepAndTheTailOnlyOutOfPlace) {
  RopeWorkload w = Published(2, 64);  // head_dim 2
  const std::uint64_t forward = MinTrafficBytes(w);
  EXPECT_EQ(forward, 2u * 2 * 40 * 2 * 2 + 2 * 2 * 1 * 2);
  w.pass = Pass::kFull;
  EXPECT_EQ(MinTrafficBytes(w), 2 * forward);
  w = Published(1, 128);  // head_dim 4
  w.rotary_dim = 2;
  EXPECT_EQ(MinTrafficBytes(w), 2u * 40 * 2 * 2 + 2 * 1 * 2);
  w.placement = Placement::kOutOfPlace;
  EXPECT_EQ(MinTrafficBytes(w), 2u * 40 * 4 * 2 + 2 * 1 * 2);
}

TEST(Validate, NamesTheFieldAndTheRule) {
  struct Case {
    std::function<void(RopeWorkload&)> edit;
    const char* field;
  };
  const Case cases[] = {
      {[](RopeWorkload& w) { w.batch = 0; }, "batch"},
      {[](RopeWorkload& w) { w.seq = -1; }, "seq"},
      {[](RopeWorkload& w) { w.q_heads = std::int64_t{1} << 31; }, "q_heads"},
      {[](RopeWorkload& w) { w.kv_heads = 0; }, "kv_heads"},
      {[](RopeWorkload& w) { w.head_dim = 15; }, "head_dim"},
      {[](RopeWorkload& w) { w.rotary_dim = 3; }, "rotary_dim"},
      // FlashInfer#4349: rotary_dim 192 on head_dim 128 must be refused.
      {[](RopeWorkload& w) { w.head_dim = 128, w.rotary_dim = 192; }, "rotary_dim"},
      {[](RopeWorkload& w) { w.seq = w.q_heads = (std::int64_t{1} << 31) - 1; }, "q_heads"},
      {[](RopeWorkload& w) { w.theta = 0.0; }, "theta"},
      {[](RopeWorkload& w) { w.position_offset = -1; }, "position_offset"},
  };
  for (const Case& c : cases) {
    RopeWorkload w;
    c.edit(w);
    const auto error = Validate(w);
    ASSERT_TRUE(error) << c.field;
    EXPECT_EQ(error->field, c.field);
    EXPECT_FALSE(error->rule.empty());
  }
  EXPECT_FALSE(Validate(RopeWorkload{}));
}

TEST(CanonicalText, DiffersWheneverTheWorkloadDoes) {
  RopeWorkload a;
  RopeWorkload b = a;
  EXPECT_EQ(CanonicalText(a), CanonicalText(b));
  b.style = Style::kInterleaved;
  EXPECT_NE(CanonicalText(a), CanonicalText(b));
  b = a;
  b.scaling = *ParseScaling("linear~2");
  EXPECT_EQ(CanonicalText(b), CanonicalText(a) + " scaling:linear~2");
}

TEST(Names, ParseWhatTheyPrint) {
  for (std::string_view name : kPassNames) EXPECT_EQ(Name(*ParsePass(name)), name);
  for (std::string_view name : kStyleNames) EXPECT_EQ(Name(*ParseStyle(name)), name);
  for (std::string_view name : kLayoutNames) EXPECT_EQ(Name(*ParseLayout(name)), name);
  for (std::string_view name : kPlacementNames) EXPECT_EQ(Name(*ParsePlacement(name)), name);
  for (const DtypeInfo& info : kDtypes) EXPECT_EQ(ParseDtype(info.name), info.dtype);
  EXPECT_FALSE(ParsePass("fwd"));
}

}  // namespace
}  // namespace ropebench
