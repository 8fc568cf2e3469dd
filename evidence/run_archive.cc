#include "evidence/run_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "evidence/manifest_reader.h"
#include "manifests/read_kinds.h"

namespace ropebench {
namespace {

using nlohmann::json;

constexpr const char* kRunKind = "BenchmarkRun";

const json& Member(const json& value, const char* key) {
  const auto found = value.find(key);
  if (found == value.end()) throw ReadError(fmt::format("has no {}", key));
  return *found;
}

Artifact ReadArtifact(const std::string& uri, const json& bytes) {
  if (!bytes.is_string()) throw ReadError(fmt::format("{:?} is no text", uri));
  const auto& text = bytes.get_ref<const std::string&>();
  for (const ArtifactPlace& place : kArtifactPlaces) {
    Artifact artifact = MakeArtifact(place, text);
    if (artifact.ref.uri == uri) return artifact;
  }
  throw ReadError(fmt::format("{:?} is not the address of its bytes", uri));
}

}  // namespace

void RunArchive::Add(const PublishedRun& published, const std::vector<Artifact>& artifacts,
                     const JournalEntry& entry) {
  for (const Manifest* manifest :
       {&published.operation, &published.workload, &published.implementation, &published.protocol,
        &published.environment, &published.run}) {
    manifests_.try_emplace(manifest->digest, *manifest);
  }
  for (const Artifact& artifact : artifacts) artifacts_.try_emplace(artifact.ref.uri, artifact);
  journal_.push_back(entry);
}

json RunArchive::ToJson() const {
  json value = {
      {"artifacts", json::object()}, {"journal", json::array()}, {"manifests", json::array()}};
  for (const auto& [digest, manifest] : manifests_) value["manifests"].push_back(manifest.document);
  for (const auto& [uri, artifact] : artifacts_) value["artifacts"][uri] = artifact.bytes;
  for (const JournalEntry& entry : journal_) {
    value["journal"].push_back({{"case", entry.case_id},
                                {"status", entry.status},
                                {"run", entry.run_digest},
                                {"comparison_key", entry.comparison_key}});
  }
  return value;
}

RunArchive RunArchive::FromJson(const json& value) {
  RunArchive archive;
  for (const json& document : Member(value, "manifests")) {
    Manifest manifest = ReadKind(document).manifest;
    std::string digest = manifest.digest;
    archive.manifests_.emplace(std::move(digest), std::move(manifest));
  }
  for (const auto& [uri, bytes] : Member(value, "artifacts").items()) {
    archive.artifacts_.emplace(uri, ReadArtifact(uri, bytes));
  }
  for (const json& entry : Member(value, "journal")) {
    const JournalEntry& read = archive.journal_.emplace_back(ParseJournalLine(entry.dump()));
    if (!archive.HasRun(read.run_digest)) {
      throw ReadError(fmt::format("has no document of the run {}", read.run_digest));
    }
  }
  return archive;
}

bool RunArchive::HasRun(const std::string& digest) const {
  const auto found = manifests_.find(digest);
  return found != manifests_.end() && found->second.kind() == kRunKind;
}

int RunArchive::StoreIn(Store& store) const {
  for (const auto& [uri, artifact] : artifacts_) store.PutArtifact(artifact);
  for (const bool runs : {false, true}) {  // a run in the store is a run that resolves
    for (const auto& [digest, manifest] : manifests_) {
      if ((manifest.kind() == kRunKind) == runs) store.PutManifest(manifest);
    }
  }
  std::set<std::string> present = RunsInJournal(store.folder());
  int added = 0;
  for (const JournalEntry& entry : journal_) {
    if (!present.insert(entry.run_digest).second) continue;
    store.AppendJournal(entry);
    ++added;
  }
  return added;
}

std::set<std::string> RunsInJournal(const std::filesystem::path& folder) {
  std::set<std::string> runs;
  std::istringstream journal(StoreFolder(folder).Read(kJournalName, kMaxJournalBytes));
  for (std::string line; std::getline(journal, line);) {
    try {
      runs.insert(ParseJournalLine(line).run_digest);
    } catch (const ReadError&) {
      // Torn.
    }
  }
  return runs;
}

}  // namespace ropebench
