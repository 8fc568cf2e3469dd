// The KernelIndex kinds as plain structs, one to one with the documents. Build checks every rule of
// the kind, those that the JSON Schemas leave open included, and throws a ManifestError that names
// the first field in breach. Absent optionals, empty optional lists and empty maps are left out.
//
// Only fields that a run of this suite or an imported record fills are here.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "manifests/checked_object.h"
#include "manifests/manifest.h"

namespace ropebench {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

// UTC, 2024-09-03T15:39:55.000Z. Throws ManifestError outside the years 0 to 9999.
std::string FormatInstant(Instant instant);

// A file by address and the digest of its bytes. The address may be relative.
struct ArtifactRef {
  std::string uri;
  std::string digest;
};

struct SoftwareProject {
  struct Host {
    std::string kind;  // github, huggingface, gitlab or other
    std::string id;
  };

  Metadata metadata;
  std::string name;
  std::optional<std::string> kind;  // library, individual or vendor
  std::optional<std::string> repository;
  std::optional<std::string> homepage;
  std::optional<Host> host;
};
Manifest Build(const SoftwareProject& project);

struct OperationSpec {
  struct Axis {
    std::string role;  // variable, constant or derived
    std::optional<std::int64_t> minimum = std::nullopt;
    std::optional<std::string> expression = std::nullopt;  // of other axes: "hidden // q_heads"
  };
  using Extent = std::variant<std::int64_t, std::string>;  // a number, or the name of an axis
  struct Tensor {
    std::string name;
    std::vector<Extent> shape;
    std::string dtype;
    std::optional<std::string> layout = std::nullopt;  // row_major, col_major, contiguous, strided
  };

  Metadata metadata;
  std::string family;
  std::map<std::string, Axis> axes;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::optional<std::string> expression;
  std::string mutation;     // none, in_place or destination
  std::string determinism;  // deterministic, nondeterministic or unspecified
};
Manifest Build(const OperationSpec& operation);

struct WorkloadCase {
  struct Data {
    std::string generator;
    std::optional<std::int64_t> seed = std::nullopt;
    std::map<std::string, double> parameters = {};
  };
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::string dtype;
    std::vector<std::int64_t> strides = {};  // in elements
    std::optional<std::int64_t> alignment_bytes = std::nullopt;
    std::optional<Data> data = std::nullopt;
  };
  struct Scalar {
    std::string dtype;
    double value;
  };
  struct Correctness {
    std::string comparator;
    std::optional<double> required_matched_ratio = std::nullopt;
    std::optional<std::string> nan_policy = std::nullopt;       // reject, exact_match or ignore
    std::optional<std::string> infinity_policy = std::nullopt;  // likewise
  };

  Metadata metadata;
  std::string operation_digest;
  std::map<std::string, std::int64_t> axes;
  std::map<std::string, Tensor> tensors;
  std::map<std::string, Scalar> scalars;
  Correctness correctness;
};
Manifest Build(const WorkloadCase& workload);

struct ImplementationRevision {
  struct Source {
    std::string content_digest;
    std::optional<std::string> file_name = std::nullopt;
    std::optional<std::int64_t> size_bytes = std::nullopt;
  };
  struct BuildVariant {
    std::string name;
    std::string install_kind;  // git, pip, package, container or source
    std::optional<std::string> package = std::nullopt;
    std::optional<std::string> command = std::nullopt;
    std::map<std::string, std::string> requirements = {};
  };

  Metadata metadata;
  std::optional<std::string> repository;
  std::optional<std::string> commit;
  std::optional<std::string> version;
  std::string operation_digest;
  std::string language;
  std::optional<std::string> path;
  std::optional<std::string> symbol;
  std::optional<std::string> interface;
  std::vector<std::string> architectures;  // a set, as dtypes
  std::vector<std::string> dtypes;
  std::vector<std::string> layouts;
  std::optional<Source> source;
  std::vector<BuildVariant> build_variants;
  std::optional<std::string> licence_declared;
  std::optional<std::string> licence_concluded;
  std::optional<std::string> licence_path;  // the file that shows it
};
Manifest Build(const ImplementationRevision& implementation);

struct BenchmarkProtocol {
  struct Harness {
    std::string name;
    std::optional<std::string> version = std::nullopt;
    std::optional<std::string> repository = std::nullopt;
  };
  struct Correctness {
    std::string reference;
    std::string comparator;
  };

  Metadata metadata;
  Harness harness;
  std::string timer;
  std::optional<std::string> synchronization;
  std::optional<bool> compile_included;
  std::optional<bool> setup_included;
  std::optional<std::int64_t> warmup_iterations;
  std::optional<std::int64_t> warmup_duration_ns;
  std::optional<std::string> input_regeneration;
  std::optional<std::string> outlier_policy;
  std::string primary_statistic;
  std::optional<Correctness> correctness;
  std::optional<std::string> comparability_family;
  std::optional<std::string> comparability_notes;  // needs a family
};
Manifest Build(const BenchmarkProtocol& protocol);

struct ExecutionEnvironment {
  Metadata metadata;
  std::string vendor;
  std::string product;
  std::string architecture;
  std::optional<std::string> form_factor;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> count;
  std::optional<std::string> operating_system;
  std::optional<std::string> kernel;
  std::optional<std::string> driver;
  std::optional<bool> clocks_locked;
  std::optional<double> power_limit_watts;
  std::optional<bool> persistence_mode;
  std::optional<bool> ecc_enabled;
};
Manifest Build(const ExecutionEnvironment& environment);

struct BenchmarkRun {
  struct Correctness {
    std::string comparator;
    std::optional<double> maximum_absolute_error = std::nullopt;
    std::optional<double> matched_ratio = std::nullopt;
  };
  struct LatencyNs {  // at least one of them
    std::optional<std::int64_t> median = std::nullopt;
    std::optional<std::int64_t> mean = std::nullopt;
    std::optional<std::int64_t> p05 = std::nullopt;
    std::optional<std::int64_t> p95 = std::nullopt;
    std::optional<std::int64_t> minimum = std::nullopt;
    std::optional<std::int64_t> maximum = std::nullopt;
    std::optional<std::int64_t> mad = std::nullopt;
    std::optional<std::array<std::int64_t, 2>> confidence95 = std::nullopt;  // low, high
  };
  struct Timing {
    std::string primary_statistic;
    std::optional<std::int64_t> samples = std::nullopt;
    LatencyNs latency_ns = {};
    std::optional<ArtifactRef> raw_samples = std::nullopt;
  };
  struct Measurement {
    std::string metric;
    std::string unit;
    std::string statistic;
    double value;
    std::optional<std::int64_t> sample_count = std::nullopt;
  };
  struct SourceNative {
    std::string source;
    std::optional<std::string> benchmark = std::nullopt;
    std::optional<std::string> external_id = std::nullopt;
    std::map<std::string, double> metrics = {};
  };
  struct Harness {
    std::string repository;
    std::string commit;
  };
  struct Evidence {
    std::optional<ArtifactRef> logs = std::nullopt;
    std::optional<ArtifactRef> raw_samples = std::nullopt;
    std::optional<Harness> harness = std::nullopt;
  };

  Metadata metadata;
  std::string implementation_digest;
  std::string workload_digest;
  std::string protocol_digest;
  std::string environment_digest;
  std::string status;  // passed, incorrect_numerical, runtime_error, ...
  std::optional<Correctness> correctness;
  std::optional<Timing> timing;
  std::vector<Measurement> measurements;
  std::optional<SourceNative> source_native;
  Evidence evidence;
  Instant observed_at;
};
Manifest Build(const BenchmarkRun& run);

}  // namespace ropebench
