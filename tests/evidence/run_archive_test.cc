#include "evidence/run_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "evidence/manifest_reader.h"
#include "evidence/verify.h"
#include "tests/evidence/sample_store.h"

namespace ropebench {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunArchive SampleArchive() {
  RunArchive archive;
  for (const char* variant : {"vec16", "plain"}) {
    const SampleEvidence evidence = MakeEvidence({.variant = variant, .base_ns = 100.0});
    const PublishedRun published = BuildRun(evidence.record);
    archive.Add(
        published, {evidence.build, evidence.samples, evidence.log},
        {evidence.record.case_id, "passed", published.run.digest, published.comparison_key});
  }
  return archive;
}

TEST(RunArchive, GivesTheSameStoreBack) {
  const json value = json::parse(SampleArchive().ToJson().dump(2));
  TemporaryFolder folder;
  Store store(folder.path() / "store");
  EXPECT_EQ(RunArchive::FromJson(value).StoreIn(store), 2);
  EXPECT_EQ(RunArchive::FromJson(value).StoreIn(store), 0);
  const StoreReport report = VerifyStore(store.folder());
  EXPECT_THAT(report.findings, IsEmpty());
  ASSERT_EQ(report.runs.size(), 2u);
  for (const StoredRun& run : report.runs) {
    EXPECT_EQ(run.level, EvidenceLevel::kReproducible);
    EXPECT_TRUE(SampleArchive().HasRun(run.run->manifest.digest));
  }
}

TEST(RunArchive, RefusesWhatIsNotWhole) {
  const json whole = SampleArchive().ToJson();
  const auto change = [&](auto edit) {
    json value = whole;
    edit(value);
    return value;
  };
  const std::pair<json, const char*> cases[] = {
      {json::array(), "has no manifests"},
      {change([](json& v) { v.erase("journal"); }), "has no journal"},
      {change([](json& v) { v["manifests"][0]["spec"]["extra"] = 1; }), "extra"},
      {change([](json& v) { v["manifests"] = json::array(); }), "has no document of the run"},
      {change([](json& v) { v["journal"][0].erase("case"); }), "has no text case"},
      {change([](json& v) { v["artifacts"]["../../x"] = "text"; }), "not the address of its bytes"},
      {change([](json& v) { v["artifacts"].begin().value() = "text"; }), "not the address of its"},
      {change([](json& v) { v["artifacts"].begin().value() = 1; }), "is no text"},
  };
  for (const auto& [value, reason] : cases) {
    try {
      RunArchive::FromJson(value);
      ADD_FAILURE() << reason;
    } catch (const std::exception& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
}

}  // namespace
}  // namespace ropebench
