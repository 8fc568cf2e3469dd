#include "evidence/bundle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "evidence/store.h"
#include "manifests/read_kinds.h"
#include "tests/evidence/sample_store.h"

namespace ropebench {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PublishOptions SomeOptions() {
  return {.licence = "Apache-2.0", .repository = "https://github.com/example/ropebench"};
}

class BundleTest : public testing::Test {
 protected:
  Store& store() { return store_; }
  StoreReport Verify() const { return VerifyStore(store_.folder()); }

 private:
  TemporaryFolder folder_;
  Store store_{folder_.path() / "store"};
};

TEST_F(BundleTest, EveryDigestThatARunNamesIsInsideAndNothingIsTwice) {
  PutSampleRun(store(), {.variant = "vec16", .base_ns = 100.0});
  PutSampleRun(store(), {.variant = "plain", .base_ns = 200.0});
  const StoreReport report = Verify();
  ASSERT_THAT(WhyNotPublished(report, SomeOptions()), IsEmpty());
  const json bundle = json::parse(BundleText(report, SomeOptions()));
  EXPECT_EQ(bundle["projects"].size(), 1u);
  EXPECT_EQ(bundle["projects"][0]["spec"]["host"].dump(),
            R"({"id":"example/ropebench","kind":"github"})");
  EXPECT_EQ(bundle["operations"].size(), 1u);
  EXPECT_EQ(bundle["workloads"].size(), 1u);
  ASSERT_EQ(bundle["implementations"].size(), 2u);
  ASSERT_EQ(bundle["runs"].size(), 2u);
  std::set<std::string> digests;
  for (const char* list : {"operations", "workloads"}) {
    for (const json& document : bundle[list]) digests.insert(ReadKind(document).manifest.digest);
  }
  for (const json& entry : bundle["implementations"]) {
    EXPECT_EQ(entry["projectSlug"], "ropebench");
    digests.insert(ReadKind(entry["manifest"]).manifest.digest);
  }
  for (const json& entry : bundle["runs"]) {
    const json& spec = entry["run"]["spec"];
    EXPECT_TRUE(digests.contains(spec["implementationDigest"]));
    EXPECT_TRUE(digests.contains(spec["workloadDigest"]));
    EXPECT_EQ(spec["protocolDigest"], ReadKind(entry["protocol"]).manifest.digest);
    EXPECT_EQ(spec["environmentDigest"], ReadKind(entry["environment"]).manifest.digest);
  }
}

TEST_F(BundleTest, AnArtifactBaseMakesAddressesAbsoluteAndKeepsTheStoredDigest) {
  const PublishedRun stored = PutSampleRun(store(), {.variant = "vec16", .base_ns = 100.0});
  PublishOptions options = SomeOptions();
  const json relative = json::parse(BundleText(Verify(), options));
  EXPECT_EQ(ReadKind(relative["runs"][0]["run"]).manifest.digest, stored.run.digest);

  for (const char* base : {"https://example.com/data", "https://example.com/data/"}) {
    options.artifact_base = base;
    const json bundle = json::parse(BundleText(Verify(), options));
    const json& run = bundle["runs"][0]["run"];
    const std::string uri = stored.run.spec()["evidence"]["logs"]["uri"];
    EXPECT_EQ(run["spec"]["evidence"]["logs"]["uri"], "https://example.com/data/" + uri);
    EXPECT_EQ(run["spec"]["timing"]["rawSamples"], run["spec"]["evidence"]["rawSamples"]);
    EXPECT_NE(ReadKind(run).manifest.digest, stored.run.digest);
    EXPECT_EQ(run["metadata"]["labels"]["stored_run"], stored.run.digest);
  }
}

TEST_F(BundleTest, RefusesADirtyBuild) {
  PutSampleRun(store(), {.variant = "vec16", .base_ns = 100.0, .is_dirty = true});
  EXPECT_THAT(WhyNotPublished(Verify(), SomeOptions()),
              ElementsAre(HasSubstr("dirty or unknown build of the harness"),
                          HasSubstr("dirty or unknown build of the implementation")));
}

TEST_F(BundleTest, RefusesAFailedRun) {
  PutSampleRun(store(), {.variant = "vec16", .status = "runtime_error"});
  EXPECT_THAT(WhyNotPublished(Verify(), SomeOptions()),
              ElementsAre(HasSubstr("failed: runtime_error")));
}

TEST_F(BundleTest, RefusesUnknownLicencesAndAddresses) {
  PutSampleRun(store(), {.variant = "vec16", .base_ns = 100.0});
  const StoreReport report = Verify();
  const std::pair<PublishOptions, const char*> cases[] = {
      {{.licence = "", .repository = "https://a.example/b"}, "no known licence"},
      {{.licence = "Proprietary", .repository = "https://a.example/b"}, "no known licence"},
      {{.licence = "MIT", .repository = "git@a.example:b"}, "repository \"git@a.example:b\" is no"},
      {{.licence = "MIT", .repository = "https://"}, "is no https address"},
      {{.name = "!", .licence = "MIT", .repository = "https://a.example/b"}, "has no name"},
      {{.licence = "MIT", .repository = "https://a.example/b", .homepage = "ftp://a"}, "homepage"},
      {{.licence = "MIT", .repository = "https://a.example/b", .artifact_base = "data/"},
       "artifact base"},
  };
  for (const auto& [options, reason] : cases) {
    EXPECT_THAT(WhyNotPublished(report, options), ElementsAre(HasSubstr(reason)));
  }

  RunRecord record = MakeEvidence({.variant = "closed", .base_ns = 100.0}).record;
  record.implementation.licence = "LicenseRef-Closed";
  store().PutRun(BuildRun(record));
  EXPECT_THAT(WhyNotPublished(Verify(), SomeOptions()),
              Contains(HasSubstr("unknown licence, \"LicenseRef-Closed\"")));
}

TEST_F(BundleTest, RefusesAStoreThatDoesNotVerify) {
  const PublishedRun run = PutSampleRun(store(), {.variant = "vec16", .base_ns = 100.0});
  std::filesystem::remove(store().folder() / "manifests" / FileName(run.protocol));
  EXPECT_THAT(WhyNotPublished(Verify(), SomeOptions()), Contains(HasSubstr("protocolDigest")));
}

}  // namespace
}  // namespace ropebench
