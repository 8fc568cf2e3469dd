// RunRecord: everything that a published run says, as plain values; BuildRun turns it into the six
// KernelIndex documents and the comparison key.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/identity.h"
#include "evidence/statistics.h"
#include "kernels/rope_workload.h"
#include "manifests/kinds.h"

namespace ropebench {

// How the case was timed. Nothing here may change when only a kernel or a clone's address does, or
// every commit and every fork would start a cohort of its own. The timed pass is the workload's;
// the primary statistic is the median.
struct ProtocolFacts {
  std::string name;     // cold; gives the comparability family ropebench_cold
  std::string version;  // of the protocol, not of the program
  std::string timer;    // cupti_kernel, cuda_events, vulkan_timestamps or host_clock
  std::string synchronization;
  std::string input_regeneration;
  std::optional<std::int64_t> warmup_launches = std::nullopt;
  std::optional<std::int64_t> warmup_duration_ns = std::nullopt;
  std::int64_t min_samples = 0;
  std::string primary_statistic = "median";
  std::string notes;  // what is timed, flush, blocked launch, stop rule, quantile method, wall
                      // limit, as text
};

// The machine, and nothing of the build: all variants and backends on one machine share it.
struct EnvironmentFacts {
  std::string vendor;        // token
  std::string product;       // as the driver reports it
  std::string architecture;  // token
  std::optional<std::int64_t> memory_bytes = std::nullopt;
  std::optional<std::string> operating_system = std::nullopt;
  std::optional<std::string> kernel = std::nullopt;
  std::optional<std::string> driver = std::nullopt;
  std::optional<bool> clocks_locked = std::nullopt;
  std::optional<double> power_limit_watts = std::nullopt;
  std::optional<bool> persistence_mode = std::nullopt;
  std::optional<bool> ecc_enabled = std::nullopt;
};

// Which source a program or a kernel was built from.
struct SourceRevision {
  std::string repository;
  std::string commit;  // 40 hex digits, or empty where unknown
  bool dirty = false;  // the tree differed from the commit
};

struct ImplementationFacts {
  std::string variant;
  std::string language;  // cuda, glsl or cpp
  std::string path;      // of the kernel's own file, from the repository's root
  std::string symbol;
  std::string source_digest;  // of that file's bytes
  std::int64_t source_size_bytes = 0;
  SourceRevision revision = {};
  std::string version;
  std::vector<std::string> architectures;
  std::vector<std::string> dtypes;
  std::map<std::string, std::string> requirements;  // cuda_toolkit, compiler, ...: token to text
  std::string licence = "Apache-2.0";
  std::string licence_path = "LICENSE";
  std::string build_command = "./bench.sh";
};

struct CorrectnessFacts {
  // Left out of the document where it is not finite.
  std::optional<double> max_abs_error = std::nullopt;
  std::optional<double> matched_ratio = std::nullopt;
};

struct TimingFacts {
  std::int64_t samples = 0;
  std::int64_t median_ns = 0;
  std::int64_t mean_ns = 0;
  std::int64_t p05_ns = 0;
  std::int64_t p20_ns = 0;
  std::int64_t p80_ns = 0;
  std::int64_t p95_ns = 0;
  std::int64_t minimum_ns = 0;
  std::int64_t maximum_ns = 0;
  std::int64_t mad_ns = 0;
  // 95 % interval of the median: low, high.
  std::optional<std::array<std::int64_t, 2>> confidence95_ns = std::nullopt;
  std::optional<double> gb_per_s = std::nullopt;  // at the median
  std::optional<double> percent_of_copy = std::nullopt;
};

// The times of a summary, each rounded to the nearest nanosecond.
TimingFacts TimingOf(const Summary& summary);

struct RunRecord {
  std::string case_id;
  std::string backend;
  Identity identity = Identity::kStrict;
  RopeWorkload workload;
  ProtocolFacts protocol;
  EnvironmentFacts environment;
  ImplementationFacts implementation;
  SourceRevision harness;

  std::string status;  // a KernelIndex run status: passed, incorrect_numerical, ...
  std::optional<CorrectnessFacts> correctness;
  std::optional<TimingFacts> timing;  // exactly where status is passed
  std::optional<ArtifactRef> raw_samples;
  std::optional<ArtifactRef> log;
  Instant observed_at;
  std::map<std::string, std::string> labels;  // token to text of at most 200 characters
};

struct PublishedRun {
  Manifest operation;
  Manifest workload;
  Manifest implementation;
  Manifest protocol;
  Manifest environment;
  Manifest run;
  std::string comparison_key;
};

// Labels `backend`, `variant` and `case_id` (unless too long) are added to those given.
//
// A commit enters a document only if it is the exact revision: of a dirty tree it is left out of
// the implementation and of the run's evidence, and the run carries the labels build=dirty and
// base_commit instead.
//
// Throws ManifestError (a std::invalid_argument) if a value breaks a rule of its document, or if
// timing is present exactly where it must not be.
PublishedRun BuildRun(const RunRecord& record);

}  // namespace ropebench
