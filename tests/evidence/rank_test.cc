#include "evidence/rank.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "evidence/store.h"
#include "tests/evidence/sample_store.h"

namespace ropebench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Interval = std::array<std::int64_t, 2>;

constexpr EvidenceLevel kReported = EvidenceLevel::kReported;
constexpr EvidenceLevel kReproducible = EvidenceLevel::kReproducible;

Contender Entry(std::string digest, std::int64_t value, std::optional<Interval> interval,
                EvidenceLevel level = kReported, int day = 0) {
  Contender contender;
  contender.digest = std::move(digest);
  contender.value_ns = value;
  contender.interval_ns = interval;
  contender.level = level;
  contender.observed_at = std::chrono::sys_days(std::chrono::days(day));
  return contender;
}

// "1a 1b 2c": rank and digest, in the order shown; "=" marks a shared rank.
std::string Shown(const std::vector<Contender>& contenders, TieRule rule) {
  std::string text;
  for (const Placing& placing : RankCohort(contenders, rule)) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}{}{}", placing.rank, contenders[placing.index].digest,
                        placing.is_tied ? "=" : "");
  }
  return text;
}

struct RankCase {
  const char* rule;
  std::vector<Contender> contenders;
  const char* strict;
  const char* source_native;
};

const std::vector<RankCase>& RankCases() {
  static const std::vector<RankCase> kCases = {
      {"nothing to rank", {}, "", ""},
      {"one run", {Entry("a", 5, {})}, "1a", "1a"},
      {"values decide, least first",
       {Entry("a", 30, {{29, 31}}), Entry("b", 10, {{9, 11}}), Entry("c", 20, {{19, 21}})},
       "1b 2c 3a",
       "1b 2c 3a"},
      {"overlapping intervals tie, ranks are dense",
       {Entry("a", 10, {{9, 11}}), Entry("b", 20, {{18, 22}}), Entry("c", 21, {{19, 23}}),
        Entry("d", 40, {{39, 41}})},
       "1a 2b= 2c= 3d",
       "1a 2b 3c 4d"},
      {"intervals that touch in one point overlap",
       {Entry("a", 10, {{9, 11}}), Entry("b", 12, {{11, 13}})},
       "1a= 1b=",
       "1a 2b"},
      {"intervals one apart do not",
       {Entry("a", 10, {{9, 11}}), Entry("b", 13, {{12, 14}})},
       "1a 2b",
       "1a 2b"},
      {"equal values tie without intervals",
       {Entry("a", 10, {}), Entry("b", 10, {{10, 10}}), Entry("c", 10, {})},
       "1a= 1b= 1c=",
       "1a= 1b= 1c="},
      {"without an interval only equal values tie",
       {Entry("a", 10, {}), Entry("b", 11, {{5, 20}}), Entry("c", 12, {{5, 20}})},
       "1a 2b= 2c=",
       "1a 2b 3c"},
      {"a chain takes a run only if it ties with every member",
       {Entry("a", 10, {{8, 13}}), Entry("b", 13, {{11, 16}}), Entry("c", 16, {{14, 19}}),
        Entry("d", 17, {{15, 20}})},
       "1a= 1b= 2c= 2d=",
       "1a 2b 3c 4d"},
      {"a run without an interval ends a chain",
       {Entry("a", 10, {{5, 20}}), Entry("b", 11, {}), Entry("c", 12, {{5, 20}})},
       "1a 2b 3c",
       "1a 2b 3c"},
      {"inside a chain: higher level, newer, lesser digest",
       {Entry("d", 10, {{5, 20}}, kReported, 1), Entry("c", 11, {{5, 20}}, kReported, 2),
        Entry("b", 12, {{5, 20}}, kReported, 2), Entry("a", 13, {{5, 20}}, kReproducible, 0)},
       "1a= 1b= 1c= 1d=",
       "1d 2c 3b 4a"},
      {"equal values, one of them with an interval: the order of a chain decides who is first",
       {Entry("x", 10, {{8, 12}}), Entry("a", 13, {{11, 15}}, kReported, 1),
        Entry("b", 13, {}, kReproducible, 1)},
       "1x 2b= 2a=",
       "1x 2b= 2a="},
  };
  return kCases;
}

TEST(RankCohort, FollowsTheRules) {
  for (const RankCase& c : RankCases()) {
    EXPECT_EQ(Shown(c.contenders, TieRule::kStrict), c.strict) << c.rule;
    EXPECT_EQ(Shown(c.contenders, TieRule::kSourceNative), c.source_native) << c.rule;
  }
}

TEST(RankCohort, DoesNotHangOnTheOrderOfTheContenders) {
  std::mt19937 random(1);
  for (const RankCase& c : RankCases()) {
    std::vector<Contender> shuffled = c.contenders;
    for (int i = 0; i < 20; ++i) {
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      EXPECT_EQ(Shown(shuffled, TieRule::kStrict), c.strict) << c.rule;
      EXPECT_EQ(Shown(shuffled, TieRule::kSourceNative), c.source_native) << c.rule;
    }
  }
}

