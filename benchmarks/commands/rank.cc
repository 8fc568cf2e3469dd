#include "benchmarks/commands/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "evidence/rank.h"

namespace ropebench::commands {
namespace {

std::string NameOf(const StoredDocument& document) {
  return document.manifest.document["metadata"]["name"].get<std::string>();
}

void PrintDifferences(const StoredRun& first, const StoredRun& second) {
  for (const KeyDifference& difference : WhyNotComparable(first, second)) {
    fmt::print("    {}: {}: {} | {}\n", difference.part, OneLine(difference.field),
               difference.first, difference.second);
  }
}

void PrintCohort(const RankedCohort& cohort) {
  const StoredRun& example = cohort.example();
  if (cohort.key.empty()) {
    fmt::print("no cohort\n");
  } else {
    fmt::print("cohort {}{}\n  {} | {} | {} | {}\n", Short(cohort.key),
               cohort.rule == TieRule::kSourceNative ? " (source-native)" : "",
               NameOf(*example.operation), NameOf(*example.workload), NameOf(*example.protocol),
               NameOf(*example.environment));
  }
  for (const RankedRun& ranked : cohort.ranked) {
    const BenchmarkRun& run = ranked.run->fields();
    const auto& interval = run.timing->latency_ns.confidence95;
    fmt::print(
        "  {:>3}{} {:>12} ns  {:<24} {:<12}  {}  {}\n", ranked.rank, ranked.is_tied ? '=' : ' ',
        *PrimaryValue(run),
        interval ? fmt::format("[{}, {}]", interval->front(), interval->back()) : "no interval",
        Name(ranked.run->level), Short(ranked.run->run->manifest.digest), run.metadata.name);
  }
  for (const UnrankedRun& unranked : cohort.unranked) {
    fmt::print("    - {}  {}: {}\n", Short(unranked.run->run->manifest.digest),
               unranked.run->fields().metadata.name, fmt::join(unranked.reasons, ", "));
  }
}

// The earlier cohort that differs in the fewest fields.
const RankedCohort* Nearest(const std::vector<RankedCohort>& cohorts, std::size_t index) {
  constexpr std::size_t kMostCompared = 200;
  const RankedCohort* nearest = nullptr;
  std::size_t fewest = 0;
  for (std::size_t i = index - std::min(index, kMostCompared); i < index; ++i) {
    if (cohorts[i].key.empty()) continue;
    const std::size_t count =
        WhyNotComparable(cohorts[i].example(), cohorts[index].example()).size();
    if (nearest != nullptr && count >= fewest) continue;
    nearest = &cohorts[i];
    fewest = count;
  }
  return nearest;
}

}  // namespace

int Rank(int argc, const char* const* argv) {
  CLI::App app{"Ranks the runs of stores inside their cohorts.", "rank"};
  std::vector<std::string> folders;
  std::vector<std::string> why;
  std::vector<std::string> retracted;
  std::vector<std::string> superseded;
  app.add_option("DIR", folders, "Stores")->required();
  app.add_option("--why", why, "Only say why these two runs are not comparable")->expected(2);
  app.add_option("--retracted", retracted, "Runs that were taken back")->allow_extra_args(false);
  app.add_option("--superseded", superseded, "Runs that were replaced")->allow_extra_args(false);
  if (Parse(app, argc, argv)) return kExitDone;

  std::vector<StoreReport> stores;
  for (const std::string& folder : folders) {
    stores.push_back(Reading(folder, [&] { return VerifyStore(folder); }));
    if (stores.back().findings.empty()) continue;
    fmt::print(stderr, "{}: {} finding(s); see ropebench verify\n", OneLine(folder),
               stores.back().findings.size());
  }
  if (!why.empty()) {
    const StoredRun& first = FindRun("rank", stores, why[0]);
    const StoredRun& second = FindRun("rank", stores, why[1]);
    if (first.comparison_key.empty() || second.comparison_key.empty()) {
      throw UsageError("rank: a document of one of the runs is missing");
    }
    const bool comparable = first.comparison_key == second.comparison_key;
    fmt::print("{}\n", comparable ? "comparable: one cohort" : "not comparable:");
    PrintDifferences(first, second);
    return comparable ? kExitDone : kExitWrong;
  }
  Withdrawals withdrawals;
  const auto resolve = [&](const std::vector<std::string>& prefixes) {
    std::set<std::string> digests;
    for (const std::string& prefix : prefixes) {
      digests.insert(FindRun("rank", stores, prefix).run->manifest.digest);
    }
    return digests;
  };
  withdrawals.retracted = resolve(retracted);
  withdrawals.superseded = resolve(superseded);

  const std::vector<RankedCohort> cohorts = RankStores(stores, withdrawals);
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    PrintCohort(cohorts[i]);
    if (cohorts[i].key.empty()) continue;
    if (const RankedCohort* nearest = Nearest(cohorts, i)) {
      fmt::print("  not comparable with {}:\n", Short(nearest->key));
      PrintDifferences(nearest->example(), cohorts[i].example());
    }
  }
  const bool any = std::any_of(cohorts.begin(), cohorts.end(),
                               [](const RankedCohort& cohort) { return !cohort.ranked.empty(); });
  return any ? kExitDone : kExitWrong;
}

}  // namespace ropebench::commands
