// The submission bundle of KernelIndex: one document with everything that the runs of a store name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/verify.h"

namespace ropebench {

// Who publishes, and where the artifacts will lie.
struct PublishOptions {
  std::string name = "ropebench";  // of the project; its slug is the kebab of it
  std::string licence;             // SPDX
  std::string repository;          // https address of the source
  std::optional<std::string> homepage = std::nullopt;
  // https address that artifact addresses are relative to. Without it they stay relative.
  std::optional<std::string> artifact_base = std::nullopt;
};

// Every reason why the runs of a store must not be published, one line each: findings, failed or
// imported runs, builds without an exact commit, a licence that is unknown, addresses that are not
// https. Empty if they may.
std::vector<std::string> WhyNotPublished(const StoreReport& store, const PublishOptions& options);

// JSON, which is YAML. With an artifact base the addresses inside the runs become absolute, which
// changes the runs' digests; the label stored_run keeps the one in the store. WhyNotPublished must
// have no reason.
std::string BundleText(const StoreReport& store, const PublishOptions& options);

}  // namespace ropebench
