#include "evidence/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <stdexcept>
#include <string>

namespace ropebench {
namespace {

using ::testing::HasSubstr;

RopeScaling Longrope(double last) {
  RopeScaling scaling;
  scaling.kind = ScalingKind::kLongrope;
  scaling.original_max_position_embeddings = 4096;
  scaling.short_factor.assign(8, 1.0);
  scaling.long_factor.assign(8, 1.0);
  scaling.long_factor.back() = last;
  return scaling;
}

TEST(LigerIdentity, ReferenceWorkloadHasThePublicDigestsInEveryPass) {
  for (const Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
    RopeWorkload workload;
    workload.pass = pass;
    const WorkloadIdentity identity = Identify(Identity::kLiger, workload);
    EXPECT_EQ(identity.operation.digest,
              "sha256:e655a95629867bb20ea2d0e6b41bbde013db93f7fca6deb9a49b6ee8b4bc31a5");
    EXPECT_EQ(identity.workload.digest,
              "sha256:1415fc0b1b53aa8f16a41dfe92a66a1584b2d0b9523b0058543ea3a8ac7b5314");
    EXPECT_EQ(identity.workload.document["metadata"]["name"],
              "liger-rope-hidden512-kv-heads8-q-heads32-seq2048-bf16");
  }
}

TEST(LigerIdentity, OtherHiddenSizesHaveTheirPublicDigests) {
  const std::pair<std::int64_t, const char*> cases[] = {
      {64, "sha256:8d2b9e6f999113acf60d0ac18acfebe1d64cf767aa434b7d2120062a68bd58de"},
      {256, "sha256:c66457140cb6cfc6fdcb24a3187286a041f2b04f37522e1bd65089aacf4cd0f3"},
  };
  for (const auto& [head_dim, digest] : cases) {
    RopeWorkload workload;
    workload.head_dim = workload.rotary_dim = head_dim;
    EXPECT_EQ(Identify(Identity::kLiger, workload).workload.digest, digest);
  }
}

TEST(LigerIdentity, RefusesWhatItsDocumentsCannotSay) {
  const std::pair<const char*, std::function<void(RopeWorkload&)>> cases[] = {
      {"style", [](auto& w) { w.style = Style::kInterleaved; }},
      {"placement", [](auto& w) { w.placement = Placement::kOutOfPlace; }},
      {"layout", [](auto& w) { w.layout = Layout::kBhsd; }},
      {"batch", [](auto& w) { w.batch = 2; }},
      {"rotary_dim", [](auto& w) { w.rotary_dim = 8; }},
      {"position_offset", [](auto& w) { w.position_offset = 1; }},
      {"theta", [](auto& w) { w.theta = 500000.0; }},
      {"scaling", [](auto& w) { w.scaling = *ParseScaling("linear~2"); }},
      {"table_dtype", [](auto& w) { w.table_dtype = Dtype::kFp32; }},
  };
  EXPECT_EQ(WhyNotLiger(RopeWorkload{}), std::nullopt);
  for (const auto& [field, change] : cases) {
    RopeWorkload workload;
    change(workload);
    const std::optional<std::string> reason = WhyNotLiger(workload);
    ASSERT_TRUE(reason.has_value()) << field;
    EXPECT_THAT(*reason, HasSubstr(field));
    EXPECT_THROW(Identify(Identity::kLiger, workload), std::invalid_argument);
    EXPECT_NO_THROW(Identify(Identity::kStrict, workload));
  }
}

TEST(StrictIdentity, OneOperationPerPassStylePlacementAndLayout) {
  std::set<std::string> digests;
  for (const Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
    for (const Style style : {Style::kHalf, Style::kInterleaved}) {
      for (const Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
        for (const Layout layout : {Layout::kBshd, Layout::kBhsd}) {
          RopeWorkload workload;
          workload.pass = pass;
          workload.style = style;
          workload.placement = placement;
          workload.layout = layout;
          const std::string digest = Identify(Identity::kStrict, workload).operation.digest;
          EXPECT_TRUE(digests.insert(digest).second);
          workload.batch = 2;
          workload.seq = 7;
          workload.q_heads = 3;
          workload.kv_heads = 1;
          workload.head_dim = 24;
          workload.rotary_dim = 8;
          workload.dtype = Dtype::kFp16;
          workload.table_dtype = Dtype::kFp32;
          workload.theta = 1e6;
          workload.position_offset = 5;
          workload.scaling = *ParseScaling("dynamic~2~4096");
          EXPECT_EQ(Identify(Identity::kStrict, workload).operation.digest, digest);
        }
      }
    }
  }
  EXPECT_EQ(digests.size(), 24u);
}

TEST(StrictIdentity, EveryFieldOfTheWorkloadChangesItsDigest) {
  const std::function<void(RopeWorkload&)> changes[] = {
      [](auto&) {},
      [](auto& w) { w.pass = Pass::kBackward; },
      [](auto& w) { w.pass = Pass::kFull; },
      [](auto& w) { w.batch = 2; },
      [](auto& w) { w.seq = 2049; },
      [](auto& w) { w.q_heads = 33; },
      [](auto& w) { w.kv_heads = 9; },
      [](auto& w) { w.head_dim = 18; },
      [](auto& w) { w.rotary_dim = 14; },
      [](auto& w) { w.dtype = Dtype::kFp32; },
      [](auto& w) { w.table_dtype = Dtype::kFp32; },
      [](auto& w) { w.style = Style::kInterleaved; },
      [](auto& w) { w.layout = Layout::kBhsd; },
      [](auto& w) { w.placement = Placement::kOutOfPlace; },
      [](auto& w) { w.theta = 10001.0; },
      [](auto& w) { w.position_offset = 1; },
      [](auto& w) { w.scaling = *ParseScaling("linear~2"); },
      [](auto& w) { w.scaling = *ParseScaling("linear~3"); },
      [](auto& w) { w.scaling = *ParseScaling("dynamic~2~4096"); },
      [](auto& w) { w.scaling = *ParseScaling("yarn~2~4096~1~32~1~1"); },
      [](auto& w) { w.scaling = *ParseScaling("yarn~2~4096~1~32~1~0"); },
      [](auto& w) { w.scaling = *ParseScaling("llama3~2~4096~1~4"); },
      [](auto& w) { w.scaling = Longrope(1.0); },
      [](auto& w) { w.scaling = Longrope(1.5); },
  };
  std::set<std::string> digests;
  for (const auto& change : changes) {
    RopeWorkload workload;
    change(workload);
    digests.insert(Identify(Identity::kStrict, workload).workload.digest);
  }
  EXPECT_EQ(digests.size(), std::size(changes));
}

TEST(StrictIdentity, DescribesTensorsAsTheyAreStored) {
  RopeWorkload workload;
  workload.batch = 2;
  workload.layout = Layout::kBhsd;
  workload.rotary_dim = 8;
  workload.table_dtype = Dtype::kFp32;
  const Manifest manifest = Identify(Identity::kStrict, workload).workload;
  const nlohmann::json& tensors = manifest.spec()["tensors"];
  EXPECT_EQ(tensors.dump(),
            R"({"cos":{"alignmentBytes":256,"data":{"generator":"rope_table"},"dtype":"fp32",)"
            R"("shape":[1,2048,4],"strides":[8192,4,1]},)"
            R"("k":{"alignmentBytes":256,"data":{"generator":"splitmix64_uniform",)"
            R"("parameters":{"high":1.0,"low":-1.0},"seed":2},"dtype":"bf16",)"
            R"("shape":[2,8,2048,16],"strides":[262144,32768,16,1]},)"
            R"("q":{"alignmentBytes":256,"data":{"generator":"splitmix64_uniform",)"
            R"("parameters":{"high":1.0,"low":-1.0},"seed":1},"dtype":"bf16",)"
            R"("shape":[2,32,2048,16],"strides":[1048576,32768,16,1]},)"
            R"("sin":{"alignmentBytes":256,"data":{"generator":"rope_table"},"dtype":"fp32",)"
            R"("shape":[1,2048,4],"strides":[8192,4,1]}})");
  EXPECT_EQ(manifest.spec()["scalars"].dump(), R"({"theta":{"dtype":"fp64","value":10000.0}})");
}

TEST(StrictIdentity, AScalingIsItsNumbers) {
  RopeWorkload workload;
  workload.scaling = *ParseScaling("llama3~8~8192~1~4");
  EXPECT_EQ(Identify(Identity::kStrict, workload).workload.spec()["scalars"].dump(),
            R"({"llama3_factor":{"dtype":"fp64","value":8.0},)"
            R"("llama3_high_freq_factor":{"dtype":"fp64","value":4.0},)"
            R"("llama3_low_freq_factor":{"dtype":"fp64","value":1.0},)"
            R"("llama3_original_max_position_embeddings":{"dtype":"fp64","value":8192.0},)"
            R"("theta":{"dtype":"fp64","value":10000.0}})");
  workload.scaling = Longrope(1.5);
  const Manifest longrope = Identify(Identity::kStrict, workload).workload;
  EXPECT_EQ(longrope.spec()["scalars"].size(), 1u + 2u + 16u);
  EXPECT_EQ(longrope.spec()["scalars"]["longrope_long_factor_7"]["value"], 1.5);
}

TEST(StrictIdentity, FullPassRotatesActivationsAndGradients) {
  RopeWorkload workload;
  workload.pass = Pass::kFull;
  const WorkloadIdentity identity = Identify(Identity::kStrict, workload);
  const auto names = [](const nlohmann::json& parameters) {
    std::string text;
    for (const auto& parameter : parameters) text += parameter["name"].get<std::string>() + " ";
    return text;
  };
  EXPECT_EQ(names(identity.operation.spec()["inputs"]), "q k dq dk cos sin ");
  EXPECT_EQ(names(identity.operation.spec()["outputs"]), "q_out k_out dq_out dk_out ");
  EXPECT_EQ(identity.workload.spec()["tensors"].size(), 6u);
}

// Published digests are permanent: a change here needs a new version word inside the documents.
TEST(StrictIdentity, DigestsArePinned) {
  const auto workload_digest = [](Pass pass) {
    RopeWorkload workload;
    workload.pass = pass;
    return Identify(Identity::kStrict, workload).workload.digest;
  };
  EXPECT_EQ(workload_digest(Pass::kForward),
            "sha256:a83f75af1257284aa3cd3caa6858139913cb5e2eab4ea9f7f7fed814101d1b86");
  EXPECT_EQ(workload_digest(Pass::kBackward),
            "sha256:090254eca61e3642455809c3344c2324ab1022394c0e6cd824bd22285338ac0c");
  EXPECT_EQ(workload_digest(Pass::kFull),
            "sha256:319092b555f034f432bd66c74649aa23bd8fc586e6f85b91ca78c3b13b76c067");
  RopeWorkload other;
  other.style = Style::kInterleaved;
  other.layout = Layout::kBhsd;
  other.placement = Placement::kOutOfPlace;
  other.position_offset = 7;
  EXPECT_EQ(Identify(Identity::kStrict, other).workload.digest,
            "sha256:5526880a8baaf3b99eff1b8259b4887e8d13cf467af8ad5241eaa708fb75a4a1");
}

TEST(Identity, NamesRoundTrip) {
  for (const std::string_view name : kIdentityNames) {
    ASSERT_TRUE(ParseIdentity(name).has_value());
    EXPECT_EQ(Name(*ParseIdentity(name)), name);
  }
  EXPECT_EQ(ParseIdentity("loose"), std::nullopt);
}

}  // namespace
}  // namespace ropebench
