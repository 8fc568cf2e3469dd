// Store: the folder behind --out DIR.
//
//   manifests/<kind>/<hex>.json    one document per file, named by its digest
//   samples/<hex>.json             {"samples": [...], "unit": "ns"} of one case, named by the bytes
//   logs/<hex>.txt                 likewise
//   builds/<hex>.json              likewise: how the program was built (evidence/build_record.h)
//   journal.jsonl                  one line per finished case, appended
//
// A document is written to a temporary file beside it, synced, renamed and its folder synced, so a
// reader or a crash meets all of it or none. A killed writer can leave a hidden *.tmp file, which
// no reader takes for a document. A run names its references by digest, which are their file names.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "evidence/run_record.h"
#include "manifests/kinds.h"
#include "manifests/manifest.h"

namespace ropebench {

// What could not be done, to which path, and the system's reason, in one line.
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr const char* kJournalName = "journal.jsonl";

struct JournalEntry {
  std::string case_id;
  std::string status;
  std::string run_digest;
  std::string comparison_key;
};

// A file that a run refers to, with its address relative to the store's folder.
struct Artifact {
  ArtifactRef ref;
  std::string bytes;
};

// Where artifacts lie; nothing else is an artifact.
struct ArtifactPlace {
  const char* folder;
  const char* extension;
};
inline constexpr ArtifactPlace kSamplesPlace{"samples", ".json"};
inline constexpr ArtifactPlace kLogsPlace{"logs", ".txt"};
inline constexpr ArtifactPlace kBuildsPlace{"builds", ".json"};
inline constexpr ArtifactPlace kArtifactPlaces[] = {kSamplesPlace, kLogsPlace, kBuildsPlace};

// The bytes at the address that their digest gives them: <folder>/<hex><extension>.
Artifact MakeArtifact(const ArtifactPlace& place, std::string bytes);

// Throws std::invalid_argument for a sample that is not finite.
Artifact SamplesArtifact(std::span<const double> samples_ns);
Artifact LogArtifact(std::string_view text);

// Writes the whole file or nothing: to a temporary file beside it, synced, then renamed. Throws
// StoreError. The folder must exist.
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Used from one thread. Several processes may write into one folder. Everything throws StoreError
// and leaves nothing half-written.
class Store {
 public:
  // Creates the folder and its journal, so that an unwritable place is met before any work. A
  // folder that vanishes later is an error, never created anew.
  explicit Store(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }

  // Writes the manifest unless the store has its digest already. Metadata is no part of the digest:
  // a document that differs in nothing else is kept as it is.
  void PutManifest(const Manifest& manifest);

  // References first, the run itself last: a run in the store is a run that resolves.
  void PutRun(const PublishedRun& published);

  // Writes the artifact to its address below folder(), unless it is there already.
  void PutArtifact(const Artifact& artifact);

  // Appends {case, comparison_key, run, status} in one write and syncs it. A last line torn by a
  // crash is left as a line of its own.
  void AppendJournal(const JournalEntry& entry);

 private:
  // `digest_of` gives the digest that a file's bytes stand for: a file that does not stand for
  // `digest` any more is replaced.
  void Put(const std::filesystem::path& relative, std::string_view bytes, std::string_view digest,
           const std::function<std::string(const std::string&)>& digest_of);

  std::filesystem::path folder_;
};

}  // namespace ropebench
