// libFuzzer target: no text breaks the readers of documents, journals and archives, and a document
// that is accepted is the same when it is read again.
#include <nlohmann/json.hpp>
#include <variant>

#include "evidence/cite.h"
#include "evidence/manifest_reader.h"
#include "evidence/run_archive.h"
#include "evidence/workload_of.h"
#include "manifests/jcs.h"
#include "manifests/strict_json.h"
#include "tests/fuzz/fuzz_target.h"

namespace ropebench {
namespace {

void ProbeManifest(std::string_view text) {
  const ReadDocument document = ReadManifest(text);
  const Manifest& manifest = document.manifest;
  if (ManifestDigest(manifest.document) != manifest.digest) abort();
  if (ReadManifest(ReadableJson(manifest.document)).manifest.digest != manifest.digest) abort();
  if (const auto* workload = std::get_if<WorkloadCase>(&document.fields)) {
    const auto found = WorkloadOf(*workload, manifest.digest);
    if (found && Identify(found->identity, found->workload).workload.digest != manifest.digest) {
      abort();
    }
  }
  if (const auto* run = std::get_if<BenchmarkRun>(&document.fields)) {
    Citation(*run, manifest.digest);
  }
}

// `read` may refuse, in these ways only.
template <typename Read>
void Allow(Read read) {
  try {
    read();
  } catch (const ReadError&) {
  } catch (const ManifestError&) {
  } catch (const JsonError&) {
  }
}

}  // namespace

int FuzzManifest(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Allow([&] { ProbeManifest(text); });
  Allow([&] { ParseJournalLine(text); });
  Allow([&] { RunArchive::FromJson(ParseStrictJson(text, kMaxManifestBytes)); });
  return 0;
}

}  // namespace ropebench
