#include "benchmarks/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/registry.h"
#include "benchmarks/nearest_name.h"
#include "benchmarks/options.h"
#include "benchmarks/plan.h"
#include "benchmarks/replicate.h"
#include "benchmarks/run_case.h"
#include "benchmarks/yaml_reader.h"
#include "evidence/attestation.h"
#include "evidence/bundle.h"
#include "evidence/cite.h"
#include "evidence/import_liger.h"
#include "evidence/manifest_reader.h"
#include "evidence/rank.h"
#include "evidence/run_archive.h"
#include "evidence/run_record.h"
#include "evidence/store.h"
#include "evidence/verify.h"
#include "manifests/digest.h"
#include "manifests/jcs.h"
#include "manifests/strict_json.h"
#include "ropebench_revision.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;

constexpr int kExitDone = 0;
constexpr int kExitWrong = 1;

// Throws UsageError on bad usage; true if help was asked for and is printed.
bool Parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return false;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return true;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}: {}", app.get_name(), OneLine(error.what())));
  }
}

// A ReadError names no file: this adds it.
template <typename Read>
auto Reading(const fs::path& path, Read read) {
  try {
    return read();
  } catch (const ReadError& error) {
    throw UsageError(fmt::format("{}: {}", OneLine(path.string()), error.what()));
  }
}

ReadDocument ReadRun(const fs::path& file) {
  return Reading(file, [&] {
    const std::string text = ReadNamedFile(file, kMaxManifestBytes);
    try {
      ReadDocument document = ReadManifest(text);
      if (std::holds_alternative<BenchmarkRun>(document.fields)) return document;
    } catch (const ManifestError& error) {
      throw ReadError(error.what());
    }
    throw ReadError("is no run");
  });
}

// Enough of a digest to tell runs apart by eye.
std::string Short(std::string_view digest) { return std::string(HexOf(digest).substr(0, 12)); }

std::string Outlook(const StoredRun& run) {
  const bool is_reproducible = run.level == EvidenceLevel::kReproducible;
  return fmt::format("{}; {} needs {}", Name(run.level),
                     is_reproducible ? "Verified" : "Reproducible", fmt::join(run.missing, ", "));
}

int Verify(int argc, const char* const* argv) {
  CLI::App app{"Checks every document, digest, reference and figure of a store, or one document.",
               "verify"};
  std::string path;
  app.add_option("PATH", path, "A store's folder, or a manifest")->required();
  if (Parse(app, argc, argv)) return kExitDone;

  if (!fs::is_directory(path)) {
    const std::vector<Finding> findings = Reading(path, [&] { return VerifyFile(path); });
    for (const Finding& finding : findings) fmt::print("{}\n", Format(finding));
    fmt::print("1 document, {} finding(s)\n", findings.size());
    return findings.empty() ? kExitDone : kExitWrong;
  }
  const StoreReport report = Reading(path, [&] { return VerifyStore(path); });
  for (const Finding& finding : report.findings) fmt::print("{}\n", Format(finding));
  for (const std::string& what : report.unchecked) fmt::print("not checked: {}\n", what);
  for (const StoredRun& run : report.runs) {
    fmt::print("run {} {}: {}\n", Short(run.run->manifest.digest), run.fields().metadata.name,
               Outlook(run));
  }
  fmt::print("{} document(s), {} run(s), {} finding(s)\n", report.documents.size(),
             report.runs.size(), report.findings.size());
  return report.findings.empty() ? kExitDone : kExitWrong;
}

