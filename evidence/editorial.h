// The names, titles and labels that documents of this suite carry. Metadata is no part of a digest;
// being a function of facts that are, it can be checked all the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/rope_workload.h"
#include "manifests/kinds.h"

namespace ropebench {

// `protocol` is cold, do_bench, ...
Metadata ProtocolMetadata(std::string_view protocol, std::string_view timer, Pass pass);
Metadata EnvironmentMetadata(std::string_view product, std::string_view architecture);
Metadata ImplementationMetadata(std::string_view language, std::string_view variant);

struct RunEditorial {
  std::string case_id;
  Pass pass = Pass::kForward;
  std::string variant;
  std::string backend;
};
// Every label that a run can have: those three, build=dirty and base_commit of a dirty tree, and
// above_peak=true where the rate is more than memory can have.
inline constexpr std::string_view kRunLabels[] = {"backend", "variant",     "case_id",
                                                  "build",   "base_commit", "above_peak"};
// With the labels backend, variant and (unless too long) case_id.
Metadata RunMetadata(const RunEditorial& run);

// How a protocol's notes begin, and the pass that they name. Nothing for notes of another harness.
std::string PassNotes(Pass pass, std::string_view notes);
std::optional<Pass> PassOf(const BenchmarkProtocol& protocol);

// The name of this suite's protocol in its comparability family: cold of ropebench_cold.
std::string ProtocolFamily(std::string_view protocol);
std::optional<std::string> ProtocolNameOf(const BenchmarkProtocol& protocol);

// The variant that an implementation's title names. Nothing for a title of another form.
std::optional<std::string> VariantOf(const ImplementationRevision& implementation);

}  // namespace ropebench
