#include "evidence/workload_of.h"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "manifests/read_kinds.h"

namespace ropebench {
namespace {

std::optional<IdentifiedWorkload> Inverse(Identity identity, const RopeWorkload& workload) {
  const Manifest manifest = Identify(identity, workload).workload;
  return WorkloadOf(std::get<WorkloadCase>(ReadKind(manifest.document).fields), manifest.digest);
}

RopeScaling Scaling(ScalingKind kind) {
  RopeScaling scaling;
  scaling.kind = kind;
  scaling.factor = 4.0;
  if (kind != ScalingKind::kLinear) scaling.original_max_position_embeddings = 4096;
  if (kind == ScalingKind::kYarn) scaling.attention_factor = 1.25;
  return scaling;
}

TEST(WorkloadOf, IsTheInverseOfIdentify) {
  std::vector<RopeWorkload> workloads(1);
  for (const Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
    for (const Style style : {Style::kHalf, Style::kInterleaved}) {
      for (const Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
        for (const Layout layout : {Layout::kBshd, Layout::kBhsd}) {
          RopeWorkload& w = workloads.emplace_back();
          w.pass = pass;
          w.style = style;
          w.placement = placement;
          w.layout = layout;
          w.batch = 2;
          w.rotary_dim = 8;
          w.dtype = Dtype::kFp16;
          w.table_dtype = Dtype::kFp32;
          w.theta = 500000.0;
          w.position_offset = 5;
        }
      }
    }
  }
  for (const ScalingKind kind :
       {ScalingKind::kLinear, ScalingKind::kDynamic, ScalingKind::kYarn, ScalingKind::kLlama3}) {
    workloads.emplace_back().scaling = Scaling(kind);
  }
  RopeScaling& longrope = workloads.emplace_back().scaling;
  longrope.kind = ScalingKind::kLongrope;
  longrope.original_max_position_embeddings = 4096;
  longrope.attention_factor = 1.19;
  longrope.short_factor = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7};
  longrope.long_factor = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.5};
  for (const RopeWorkload& workload : workloads) {
    ASSERT_FALSE(Validate(workload)) << CanonicalText(workload);
    const auto found = Inverse(Identity::kStrict, workload);
    ASSERT_TRUE(found) << CanonicalText(workload);
    EXPECT_EQ(found->identity, Identity::kStrict);
    EXPECT_EQ(CanonicalText(found->workload), CanonicalText(workload));
  }
}

TEST(WorkloadOf, IdentityLigerDoesNotSayThePass) {
  RopeWorkload workload;
  workload.pass = Pass::kFull;
  const auto found = Inverse(Identity::kLiger, workload);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->identity, Identity::kLiger);
  EXPECT_EQ(found->workload, RopeWorkload{});
}

TEST(WorkloadOf, FindsNothingForADocumentOfAnotherSuite) {
  WorkloadCase fields = std::get<WorkloadCase>(
      ReadKind(Identify(Identity::kStrict, RopeWorkload{}).workload.document).fields);
  fields.scalars["scale"] = {"fp64", 1.0};
  EXPECT_FALSE(WorkloadOf(fields, Build(fields).digest));
  EXPECT_FALSE(WorkloadOf(WorkloadCase{}, Build(fields).digest));
}

}  // namespace
}  // namespace ropebench