int ImportLigerRows(const std::string& file, const std::string& out) {
  const LigerImport rows = Reading(file, [&] {
    const std::string text = ReadNamedFile(file, kMaxCsvBytes);
    try {
      return ImportLiger(text);
    } catch (const ImportError& error) {
      throw ReadError(error.what());
    }
  });
  RunArchive archive;
  for (const ImportedRun& run : rows.runs) {
    const Manifest& manifest = run.documents.run;
    archive.Add(run.documents, {},
                {run.external_id, manifest.spec()["status"].get<std::string>(), manifest.digest,
                 run.documents.comparison_key});
  }
  Store store(out);
  const int added = archive.StoreIn(store);
  for (const BadCsvRow& bad : rows.bad) {
    fmt::print("{}:{}: {}\n", OneLine(file), bad.line, OneLine(bad.reason));
  }
  fmt::print("{} run(s), {} of them new, {} bad row(s), {} of other kernels passed over\n",
             rows.runs.size(), added, rows.bad.size(), rows.passed_over);
  return rows.bad.empty() ? kExitDone : kExitWrong;
}

// --benchmark_out carries the documents of its rows; without them a row is no evidence.
int ImportBenchmarkRows(const std::string& file, const std::string& out) {
  constexpr std::size_t kMaxResultBytes = std::size_t{256} << 20;
  struct Result {
    nlohmann::json document;
    RunArchive archive;
  };
  const Result result = Reading(file, [&] {
    try {
      Result read;
      read.document = ParseStrictJson(ReadNamedFile(file, kMaxResultBytes), kMaxResultBytes);
      const auto evidence = read.document.find("evidence");
      if (evidence == read.document.end()) {
        throw ReadError("has no evidence: only ropebench's own --benchmark_out in json has it");
      }
      read.archive = RunArchive::FromJson(*evidence);
      return read;
    } catch (const ReadError&) {
      throw;
    } catch (const std::exception& error) {
      throw ReadError(error.what());
    }
  });
  Store store(out);
  const int added = result.archive.StoreIn(store);
  int rows = 0;
  int bad = 0;
  for (const nlohmann::json& row : result.document.value("benchmarks", nlohmann::json::array())) {
    if (!row.is_object() || row.value("run_type", nlohmann::json()) != "iteration") continue;
    ++rows;
    const nlohmann::json digest = row.value("run_digest", nlohmann::json());
    if (digest.is_string() && result.archive.HasRun(digest.get<std::string>())) continue;
    // A case that failed has no digest in its row.
    if (row.contains("error_occurred")) continue;
    ++bad;
    fmt::print("{}: row {}: no document of it\n", OneLine(file), rows);
  }
  fmt::print("{} row(s), {} new run(s), {} bad row(s)\n", rows, added, bad);
  return bad == 0 ? kExitDone : kExitWrong;
}

int Import(int argc, const char* const* argv) {
  CLI::App app{"Turns results of another form into a store's documents.", "import"};
  std::string source;
  std::string file;
  std::string out;
  app.add_option("SOURCE", source,
                 "liger: a CSV of Liger-Kernel's benchmark data; gbench: our --benchmark_out")
      ->required()
      ->check(CLI::IsMember({"liger", "gbench"}));
  app.add_option("FILE", file, "What to import")->required();
  app.add_option("--out", out, "The store's folder")->required();
  if (Parse(app, argc, argv)) return kExitDone;
  return source == "liger" ? ImportLigerRows(file, out) : ImportBenchmarkRows(file, out);
}

std::string NameOf(const StoredDocument& document) {
  return document.manifest.document["metadata"]["name"].get<std::string>();
}

