#include "manifests/manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "manifests/checked_object.h"
#include "manifests/digest.h"
#include "manifests/jcs.h"

namespace ropebench {
namespace {

using nlohmann::json;

void SortSets(json& spec) {
  const auto support = spec.find("support");
  if (support == spec.end()) return;
  for (const char* key : {"hardwareArchitectures", "dtypes"}) {
    json& set = support->at(key);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
}

}  // namespace

const std::string& Manifest::kind() const {
  return document.at("kind").get_ref<const std::string&>();
}

Manifest MakeManifest(std::string_view kind, const Metadata& metadata, json spec) {
  CheckedObject editorial(fmt::format("{}.metadata", kind));
  editorial.Name("name", metadata.name);
  editorial.Text("title", metadata.title, 200);
  editorial.Text("description", metadata.description, 2000);
  editorial.TextMap("labels", metadata.labels, 200);

  SortSets(spec);
  Manifest manifest;
  manifest.document = {{"apiVersion", kApiVersion},
                       {"kind", kind},
                       {"metadata", std::move(editorial).Take()},
                       {"spec", std::move(spec)}};
  manifest.digest = ManifestDigest(manifest.document);
  return manifest;
}

std::string ManifestDigest(const json& document) {
  json identity = {{"apiVersion", document.at("apiVersion")},
                   {"kind", document.at("kind")},
                   {"spec", document.at("spec")}};
  SortSets(identity["spec"]);
  return Sha256Digest(CanonicalJson(identity));
}

std::string FileName(const Manifest& manifest) {
  std::string folder;
  for (const char c : manifest.kind()) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !folder.empty()) folder += '-';
    folder += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return fmt::format("{}/{}.json", folder, HexOf(manifest.digest));
}

std::string ComparisonKey(const Manifest& operation, const Manifest& workload,
                          const Manifest& protocol, const Manifest& environment) {
  if (workload.spec().at("operationSpecDigest") != operation.digest) {
    throw ManifestError("WorkloadCase.operationSpecDigest: is not the operation's digest");
  }
  const json correctness = {{"correctness", workload.spec().at("correctness")}};
  const std::string& statistic =
      protocol.spec().at("measurement").at("primaryStatistic").get_ref<const std::string&>();
  return Sha256Digest(CanonicalJson({{"v", 1},
                                     {"operation", operation.digest},
                                     {"workload", workload.digest},
                                     {"protocol", protocol.digest},
                                     {"environment", environment.digest},
                                     {"correctness", Sha256Digest(CanonicalJson(correctness))},
                                     {"metric", fmt::format("latency:{}:ns", statistic)}}));
}

}  // namespace ropebench
