// A published run once more, on this machine.
#pragma once

#include <optional>
#include <string>

#include "benchmarks/bench_case.h"
#include "benchmarks/publish.h"
#include "evidence/attestation.h"
#include "evidence/verify.h"

namespace ropebench {

// The case that the documents of a run describe, on the device of that index. Everything comes from
// what digests cover: workload, protocol, implementation. Throws UsageError where this build has no
// such variant or protocol, or the documents are another suite's.
BenchCase CaseOf(const StoredRun& run, int device);

struct Replicated {
  Replication replication;
  Publication publication;
  JournalEntry entry;
};

// Runs it and compares. Throws UsageError where this build would follow another protocol than the
// published one, by digest.
Replicated Replicate(const StoredRun& run, const BenchCase& bench_case, Backend& backend,
                     const EnvironmentFacts& environment);

}  // namespace ropebench
