#include "benchmarks/commands/command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "evidence/import_liger.h"
#include "evidence/run_archive.h"
#include "evidence/store.h"
#include "manifests/strict_json.h"

namespace ropebench::commands {
namespace {

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

}  // namespace

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

}  // namespace ropebench::commands