TEST(WhyIneligible, NamesEveryReason) {
  EXPECT_THAT(WhyIneligible(Entry("a", 1, {})), IsEmpty());
  Contender contender = Entry("a", 1, {});
  contender.status = "revoked";
  EXPECT_THAT(WhyIneligible(contender), ElementsAre("status revoked"));
  contender.status = "runtime_error";
  contender.is_retracted = contender.is_superseded = true;
  contender.value_ns.reset();
  contender.is_sound = false;
  EXPECT_THAT(WhyIneligible(contender),
              ElementsAre("status runtime_error", "retracted", "superseded",
                          "no value of the primary statistic", "its evidence does not verify"));
}

class RankStoresTest : public testing::Test {
 protected:
  std::filesystem::path root() const { return folder_.path() / "store"; }
  TemporaryFolder folder_;
};

TEST_F(RankStoresTest, VariantsOfABackendUnderOneProtocolOnOneMachineShareACohort) {
  FillSampleStore(root());
  Store store(root());
  PutSampleRun(store, {.variant = "newer", .base_ns = 2830.0, .commit = std::string(40, 'b')});
  const std::vector<StoreReport> reports = [&] {
    std::vector<StoreReport> list;
    list.push_back(VerifyStore(root()));
    list.push_back(VerifyStore(root()));  // a run counts once
    return list;
  }();
  const std::vector<RankedCohort> cohorts = RankStores(reports, {});
  ASSERT_EQ(cohorts.size(), 1u);
  EXPECT_EQ(cohorts[0].rule, TieRule::kStrict);
  EXPECT_EQ(cohorts[0].ranked.size(), 4u);
  ASSERT_EQ(cohorts[0].unranked.size(), 1u);
  EXPECT_EQ(cohorts[0].unranked[0].run->fields().metadata.labels.at("variant"), "broken");
  EXPECT_THAT(cohorts[0].unranked[0].reasons,
              ElementsAre("status incorrect_numerical", "no value of the primary statistic"));
}

TEST_F(RankStoresTest, AnotherTimerIsAnotherCohortAndTheDifferenceIsNamed) {
  Store store(root());
  PutSampleRun(store, {.variant = "vec16", .base_ns = 100.0});
  PutSampleRun(
      store,
      {.variant = "vec16", .base_ns = 100.0, .timer = "vulkan_timestamps", .backend = "vulkan"});
  std::vector<StoreReport> reports;
  reports.push_back(VerifyStore(root()));
  EXPECT_THAT(reports[0].findings, IsEmpty());
  const std::vector<RankedCohort> cohorts = RankStores(reports, {});
  ASSERT_EQ(cohorts.size(), 2u);
  const std::vector<KeyDifference> why =
      WhyNotComparable(cohorts[0].example(), cohorts[1].example());
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].part, "protocol");
  EXPECT_EQ(why[0].field, "measurement.timer");
  EXPECT_EQ(why[0].first, "\"cupti_kernel\"");
  EXPECT_EQ(why[0].second, "\"vulkan_timestamps\"");
  EXPECT_THAT(WhyNotComparable(cohorts[0].example(), cohorts[0].example()), IsEmpty());
}

TEST_F(RankStoresTest, WhatIsWithdrawnOrDoesNotVerifyIsNotRanked) {
  Store store(root());
  const PublishedRun retracted = PutSampleRun(store, {.variant = "a", .base_ns = 100.0});
  const PublishedRun superseded = PutSampleRun(store, {.variant = "b", .base_ns = 101.0});
  const PublishedRun damaged = PutSampleRun(store, {.variant = "c", .base_ns = 102.0});
  std::filesystem::remove(root() /
                          damaged.run.spec()["timing"]["rawSamples"]["uri"].get<std::string>());
  std::vector<StoreReport> reports;
  reports.push_back(VerifyStore(root()));
  const std::vector<RankedCohort> cohorts =
      RankStores(reports, {{retracted.run.digest}, {superseded.run.digest}});
  ASSERT_EQ(cohorts.size(), 1u);
  EXPECT_THAT(cohorts[0].ranked, IsEmpty());
  std::map<std::string, std::vector<std::string>> reasons;
  for (const UnrankedRun& run : cohorts[0].unranked) {
    reasons[run.run->run->manifest.digest] = run.reasons;
  }
  EXPECT_THAT(reasons[retracted.run.digest], ElementsAre("retracted"));
  EXPECT_THAT(reasons[superseded.run.digest], ElementsAre("superseded"));
  EXPECT_THAT(reasons[damaged.run.digest], ElementsAre("its evidence does not verify"));
}

}  // namespace
}  // namespace ropebench
