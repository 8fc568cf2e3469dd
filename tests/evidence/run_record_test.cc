#include "evidence/run_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/evidence/sample_record.h"

namespace ropebench {
namespace {

TEST(BuildRun, NamesItsDocumentsByDigest) {
  const PublishedRun published = BuildRun(SampleRecord());
  const nlohmann::json& run = published.run.spec();
  EXPECT_EQ(run["implementationDigest"], published.implementation.digest);
  EXPECT_EQ(run["workloadDigest"], published.workload.digest);
  EXPECT_EQ(run["protocolDigest"], published.protocol.digest);
  EXPECT_EQ(run["environmentDigest"], published.environment.digest);
  EXPECT_EQ(published.workload.spec()["operationSpecDigest"], published.operation.digest);
  EXPECT_EQ(published.implementation.spec()["operation"]["specDigest"], published.operation.digest);
  EXPECT_EQ(published.comparison_key, ComparisonKey(published.operation, published.workload,
                                                    published.protocol, published.environment));
}

TEST(BuildRun, CarriesEveryFigure) {
  const PublishedRun published = BuildRun(SampleRecord());
  const nlohmann::json& run = published.run.spec();
  EXPECT_EQ(run["timing"]["latencyNs"].dump(),
            R"({"confidence95":[2848,2880],"mad":16,"maximum":2890,"mean":2861,"median":2850,)"
            R"("minimum":2838,"p05":2848,"p95":2880})");
  EXPECT_EQ(run["timing"]["samples"], 100);
  EXPECT_EQ(run["timing"]["rawSamples"], run["evidence"]["rawSamples"]);
  EXPECT_EQ(
      run["measurements"].dump(),
      R"([{"metric":"latency","sampleCount":100,"statistic":"p20","unit":"ns","value":2848.0},)"
      R"({"metric":"latency","sampleCount":100,"statistic":"p80","unit":"ns","value":2860.0},)"
      R"({"metric":"bandwidth","statistic":"median","unit":"gb_per_s","value":1862.5},)"
      R"({"metric":"percent_of_copy","statistic":"median","unit":"percent","value":97.25}])");
  EXPECT_EQ(run["correctness"].dump(), R"({"comparator":"rounding_bound_v1","matchedRatio":1.0,)"
                                       R"("maximumAbsoluteError":0.015625})");
  EXPECT_EQ(run["evidence"]["harness"]["commit"], std::string(40, 'a'));
  EXPECT_EQ(run["observedAt"], "2026-12-01T01:00:00.005Z");
  const nlohmann::json& labels = published.run.document["metadata"]["labels"];
  EXPECT_EQ(labels["backend"], "cuda");
  EXPECT_EQ(labels["case_id"], SampleRecord().case_id);
}

TEST(BuildRun, AnotherKernelOrCommitStaysInTheCohort) {
  const PublishedRun first = BuildRun(SampleRecord());
  RunRecord record = SampleRecord();
  record.backend = "vulkan";
  record.implementation.variant = "other";
  record.implementation.requirements["compiler"] = "Clang 14";
  record.implementation.revision.commit = record.harness.commit = std::string(40, 'b');
  const PublishedRun second = BuildRun(record);
  EXPECT_NE(first.implementation.digest, second.implementation.digest);
  EXPECT_EQ(first.comparison_key, second.comparison_key);
}

TEST(BuildRun, AnotherPassTimerOrProtocolVersionIsAnotherCohort) {
  const PublishedRun first = BuildRun(SampleRecord());
  RunRecord pass = SampleRecord();
  pass.identity = Identity::kLiger;
  const PublishedRun forward = BuildRun(pass);
  pass.workload.pass = Pass::kBackward;
  const PublishedRun backward = BuildRun(pass);
  EXPECT_EQ(forward.workload.digest, backward.workload.digest);
  EXPECT_NE(forward.comparison_key, backward.comparison_key);

  RunRecord timer = SampleRecord();
  timer.protocol.timer = "cuda_events";
  EXPECT_NE(BuildRun(timer).comparison_key, first.comparison_key);
  RunRecord version = SampleRecord();
  version.protocol.version = "2";
  EXPECT_NE(BuildRun(version).comparison_key, first.comparison_key);
}

TEST(BuildRun, ACommitIsNamedOnlyIfItIsTheExactRevision) {
  RunRecord unknown = SampleRecord();
  unknown.harness.commit = unknown.implementation.revision.commit = "";
  RunRecord dirty = SampleRecord();
  dirty.harness.dirty = dirty.implementation.revision.dirty = true;
  for (const RunRecord& record : {unknown, dirty}) {
    const PublishedRun published = BuildRun(record);
    EXPECT_FALSE(published.run.spec()["evidence"].contains("harness"));
    EXPECT_FALSE(published.implementation.spec()["projectRevision"].contains("commit"));
  }
  const PublishedRun published = BuildRun(dirty);
  const nlohmann::json& labels = published.run.document["metadata"]["labels"];
  EXPECT_EQ(labels["build"], "dirty");
  EXPECT_EQ(labels["base_commit"], std::string(40, 'a'));
}

TEST(BuildRun, AFailedRunIsRecordedWithoutATime) {
  RunRecord record = SampleRecord();
  record.status = "incorrect_numerical";
  EXPECT_THROW(BuildRun(record), ManifestError);  // it must not carry one

  record.timing.reset();
  record.correctness = CorrectnessFacts{.max_abs_error = std::numeric_limits<double>::infinity(),
                                        .matched_ratio = 0.5};
  const PublishedRun published = BuildRun(record);
  EXPECT_EQ(published.run.spec()["status"], "incorrect_numerical");
  EXPECT_FALSE(published.run.spec().contains("timing"));
  EXPECT_FALSE(published.run.spec().contains("measurements"));
  EXPECT_FALSE(published.run.spec()["correctness"].contains("maximumAbsoluteError"));
  EXPECT_EQ(published.comparison_key, BuildRun(SampleRecord()).comparison_key);

  record.status = "passed";
  EXPECT_THROW(BuildRun(record), ManifestError);  // it must carry one
}

TEST(BuildRun, ALongCaseIdIsNoLabel) {
  RunRecord record = SampleRecord();
  record.case_id = std::string(201, 'x');
  EXPECT_FALSE(BuildRun(record).run.document["metadata"]["labels"].contains("case_id"));
}

TEST(BuildRun, NotANumberNeverReachesADocument) {
  RunRecord record = SampleRecord();
  record.timing->gb_per_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(BuildRun(record), ManifestError);
}

TEST(BuildRun, RefusesALigerRunOfAnotherOperation) {
  RunRecord record = SampleRecord();
  record.identity = Identity::kLiger;
  record.workload.style = Style::kInterleaved;
  EXPECT_THROW(BuildRun(record), std::invalid_argument);
}

// Variants from one source file shared one digest, and the first one's title stood for all of them.
TEST(BuildRun, TwoVariantsOfOneFileAreTwoImplementations) {
  RunRecord record = SampleRecord();
  record.implementation.variant = "flat16";
  const std::string first = BuildRun(record).implementation.digest;
  record.implementation.variant = "flat16_b256";
  EXPECT_NE(BuildRun(record).implementation.digest, first);
}

}  // namespace
}  // namespace ropebench
