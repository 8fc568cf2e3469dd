// Ranking by KernelIndex's rules: runs are ranked inside a cohort, which is a comparison key, and
// nowhere else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evidence/verify.h"

namespace ropebench {

// What decides a run's place.
struct Contender {
  std::string digest;
  std::string status = "passed";
  std::optional<std::int64_t> value_ns;                    // by the primary statistic
  std::optional<std::array<std::int64_t, 2>> interval_ns;  // 95 %: low, high
  EvidenceLevel level = EvidenceLevel::kReported;
  Instant observed_at;
  bool is_sound = true;
  bool is_retracted = false;
  bool is_superseded = false;
};

// The value by which a run is ranked; nothing if it has none.
std::optional<std::int64_t> PrimaryValue(const BenchmarkRun& run);

// Why a run gets no rank, one reason each; empty if it is eligible.
std::vector<std::string> WhyIneligible(const Contender& contender);

// strict: runs tie if their values are equal, or if both have an interval and the intervals have a
//   point in common. source-native, for imported results: on equal values alone.
enum class TieRule : std::uint8_t { kStrict, kSourceNative };

struct Placing {
  std::size_t index;  // into the contenders
  int rank;           // from 1, dense
  bool is_tied;       // shares its rank
};

// Places eligible contenders by value, least first. A run joins the chain of ties before it only if
// it ties with every member. Inside a chain the higher level comes first, then the newer run, then
// the lesser digest; runs of equal value are taken up in that order too, so that the result does
// not hang on the order of the contenders.
std::vector<Placing> RankCohort(std::span<const Contender> contenders, TieRule rule);

struct RankedRun {
  const StoredRun* run;
  int rank;
  bool is_tied;
};
struct UnrankedRun {
  const StoredRun* run;
  std::vector<std::string> reasons;
};
struct RankedCohort {
  std::string key;  // empty for runs without one, which are never ranked
  TieRule rule = TieRule::kStrict;
  std::vector<RankedRun> ranked;
  std::vector<UnrankedRun> unranked;

  const StoredRun& example() const {
    return *(ranked.empty() ? unranked.front().run : ranked.front().run);
  }
};

// Digests of runs that their publisher took back or replaced: a store cannot say so itself, except
// by the status revoked.
struct Withdrawals {
  std::set<std::string> retracted;
  std::set<std::string> superseded;
};

// The cohorts of all runs of the stores, by the names of their documents. A run that stands in
// several stores counts once. The result points into the reports.
std::vector<RankedCohort> RankStores(std::span<const StoreReport> stores,
                                     const Withdrawals& withdrawals);

struct KeyDifference {
  std::string part;   // operation, workload, protocol or environment
  std::string field;  // of its document: measurement.timer
  std::string first;  // what the one run has there, as JSON; "nothing" where it has no such field
  std::string second;
};

// Every field in which two documents of one kind differ; empty exactly if their digests are equal.
std::vector<KeyDifference> Differences(const std::string& part, const Manifest& first,
                                       const Manifest& second);

// Why two runs cannot be ranked together: every field of the documents behind the comparison key
// that differs. Empty exactly if the keys are equal. Both have a key.
std::vector<KeyDifference> WhyNotComparable(const StoredRun& first, const StoredRun& second);

}  // namespace ropebench
