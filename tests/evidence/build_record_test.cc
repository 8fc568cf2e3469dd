#include "evidence/build_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "evidence/manifest_reader.h"
#include "manifests/digest.h"
#include "tests/evidence/sample_store.h"

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(BuildRecordArtifact, LiesAtTheDigestOfItsBytes) {
  const BuildRecord record = SampleBuild(std::string(40, 'a'), false);
  const Artifact artifact = BuildRecordArtifact(record);
  EXPECT_EQ(artifact.ref.digest, Sha256Digest(artifact.bytes));
  EXPECT_EQ(artifact.ref.uri, "builds/" + std::string(HexOf(artifact.ref.digest)) + ".json");
  EXPECT_THAT(artifact.bytes, HasSubstr("\"fmt\": \"9.1.0\""));
  EXPECT_THAT(artifact.bytes, HasSubstr("\"options\": \"--fmad=false\""));
  EXPECT_EQ(BuildRecordArtifact(record).ref.digest, artifact.ref.digest);
  EXPECT_NE(BuildRecordArtifact(SampleBuild(std::string(40, 'a'), true)).ref.digest,
            artifact.ref.digest);
}

TEST(BuildRecordLine, IsReadBackByItsReader) {
  const ArtifactRef ref = BuildRecordArtifact(SampleBuild("", false)).ref;
  std::string line = BuildRecordLine(ref);
  EXPECT_THAT(line, StartsWith("record    builds/"));
  ASSERT_EQ(line.back(), '\n');
  line.pop_back();
  const std::optional<ArtifactRef> read = BuildRecordOf(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->uri, ref.uri);
  EXPECT_EQ(read->digest, ref.digest);
  EXPECT_FALSE(BuildRecordOf("build     ropebench 0.1.0"));
  EXPECT_FALSE(BuildRecordOf("record    builds/x.json"));
}

TEST(Contradictions, OfADirtyBuildAreLookedForInTheRunsLabels) {
  ImplementationRevision implementation;
  BenchmarkRun run;
  run.metadata.labels = {{"build", "dirty"}, {"base_commit", std::string(40, 'c')}};
  const auto of = [&](const BuildRecord& record) {
    return Contradictions(BuildRecordArtifact(record).bytes, implementation, run);
  };
  EXPECT_THAT(of(SampleBuild(std::string(40, 'c'), true)), IsEmpty());
  EXPECT_EQ(of(SampleBuild(std::string(40, 'd'), true)).size(), 1u);
  EXPECT_EQ(of(SampleBuild(std::string(40, 'c'), false)).size(), 1u);
}

TEST(Contradictions, OfWhatIsNoRecordAreRefused) {
  const ImplementationRevision implementation;
  const BenchmarkRun run;
  for (const char* text : {"", "[]", "{}", "null", R"({"compilers": {}, "program": []})",
                           R"({"compilers": {}, "program": {"commit": 1, "dirty": false}})",
                           R"({"compilers": {}, "program": {"commit": "", "dirty": 0}})"}) {
    EXPECT_ANY_THROW(Contradictions(text, implementation, run)) << text;
  }
}

}  // namespace
}  // namespace ropebench
