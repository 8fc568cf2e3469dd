#include "evidence/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "evidence/manifest_reader.h"

namespace ropebench {
namespace {

using nlohmann::json;

bool Ties(const Contender& a, const Contender& b, TieRule rule) {
  if (a.value_ns == b.value_ns) return true;
  if (rule == TieRule::kSourceNative || !a.interval_ns || !b.interval_ns) return false;
  return a.interval_ns->front() <= b.interval_ns->back() &&
         b.interval_ns->front() <= a.interval_ns->back();
}

// The order inside a chain.
bool ShownBefore(const Contender& a, const Contender& b) {
  return std::tie(b.level, b.observed_at, a.digest) < std::tie(a.level, a.observed_at, b.digest);
}

Contender ContenderOf(const StoredRun& stored, const Withdrawals& withdrawals) {
  const BenchmarkRun& run = stored.fields();
  Contender contender;
  contender.digest = stored.run->manifest.digest;
  contender.status = run.status;
  contender.value_ns = PrimaryValue(run);
  if (run.timing) contender.interval_ns = run.timing->latency_ns.confidence95;
  contender.level = stored.level;
  contender.observed_at = run.observed_at;
  contender.is_sound = stored.is_sound;
  contender.is_retracted = withdrawals.retracted.contains(contender.digest);
  contender.is_superseded = withdrawals.superseded.contains(contender.digest);
  return contender;
}

const std::string& NameOf(const StoredDocument* document) {
  static const std::string kNone;
  return document == nullptr
             ? kNone
             : document->manifest.document["metadata"]["name"].get_ref<const std::string&>();
}

RankedCohort RankRuns(const std::string& key, const std::vector<const StoredRun*>& runs,
                      const Withdrawals& withdrawals) {
  RankedCohort cohort;
  cohort.key = key;
  std::vector<Contender> eligible;
  std::vector<const StoredRun*> behind;
  for (const StoredRun* run : runs) {
    if (run->fields().source_native) cohort.rule = TieRule::kSourceNative;
    Contender contender = ContenderOf(*run, withdrawals);
    std::vector<std::string> reasons = WhyIneligible(contender);
    if (key.empty()) reasons.emplace_back("a document that it names is missing");
    if (reasons.empty()) {
      eligible.push_back(std::move(contender));
      behind.push_back(run);
    } else {
      cohort.unranked.push_back({run, std::move(reasons)});
    }
  }
  for (const Placing& placing : RankCohort(eligible, cohort.rule)) {
    cohort.ranked.push_back({behind[placing.index], placing.rank, placing.is_tied});
  }
  return cohort;
}

// Two texts, of which a long common beginning is left out.
std::pair<std::string, std::string> Shown(const json* a, const json* b) {
  constexpr std::size_t kContext = 20;
  constexpr std::size_t kMaxLength = 100;
  std::string first = a == nullptr ? "nothing" : a->dump();
  std::string second = b == nullptr ? "nothing" : b->dump();
  const auto differ = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  const auto common = static_cast<std::size_t>(differ.first - first.begin());
  if (common > 2 * kContext) {
    for (std::string* text : {&first, &second}) text->replace(0, common - kContext, "...");
  }
  for (std::string* text : {&first, &second}) {
    if (text->size() > kMaxLength) text->replace(kMaxLength, std::string::npos, "...");
    *text = OneLine(*text);
  }
  return {first, second};
}

std::string FieldName(std::string pointer) {
  if (!pointer.empty()) pointer.erase(0, 1);
  std::replace(pointer.begin(), pointer.end(), '/', '.');
  return pointer;
}

}  // namespace

std::optional<std::int64_t> PrimaryValue(const BenchmarkRun& run) {
  if (!run.timing) return std::nullopt;
  const BenchmarkRun::LatencyNs& ns = run.timing->latency_ns;
  for (const auto& [name, value] :
       {std::pair{"median", ns.median}, std::pair{"mean", ns.mean}, std::pair{"p05", ns.p05},
        std::pair{"p95", ns.p95}, std::pair{"minimum", ns.minimum},
        std::pair{"maximum", ns.maximum}}) {
    if (run.timing->primary_statistic == name) return value;
  }
  return std::nullopt;
}

std::vector<std::string> WhyIneligible(const Contender& contender) {
  std::vector<std::string> reasons;
  if (contender.status != "passed") reasons.push_back("status " + contender.status);
  if (contender.is_retracted) reasons.emplace_back("retracted");
  if (contender.is_superseded) reasons.emplace_back("superseded");
  if (!contender.value_ns) reasons.emplace_back("no value of the primary statistic");
  if (!contender.is_sound) reasons.emplace_back("its evidence does not verify");
  return reasons;
}

std::vector<Placing> RankCohort(std::span<const Contender> contenders, TieRule rule) {
  std::vector<std::size_t> order(contenders.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Contender& first = contenders[a];
    const Contender& second = contenders[b];
    if (first.value_ns != second.value_ns) return first.value_ns < second.value_ns;
    return ShownBefore(first, second);
  });
  std::vector<std::vector<std::size_t>> chains;
  for (const std::size_t index : order) {
    const auto ties = [&](std::size_t member) {
      return Ties(contenders[member], contenders[index], rule);
    };
    if (chains.empty() || !std::all_of(chains.back().begin(), chains.back().end(), ties)) {
      chains.emplace_back();
    }
    chains.back().push_back(index);
  }
  std::vector<Placing> placings;
  int rank = 0;
  for (std::vector<std::size_t>& chain : chains) {
    ++rank;
    std::sort(chain.begin(), chain.end(), [&](std::size_t a, std::size_t b) {
      return ShownBefore(contenders[a], contenders[b]);
    });
    for (const std::size_t index : chain) placings.push_back({index, rank, chain.size() > 1});
  }
  return placings;
}

