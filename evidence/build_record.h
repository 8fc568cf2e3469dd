// The build record: how the program that made a run was built, as an artifact of the run.
//
// The index has no field for it: the run's log names it, and the run names the log by digest. No
// document changes with a library, so a kernel keeps its implementation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/run_record.h"
#include "evidence/store.h"
#include "manifests/kinds.h"

namespace ropebench {

struct BuildRecord {
  struct Compiler {
    std::string name;     // with its version
    std::string options;  // without paths
  };

  std::string version;  // of the program
  SourceRevision revision;
  std::map<std::string, Compiler> compilers;  // by language: cpp, and cuda and glsl if they are in
  std::map<std::string, std::string> packages;  // versions of what is linked, by name
  std::string kernel_sources;                   // digest of all that kernels are made of
};

// builds/<hex>.json:
//
//   {"compilers": {"cpp": {"name", "options"}, ...}, "kernel_sources": "sha256:...",
//    "packages": {"fmt": "9.1.0", ...},
//    "program": {"commit", "dirty", "name", "repository", "version"}}
Artifact BuildRecordArtifact(const BuildRecord& record);

// The line by which a log names its run's build record, and what such a line names.
std::string BuildRecordLine(const ArtifactRef& record);
std::optional<ArtifactRef> BuildRecordOf(std::string_view log_line);

// Where the text of a record contradicts what the documents of a run say of the build, one line
// each. Throws ReadError if it is no build record.
std::vector<std::string> Contradictions(std::string_view record,
                                        const ImplementationRevision& implementation,
                                        const BenchmarkRun& run);

}  // namespace ropebench
