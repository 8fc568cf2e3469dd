#include "evidence/attestation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using Times = Replication::Times;

TEST(AgreeWithinNoise, ByIntervalsOrByTheSpread) {
  struct Case {
    const char* what;
    Times a;
    Times b;
    bool agree;
  };
  const Case cases[] = {
      {"intervals overlap", {1000, 1, {{900, 1050}}}, {1100, 1, {{1050, 1200}}}, true},
      {"intervals apart, medians within 2 %",
       {1000, 0, {{999, 1001}}},
       {1020, 0, {{1019, 1021}}},
       true},
      {"intervals apart, medians beyond 2 %",
       {1000, 0, {{999, 1001}}},
       {1021, 0, {{1020, 1022}}},
       false},
      {"within three standard deviations", {1000, 10, {}}, {1044, 1, {}}, true},
      {"beyond three standard deviations", {1000, 10, {}}, {1045, 1, {}}, false},
      {"never beyond 10 %, however wide",
       {1000, 900, {{1, 9000}}},
       {1101, 900, {{1, 9000}}},
       false},
      {"the wider spread counts", {1000, 1, {}}, {1044, 10, {}}, true},
  };
  for (const Case& c : cases) EXPECT_EQ(AgreeWithinNoise(c.a, c.b), c.agree) << c.what;
}

Replication Sample(std::optional<std::int64_t> here_ns, bool is_same_hardware) {
  Replication replication;
  replication.run_digest = "sha256:1";
  replication.case_id = "rope/forward/cuda/vec16";
  replication.published = {1000, 1, {{999, 1001}}};
  if (here_ns) {
    replication.here = Times{*here_ns, 1, {{*here_ns - 1, *here_ns + 1}}};
  } else {
    replication.trouble = "runtime_error: no device";
  }
  replication.is_same_hardware = is_same_hardware;
  replication.differences = {"kernel: 6.1 there, 6.2 here"};
  replication.environment = "NVIDIA H200";
  return replication;
}

TEST(Attest, DecidesTheType) {
  EXPECT_EQ(Attest(Sample(1005, true)).type, "reproduced");
  EXPECT_EQ(Attest(Sample(1005, false)).type, "reproduced");
  EXPECT_EQ(Attest(Sample(2000, false)).type, "environment_note");
  EXPECT_EQ(Attest(Sample(500, false)).type, "environment_note");
  EXPECT_EQ(Attest(Sample(2000, true)).type, "regression_observed");
  EXPECT_EQ(Attest(Sample(500, true)).type, "could_not_reproduce");
  EXPECT_EQ(Attest(Sample(std::nullopt, true)).type, "could_not_reproduce");
  Replication noisy = Sample(2000, true);
  noisy.here->mad_ns = 200;
  EXPECT_EQ(Attest(noisy).type, "could_not_reproduce");
  EXPECT_THAT(Attest(noisy).body, HasSubstr("spread too widely to tell"));
}

TEST(Attest, SaysWhatWasObserved) {
  const Replication replication = Sample(2000, true);
  const nlohmann::json value = ToJson(Attest(replication), replication);
  EXPECT_EQ(value["body"],
            "rope/forward/cuda/vec16. Published: median 1000 ns [999, 1001]. Here: median 2000 ns "
            "[1999, 2001], 2.000 times the published one. kernel: 6.1 there, 6.2 here.");
  EXPECT_EQ(value["observedNs"], 2000);
  EXPECT_EQ(value["environmentSummary"], "NVIDIA H200");
  EXPECT_EQ(value["run"], "sha256:1");

  const Replication failed = Sample(std::nullopt, true);
  EXPECT_FALSE(ToJson(Attest(failed), failed).contains("observedNs"));
  EXPECT_THAT(Attest(failed).body, HasSubstr("Here: runtime_error: no device."));
}

TEST(Attest, KeepsTheIndexsLimitsWithoutCuttingACharacter) {
  Replication replication = Sample(1000, true);
  for (int i = 0; i < 500; ++i) replication.environment += "é";
  replication.differences.assign(100, std::string(50, 'x'));
  const Attestation attestation = Attest(replication);
  EXPECT_LE(attestation.body.size(), 2000u);
  EXPECT_LE(attestation.environment_summary.size(), 200u);
  EXPECT_NO_THROW(ToJson(attestation, replication).dump());
}

}  // namespace
}  // namespace ropebench
