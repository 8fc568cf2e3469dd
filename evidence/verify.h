// Verification: everything that a store says is derived anew from what it holds.
//
//   documents  strict JSON, the rules of their kind, file name = digest, metadata as the facts give
//              it, references that resolve
//   runs       artifacts by digest, statistics from the raw samples, rate and correctness by their
//              rules, the build record, the level of evidence that the facts allow
//   journal    one line per run, with its case, status and comparison key
//
// Not checked, because nothing in a store says it: labels beyond backend, variant, case_id, build
// and base_commit, and the metadata of projects. Space and key order in documents say nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/read_kinds.h"

namespace ropebench {

// What a build says for its repository where it knows none: a name that can never resolve.
inline constexpr std::string_view kUnpublishedAddress = "https://example.invalid";

struct Finding {
  std::string file;   // from the store's folder
  std::string field;  // as ManifestError names it; may be empty
  std::string problem;
};

// "file: field: problem", on one line.
std::string Format(const Finding& finding);

struct StoredDocument {
  std::string file;
  AnyKind fields;
  Manifest manifest;
};

// Verified and Replicated are given by others: a local tool can only say what is missing.
enum class EvidenceLevel : std::uint8_t { kReported, kReproducible };
std::string_view Name(EvidenceLevel level);

struct StoredRun {
  const StoredDocument* run = nullptr;
  // A reference that does not resolve is null, and a finding.
  const StoredDocument* operation = nullptr;
  const StoredDocument* workload = nullptr;
  const StoredDocument* implementation = nullptr;
  const StoredDocument* protocol = nullptr;
  const StoredDocument* environment = nullptr;
  std::string comparison_key;  // empty unless all of them resolve
  bool is_sound = false;       // no finding names the run, a document or an artifact of it
  EvidenceLevel level = EvidenceLevel::kReported;
  std::vector<std::string> missing;  // for the next level

  const BenchmarkRun& fields() const { return std::get<BenchmarkRun>(run->fields); }
};

struct StoreReport {
  std::map<std::string, StoredDocument> documents;  // by digest
  std::vector<StoredRun> runs;                      // by digest; they point into `documents`
  std::vector<Finding> findings;                    // by file
  std::vector<std::string> unchecked;  // files and figures that no rule covers, one line each
};

// Throws ReadError if the folder cannot be read at all. Whatever is wrong inside is a finding.
StoreReport VerifyStore(const std::filesystem::path& folder);

// The document in one file, and what is wrong with it by itself: references are not looked at, the
// name only where it is that of a digest. Throws ReadError if the file cannot be read.
std::vector<Finding> VerifyFile(const std::filesystem::path& file);

}  // namespace ropebench
