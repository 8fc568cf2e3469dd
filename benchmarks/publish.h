// From a result to its published documents.
#pragma once

#include <optional>
#include <vector>

#include "backends/backend.h"
#include "benchmarks/run_case.h"
#include "evidence/run_record.h"
#include "evidence/store.h"

namespace ropebench {

struct Publication {
  PublishedRun documents;
  std::optional<Artifact> samples;  // only of a passed case
  Artifact log;
  Artifact build;  // how this program was built

  std::vector<Artifact> artifacts() const;
};

// The documents of a finished case, with artifacts by relative address. `backend` ran it. Pure: the
// same result gives the same digests, whether anything is stored or not.
Publication Publish(const CaseResult& result, const Backend& backend,
                    const EnvironmentFacts& environment);

}  // namespace ropebench
