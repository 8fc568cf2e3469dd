// Manifest: one KernelIndex document and its identity. The rules are KernelIndex v1alpha1's.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ropebench {

inline constexpr std::string_view kApiVersion = "kernelindex.dev/v1alpha1";

// Editorial: shown to readers, no part of the digest.
struct Metadata {
  std::string name;
  std::optional<std::string> title = std::nullopt;
  std::optional<std::string> description = std::nullopt;
  std::map<std::string, std::string> labels = {};
};

struct Manifest {
  nlohmann::json document;  // {apiVersion, kind, metadata, spec}
  std::string digest;       // ManifestDigest(document)

  const std::string& kind() const;
  const nlohmann::json& spec() const { return document.at("spec"); }
};

// Wraps a checked spec. Lists that KernelIndex treats as sets (the architectures and dtypes that an
// implementation supports) are sorted and deduplicated. Throws ManifestError if metadata breaks a
// rule.
Manifest MakeManifest(std::string_view kind, const Metadata& metadata, nlohmann::json spec);

// The digest of RFC 8785's text of {apiVersion, kind, spec}, sets in order. Durations must be
// integers of nanoseconds, as every builder here writes them. Throws nlohmann::json::exception if a
// part is missing.
std::string ManifestDigest(const nlohmann::json& document);

// Where a store keeps the manifest: the kind in kebab case and the digest's hex digits,
// benchmark-run/a139....json.
std::string FileName(const Manifest& manifest);

// The cohort that a run of these four stands in; runs are ranked only inside one. The
// implementation is no part of it. The metric is latency by the protocol's primary statistic.
// Throws ManifestError if `workload` is not a case of `operation`.
std::string ComparisonKey(const Manifest& operation, const Manifest& workload,
                          const Manifest& protocol, const Manifest& environment);

}  // namespace ropebench
