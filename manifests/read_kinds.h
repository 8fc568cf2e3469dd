// Documents back to the structs of kinds.h: the inverse of Build, with the same rules.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <variant>

#include "manifests/kinds.h"
#include "manifests/manifest.h"

namespace ropebench {

using AnyKind = std::variant<SoftwareProject, OperationSpec, WorkloadCase, ImplementationRevision,
                             BenchmarkProtocol, ExecutionEnvironment, BenchmarkRun>;

struct ReadDocument {
  AnyKind fields;
  Manifest manifest;  // Build(fields)
};

// Reads a document and builds it anew: both are one and the same, digest included, up to the order
// of sets. Throws ManifestError, naming the first field in breach: one that is missing, of another
// type, against a rule, or that no struct of kinds.h has.
ReadDocument ReadKind(const nlohmann::json& document);

// The inverse of FormatInstant. Throws ManifestError for any other text and for no day of the
// calendar.
Instant ParseInstant(const std::string& text);

}  // namespace ropebench
