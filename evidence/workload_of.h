// From published documents back to the workload that they describe.
#pragma once

#include <optional>

#include "evidence/identity.h"
#include "kernels/rope_workload.h"
#include "manifests/kinds.h"
#include "manifests/manifest.h"

namespace ropebench {

struct IdentifiedWorkload {
  Identity identity = Identity::kStrict;
  RopeWorkload workload;
};

// The workload whose Identify gives a document of `digest`; `fields` is that document. Identity
// liger does not say the pass, so it is forward there. Nothing for a document that no workload of
// this build has.
std::optional<IdentifiedWorkload> WorkloadOf(const WorkloadCase& fields, const std::string& digest);

}  // namespace ropebench
