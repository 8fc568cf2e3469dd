#include "benchmarks/commands/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "benchmarks/nearest_name.h"
#include "benchmarks/yaml_reader.h"
#include "evidence/bundle.h"
#include "evidence/cite.h"
#include "evidence/run_record.h"
#include "evidence/store.h"
#include "ropebench_revision.h"

namespace ropebench::commands {
namespace {

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

}  // namespace

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

}  // namespace ropebench::commands