// The run whose digest begins so, with or without sha256:. Throws UsageError for none and several.
const StoredRun& FindRun(std::string_view command, std::span<const StoreReport> stores,
                         const std::string& prefix) {
  const StoredRun* found = nullptr;
  for (const StoreReport& store : stores) {
    for (const StoredRun& run : store.runs) {
      const std::string& digest = run.run->manifest.digest;
      if (!digest.starts_with(prefix) && !HexOf(digest).starts_with(prefix)) continue;
      if (found != nullptr && found->run->manifest.digest != digest) {
        throw UsageError(fmt::format("{}: {} means several runs", command, OneLine(prefix)));
      }
      found = &run;
    }
  }
  if (found == nullptr) throw UsageError(fmt::format("{}: no run {}", command, OneLine(prefix)));
  return *found;
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

// The keys of a publish.yaml are the options' names.
void ReadPublishFile(const std::string& path, PublishOptions& options) {
  const YamlNode root = Reading(path, [&] {
    const std::string text = ReadNamedFile(path, kMaxYamlBytes);
    try {
      return ReadYaml(text);
    } catch (const YamlError& error) {
      throw ReadError(fmt::format("{}: {}", error.position().line, error.what()));
    }
  });
  for (const YamlNode& item : root.items) {
    const auto place = fmt::format("{}:{}: ", OneLine(path), item.key_position.line);
    if (root.kind != YamlNode::Kind::kMap || !item.is_scalar()) {
      throw UsageError(place + "expected key: text");
    }
    if (item.key == "name") {
      options.name = item.text;
    } else if (item.key == "licence") {
      options.licence = item.text;
    } else if (item.key == "repository") {
      options.repository = item.text;
    } else if (item.key == "homepage") {
      options.homepage = item.text;
    } else if (item.key == "artifacts") {
      options.artifact_base = item.text;
    } else {
      constexpr std::string_view kKeys[] = {"name", "licence", "repository", "homepage",
                                            "artifacts"};
      throw UsageError(
          fmt::format("{}unknown key {}{}", place, Shown(item.key), DidYouMean(item.key, kKeys)));
    }
  }
}

int Bundle(int argc, const char* const* argv) {
  CLI::App app{"Writes the runs of a store as a submission bundle of KernelIndex.", "bundle"};
  std::string folder;
  std::string out;
  std::string publish_file;
  PublishOptions options;
  options.licence = ImplementationFacts().licence;
  options.repository = kRepository;
  std::optional<std::string> name;
  std::optional<std::string> licence;
  std::optional<std::string> repository;
  std::optional<std::string> homepage;
  std::optional<std::string> artifacts;
  app.add_option("DIR", folder, "The store's folder")->required();
  app.add_option("-o,--output", out, "The bundle")->required();
  app.add_option("--publish", publish_file, "A publish.yaml with the options below as keys");
  app.add_option("--name", name, "The project's name");
  app.add_option("--licence", licence, "SPDX identifier");
  app.add_option("--repository", repository, "https address of the source");
  app.add_option("--homepage", homepage, "https address of the project");
  app.add_option("--artifacts", artifacts, "https address under which DIR will lie");
  if (Parse(app, argc, argv)) return kExitDone;
  if (!publish_file.empty()) ReadPublishFile(publish_file, options);
  options.name = name.value_or(options.name);
  options.licence = licence.value_or(options.licence);
  options.repository = repository.value_or(options.repository);
  if (homepage) options.homepage = homepage;
  if (artifacts) options.artifact_base = artifacts;

  const StoreReport store = Reading(folder, [&] { return VerifyStore(folder); });
  const std::vector<std::string> reasons = WhyNotPublished(store, options);
  if (!reasons.empty()) {
    for (const std::string& reason : reasons) fmt::print("refused: {}\n", OneLine(reason));
    return kExitWrong;
  }
  const auto unreachable =
      std::count_if(store.runs.begin(), store.runs.end(), [](const StoredRun& run) {
        return run.fields().evidence.harness->repository.starts_with(kUnpublishedAddress);
      });
  if (unreachable > 0) {
    fmt::print(stderr, "note: {} run(s) name a repository under {}, which nobody can reach\n",
               unreachable, kUnpublishedAddress);
  }
  WriteFileAtomically(out, BundleText(store, options));
  fmt::print("{} run(s) in {}\n", store.runs.size(), out);
  return kExitDone;
}

int Cite(int argc, const char* const* argv) {
  CLI::App app{"Prints how a run is cited.", "cite"};
  std::string file;
  app.add_option("RUN", file, "A run's document: DIR/manifests/benchmark-run/HEX.json")->required();
  if (Parse(app, argc, argv)) return kExitDone;
  const ReadDocument document = ReadRun(file);
  fmt::print("{}", Citation(std::get<BenchmarkRun>(document.fields), document.manifest.digest));
  return kExitDone;
}

Backend& FindBackend(const std::vector<BackendDevices>& backends, const BenchCase& bench_case) {
  for (const BackendDevices& entry : backends) {
    if (entry.backend != bench_case.backend) continue;
    const auto index = static_cast<std::size_t>(bench_case.device);
    if (index < entry.devices.size()) return *entry.devices[index];
    throw UsageError(fmt::format("replicate: {} device {} is not here: {}", entry.backend, index,
                                 entry.devices.empty() ? entry.why_none : "see --list devices"));
  }
  throw UsageError(fmt::format("replicate: this build has no backend {}", bench_case.backend));
}

int ReplicateRun(int argc, const char* const* argv) {
  CLI::App app{"Runs a published case again on this machine and writes an attestation.",
               "replicate"};
  std::string file;
  std::string out;
  std::string attestation_file;
  int device = 0;
  app.add_option("RUN", file, "A run's document: DIR/manifests/benchmark-run/HEX.json")->required();
  app.add_option("--device", device, "Index within the run's backend")->check(CLI::Range(0, 1023));
  app.add_option("--out", out, "A store for the run that is made here");
  app.add_option("-o,--output", attestation_file, "The attestation; standard output without");
  if (Parse(app, argc, argv)) return kExitDone;

  const std::string digest = ReadRun(file).manifest.digest;
  const fs::path folder = fs::absolute(file).parent_path().parent_path().parent_path();
  const StoreReport report = Reading(folder, [&] { return VerifyStore(folder); });
  const StoredRun& run = FindRun("replicate", {&report, 1}, digest);
  if (!run.is_sound || run.comparison_key.empty()) {
    throw UsageError("replicate: the run's evidence does not verify; see ropebench verify");
  }
  if (run.fields().status != "passed" || !run.fields().timing) {
    throw UsageError("replicate: the run has no time to compare with");
  }
  const BenchCase bench_case = CaseOf(run, device);
  const std::vector<BackendDevices> backends = OpenBackends();
  Backend& backend = FindBackend(backends, bench_case);
  const KernelVariant* variant = FindVariant(backend, bench_case.variant);
  if (variant == nullptr) {
    throw UsageError(fmt::format("replicate: this build has no variant {}", bench_case.variant));
  }
  std::optional<std::string> why = backend.WhyNoTimer(bench_case.protocol.timer);
  if (!why) why = backend.WhyUnsupported(*variant, bench_case.workload);
  if (why) throw UsageError("replicate: " + *why);

  std::optional<Store> store;
  if (!out.empty()) store.emplace(out);
  const Replicated replicated =
      Replicate(run, bench_case, backend, EnvironmentOf(backend, backends));
  if (store) {
    RunArchive archive;
    std::vector<Artifact> artifacts = {replicated.publication.log};
    if (replicated.publication.samples) artifacts.push_back(*replicated.publication.samples);
    archive.Add(replicated.publication.documents, artifacts, replicated.entry);
    archive.StoreIn(*store);
  }
  const Attestation attestation = Attest(replicated.replication);
  const std::string text = ReadableJson(ToJson(attestation, replicated.replication));
  if (attestation_file.empty()) {
    fmt::print("{}", text);
  } else {
    WriteFileAtomically(attestation_file, text);
    fmt::print("{}: {}\n", attestation.type, OneLine(attestation.body));
  }
  return attestation.type == "reproduced" ? kExitDone : kExitWrong;
}

struct Command {
  std::string_view word;
  int (*run)(int argc, const char* const* argv);  // argv[0] is the word
};
constexpr Command kCommands[] = {
    {"verify", Verify}, {"import", Import}, {"rank", Rank},
    {"bundle", Bundle}, {"cite", Cite},     {"replicate", ReplicateRun},
};

}  // namespace

std::optional<int> RunCommand(int argc, const char* const* argv) {
  if (argc < 2) return std::nullopt;
  for (const Command& command : kCommands) {
    if (command.word == argv[1]) return command.run(argc - 1, argv + 1);
  }
  return std::nullopt;
}

}  // namespace ropebench
