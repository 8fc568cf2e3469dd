// One run of a store: what it says, derived anew from its artifacts and the documents that it
// names.
#pragma once

#include "evidence/finding_list.h"
#include "evidence/manifest_reader.h"
#include "evidence/verify.h"
#include "evidence/workload_of.h"

namespace ropebench {

// Adds what is wrong to `findings`: artifacts by digest, outcome, metadata, and every figure from
// the raw samples; of an imported run only whether it implements its workload's operation.
// `workload` is what the run's WorkloadCase stands for, null where this build does not know it.
// False if the run names artifacts that lie elsewhere and were not looked at.
bool VerifyRun(const StoredRun& run, const StoreFolder& folder, const IdentifiedWorkload* workload,
               FindingList& findings);

}  // namespace ropebench