std::vector<RankedCohort> RankStores(std::span<const StoreReport> stores,
                                     const Withdrawals& withdrawals) {
  std::map<std::string, std::vector<const StoredRun*>> by_key;
  std::set<std::string> seen;
  for (const StoreReport& store : stores) {
    for (const StoredRun& run : store.runs) {
      if (seen.insert(run.run->manifest.digest).second) by_key[run.comparison_key].push_back(&run);
    }
  }
  std::vector<RankedCohort> cohorts;
  for (const auto& [key, runs] : by_key) cohorts.push_back(RankRuns(key, runs, withdrawals));
  const auto names = [](const RankedCohort& cohort) {
    const StoredRun& run = cohort.example();
    return std::tie(NameOf(run.operation), NameOf(run.workload), NameOf(run.environment),
                    NameOf(run.protocol), cohort.key);
  };
  std::sort(cohorts.begin(), cohorts.end(),
            [&](const RankedCohort& a, const RankedCohort& b) { return names(a) < names(b); });
  return cohorts;
}

std::vector<KeyDifference> Differences(const std::string& part, const Manifest& first,
                                       const Manifest& second) {
  std::vector<KeyDifference> differences;
  if (first.digest == second.digest) return differences;
  const json a = first.spec().flatten();
  const json b = second.spec().flatten();
  const auto add = [&](const std::string& pointer, const json* is, const json* other) {
    // flatten() shows an empty object as null.
    if ((is != nullptr ? is : other)->is_null()) return;
    const auto [left, right] = Shown(is, other);
    differences.push_back({part, FieldName(pointer), left, right});
  };
  for (const auto& [pointer, value] : a.items()) {
    const auto found = b.find(pointer);
    if (found == b.end()) {
      add(pointer, &value, nullptr);
    } else if (*found != value) {
      add(pointer, &value, &*found);
    }
  }
  for (const auto& [pointer, value] : b.items()) {
    if (!a.contains(pointer)) add(pointer, nullptr, &value);
  }
  return differences;
}

std::vector<KeyDifference> WhyNotComparable(const StoredRun& first, const StoredRun& second) {
  std::vector<KeyDifference> all;
  const auto add = [&](const char* part, const StoredDocument* a, const StoredDocument* b) {
    for (KeyDifference& difference : Differences(part, a->manifest, b->manifest)) {
      // The operation is a part of its own.
      if (difference.field != "operationSpecDigest") all.push_back(std::move(difference));
    }
  };
  add("operation", first.operation, second.operation);
  add("workload", first.workload, second.workload);
  add("protocol", first.protocol, second.protocol);
  add("environment", first.environment, second.environment);
  return all;
}

}  // namespace ropebench
