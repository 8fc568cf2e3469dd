// Runs with everything that they name, as one JSON value: how a result file carries them.
//
//   {"artifacts": {"logs/<hex>.txt": "..."}, "journal": [{case, comparison_key, run, status}],
//    "manifests": [...]}
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "evidence/run_record.h"
#include "evidence/store.h"
#include "manifests/manifest.h"

namespace ropebench {

class RunArchive {
 public:
  void Add(const PublishedRun& published, const std::vector<Artifact>& artifacts,
           const JournalEntry& entry);

  nlohmann::json ToJson() const;

  // Throws ReadError or ManifestError unless every document keeps the rules of its kind, every
  // artifact has the address of its bytes and every journal entry names a run that is here.
  static RunArchive FromJson(const nlohmann::json& value);

  bool HasRun(const std::string& digest) const;

  // Writes it all; runs that the store's journal names already get no second line. Returns how many
  // were new.
  int StoreIn(Store& store) const;

 private:
  std::map<std::string, Manifest> manifests_;  // by digest
  std::map<std::string, Artifact> artifacts_;  // by address
  std::vector<JournalEntry> journal_;
};

// The runs that a store's journal names; lines torn by a killed writer name none. Throws ReadError.
std::set<std::string> RunsInJournal(const std::filesystem::path& folder);

}  // namespace ropebench
