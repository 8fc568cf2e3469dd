#include "evidence/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "manifests/digest.h"
#include "manifests/jcs.h"
#include "manifests/names.h"

namespace ropebench {
namespace {

using nlohmann::json;

// SPDX identifiers of licences under which a published kernel may be read and rebuilt.
constexpr std::string_view kLicences[] = {
    "0BSD",         "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0",        "BSD-2-Clause",
    "BSD-3-Clause", "BSL-1.0",       "CC0-1.0",           "GPL-2.0-only",      "GPL-2.0-or-later",
    "GPL-3.0-only", "ISC",           "GPL-3.0-or-later",  "LGPL-2.1-only",     "LGPL-3.0-only",
    "MIT",          "MPL-2.0",       "Unlicense",         "LGPL-2.1-or-later", "Zlib"};

bool IsKnownLicence(std::string_view licence) {
  return std::find(std::begin(kLicences), std::end(kLicences), licence) != std::end(kLicences);
}

bool IsHttps(std::string_view address) {
  constexpr std::string_view kScheme = "https://";
  return address.starts_with(kScheme) && address.size() > kScheme.size() &&
         address.find_first_of(" \t\r\n\"<>") == std::string_view::npos;
}

Manifest BuildProject(const PublishOptions& options) {
  SoftwareProject project;
  project.metadata.name = Kebab(options.name);
  project.metadata.title = options.name;
  project.name = options.name;
  project.repository = options.repository;
  project.homepage = options.homepage;
  constexpr std::string_view kGithub = "https://github.com/";
  if (options.repository.starts_with(kGithub)) {
    project.host = {"github", options.repository.substr(kGithub.size())};
  } else {
    project.host = {"other", options.repository.substr(std::string_view("https://").size())};
  }
  return Build(project);
}

Manifest PublishedForm(const StoredRun& stored, const PublishOptions& options) {
  if (!options.artifact_base) return stored.run->manifest;
  BenchmarkRun run = stored.fields();
  std::string base = *options.artifact_base;
  if (!base.ends_with('/')) base += '/';
  const auto place = [&](std::optional<ArtifactRef>& artifact) {
    if (artifact && !artifact->uri.starts_with("https://")) artifact->uri.insert(0, base);
  };
  if (run.timing) place(run.timing->raw_samples);
  place(run.evidence.raw_samples);
  place(run.evidence.logs);
  run.metadata.labels["stored_run"] = stored.run->manifest.digest;
  return Build(run);
}

std::vector<std::string> WhyRunNotPublished(const StoredRun& stored) {
  const BenchmarkRun& run = stored.fields();
  std::vector<std::string> reasons;
  if (run.source_native) {
    reasons.push_back(
        fmt::format("is imported from {}, which publishes it itself", run.source_native->source));
    return reasons;
  }
  if (run.status != "passed") reasons.push_back(fmt::format("failed: {}", run.status));
  if (!run.evidence.harness) reasons.emplace_back("is of a dirty or unknown build of the harness");
  if (stored.implementation == nullptr) return reasons;  // a finding of its own
  const auto& implementation = std::get<ImplementationRevision>(stored.implementation->fields);
  if (!implementation.commit) {
    reasons.emplace_back("is of a dirty or unknown build of the implementation");
  }
  for (const auto& licence : {implementation.licence_declared, implementation.licence_concluded}) {
    if (!licence || !IsKnownLicence(*licence)) {
      reasons.push_back(fmt::format("is of an implementation under an unknown licence, {:?}",
                                    licence.value_or("")));
      break;
    }
  }
  return reasons;
}

}  // namespace

std::vector<std::string> WhyNotPublished(const StoreReport& store, const PublishOptions& options) {
  std::vector<std::string> reasons;
  for (const Finding& finding : store.findings) reasons.push_back(Format(finding));
  if (Kebab(options.name).empty()) reasons.emplace_back("the project has no name");
  if (!IsKnownLicence(options.licence)) {
    reasons.push_back(
        fmt::format("{:?} is no known licence; give its SPDX identifier", options.licence));
  }
  if (!IsHttps(options.repository)) {
    reasons.push_back(fmt::format("the repository {:?} is no https address", options.repository));
  }
  for (const auto& [what, address] : {std::pair{"homepage", options.homepage},
                                      std::pair{"artifact base", options.artifact_base}}) {
    if (address && !IsHttps(*address)) {
      reasons.push_back(fmt::format("the {} {:?} is no https address", what, *address));
    }
  }
  for (const StoredRun& run : store.runs) {
    for (const std::string& reason : WhyRunNotPublished(run)) {
      reasons.push_back(fmt::format("run {} ({}) {}", HexOf(run.run->manifest.digest).substr(0, 12),
                                    run.fields().metadata.name, reason));
    }
  }
  return reasons;
}

std::string BundleText(const StoreReport& store, const PublishOptions& options) {
  const Manifest project = BuildProject(options);
  json bundle = {{"projects", {project.document}},
                 {"operations", json::array()},
                 {"workloads", json::array()},
                 {"implementations", json::array()},
                 {"runs", json::array()}};
  std::set<std::string> seen;
  const auto add = [&](const char* list, const StoredDocument& document) {
    if (!seen.insert(document.manifest.digest).second) return;
    bundle[list].push_back(document.manifest.document);
  };
  for (const StoredRun& run : store.runs) {
    add("operations", *run.operation);
    add("workloads", *run.workload);
    if (seen.insert(run.implementation->manifest.digest).second) {
      bundle["implementations"].push_back({{"projectSlug", project.document["metadata"]["name"]},
                                           {"manifest", run.implementation->manifest.document}});
    }
    bundle["runs"].push_back({{"run", PublishedForm(run, options).document},
                              {"protocol", run.protocol->manifest.document},
                              {"environment", run.environment->manifest.document}});
  }
  return ReadableJson(bundle);
}

}  // namespace ropebench
