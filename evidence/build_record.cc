#include "evidence/build_record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evidence/manifest_reader.h"
#include "manifests/digest.h"
#include "manifests/jcs.h"
#include "manifests/strict_json.h"

namespace ropebench {
namespace {

using nlohmann::json;

constexpr std::string_view kLineStart = "record    ";

// A member that must be there and of that kind.
const json& Member(const json& value, const char* key, json::value_t type) {
  const auto found = value.find(key);
  if (found == value.end() || found->type() != type) {
    throw ReadError(fmt::format("is no build record: {} is missing or of another type", key));
  }
  return *found;
}

std::string TextOf(const json& value, const char* key) {
  return Member(value, key, json::value_t::string).get<std::string>();
}

}  // namespace

Artifact BuildRecordArtifact(const BuildRecord& record) {
  json compilers = json::object();
  for (const auto& [language, compiler] : record.compilers) {
    compilers[language] = {{"name", compiler.name}, {"options", compiler.options}};
  }
  const json document = {{"compilers", compilers},
                         {"kernel_sources", record.kernel_sources},
                         {"packages", record.packages},
                         {"program",
                          {{"name", "ropebench"},
                           {"version", record.version},
                           {"repository", record.revision.repository},
                           {"commit", record.revision.commit},
                           {"dirty", record.revision.dirty}}}};
  return MakeArtifact(kBuildsPlace, ReadableJson(document));
}

std::string BuildRecordLine(const ArtifactRef& record) {
  return fmt::format("{}{} {}\n", kLineStart, record.uri, record.digest);
}

std::optional<ArtifactRef> BuildRecordOf(std::string_view log_line) {
  if (!log_line.starts_with(kLineStart)) return std::nullopt;
  log_line.remove_prefix(kLineStart.size());
  const std::size_t space = log_line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  return ArtifactRef{std::string(log_line.substr(0, space)),
                     std::string(log_line.substr(space + 1))};
}

std::vector<std::string> Contradictions(std::string_view record,
                                        const ImplementationRevision& implementation,
                                        const BenchmarkRun& run) {
  const json document = ParseStrictJson(record, kMaxArtifactBytes);
  if (!document.is_object()) throw ReadError("is no build record: it is no object");
  const json& compilers = Member(document, "compilers", json::value_t::object);
  const json& program = Member(document, "program", json::value_t::object);
  const bool is_dirty = Member(program, "dirty", json::value_t::boolean).get<bool>();
  const std::string commit = TextOf(program, "commit");

  std::vector<std::string> lines;
  const auto expect = [&](std::string_view what, std::string_view is, std::string_view should) {
    if (is == should) return;
    lines.push_back(fmt::format("{} is {:?}, but the documents say {:?}", what, is, should));
  };
  for (const ImplementationRevision::BuildVariant& variant : implementation.build_variants) {
    const auto requirement = [&](const char* name) -> const std::string* {
      const auto found = variant.requirements.find(name);
      return found == variant.requirements.end() ? nullptr : &found->second;
    };
    constexpr std::pair<const char*, const char*> kCompilers[] = {
        {"cpp", "compiler"}, {"cuda", "cuda_toolkit"}, {"glsl", "glsl_compiler"}};
    for (const auto& [language, name] : kCompilers) {
      const std::string* should = requirement(name);
      if (should == nullptr) continue;
      expect(fmt::format("compilers.{}.name", language),
             TextOf(Member(compilers, language, json::value_t::object), "name"), *should);
    }
    if (const std::string* sources = requirement("kernel_sources")) {
      expect("kernel_sources", TextOf(document, "kernel_sources"), *sources);
    }
  }
  if (implementation.version) {
    expect("program.version", TextOf(program, "version"), *implementation.version);
  }
  // A dirty build's documents name no commit but in a label of the run.
  const auto label = run.metadata.labels.find("base_commit");
  const std::string base = label == run.metadata.labels.end() ? "" : label->second;
  expect("program.commit", commit, run.evidence.harness ? run.evidence.harness->commit : base);
  if (is_dirty != run.metadata.labels.contains("build")) {
    lines.push_back(fmt::format("program.dirty is {}, but the run is {}labelled dirty", is_dirty,
                                is_dirty ? "not " : ""));
  }
  return lines;
}

}  // namespace ropebench
