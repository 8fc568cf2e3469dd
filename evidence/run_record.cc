#include "evidence/run_record.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "evidence/editorial.h"
#include "kernels/correctness_policy.h"
#include "manifests/names.h"

namespace ropebench {
namespace {

std::optional<std::string> ExactCommit(const SourceRevision& revision) {
  if (revision.dirty || revision.commit.empty()) return std::nullopt;
  return revision.commit;
}

Manifest BuildProtocol(const RunRecord& record) {
  const ProtocolFacts& facts = record.protocol;
  BenchmarkProtocol protocol;
  protocol.metadata = ProtocolMetadata(facts.name, facts.timer, record.workload.pass);
  protocol.harness = {.name = "ropebench", .version = facts.version};
  protocol.timer = facts.timer;
  protocol.synchronization = facts.synchronization;
  protocol.compile_included = false;
  protocol.setup_included = false;
  protocol.warmup_iterations = facts.warmup_launches;
  protocol.input_regeneration = facts.input_regeneration;
  protocol.outlier_policy = "none dropped";
  protocol.primary_statistic = "median";
  protocol.correctness = {.reference = kReferenceText, .comparator = kComparator};
  protocol.comparability_family = ProtocolFamily(facts.name);
  protocol.comparability_notes = PassNotes(record.workload.pass, facts.notes);
  return Build(protocol);
}

Manifest BuildEnvironment(const EnvironmentFacts& facts) {
  ExecutionEnvironment environment;
  environment.metadata = EnvironmentMetadata(facts.product, facts.architecture);
  environment.vendor = facts.vendor;
  environment.product = facts.product;
  environment.architecture = facts.architecture;
  environment.memory_bytes = facts.memory_bytes;
  environment.count = 1;
  environment.operating_system = facts.operating_system;
  environment.kernel = facts.kernel;
  environment.driver = facts.driver;
  environment.clocks_locked = facts.clocks_locked;
  environment.power_limit_watts = facts.power_limit_watts;
  environment.persistence_mode = facts.persistence_mode;
  environment.ecc_enabled = facts.ecc_enabled;
  return Build(environment);
}

Manifest BuildImplementation(const ImplementationFacts& facts, const Manifest& operation) {
  ImplementationRevision implementation;
  implementation.metadata = ImplementationMetadata(facts.language, facts.variant);
  implementation.repository = facts.revision.repository;
  implementation.commit = ExactCommit(facts.revision);
  implementation.version = facts.version;
  implementation.operation_digest = operation.digest;
  implementation.language = facts.language;
  implementation.path = facts.path;
  implementation.symbol = facts.symbol;
  implementation.interface = "ropebench";
  implementation.architectures = facts.architectures;
  implementation.dtypes = facts.dtypes;
  implementation.layouts = {"row_major"};
  implementation.source = {.content_digest = facts.source_digest,
                           .file_name = std::filesystem::path(facts.path).filename().string(),
                           .size_bytes = facts.source_size_bytes};
  // One source file can give several variants, which metadata alone would tell apart.
  implementation.build_variants = {{.name = Kebab(facts.variant),
                                    .install_kind = "source",
                                    .command = facts.build_command,
                                    .requirements = facts.requirements}};
  implementation.licence_declared = facts.licence;
  implementation.licence_concluded = facts.licence;
  implementation.licence_path = facts.licence_path;
  return Build(implementation);
}

BenchmarkRun::Timing BuildTiming(const TimingFacts& facts, const RunRecord& record) {
  return {.primary_statistic = record.protocol.primary_statistic,
          .samples = facts.samples,
          .latency_ns = {.median = facts.median_ns,
                         .mean = facts.mean_ns,
                         .p05 = facts.p05_ns,
                         .p95 = facts.p95_ns,
                         .minimum = facts.minimum_ns,
                         .maximum = facts.maximum_ns,
                         .mad = facts.mad_ns,
                         .confidence95 = facts.confidence95_ns},
          .raw_samples = record.raw_samples};
}

// What latencyNs has no field for.
std::vector<BenchmarkRun::Measurement> BuildMeasurements(const TimingFacts& facts) {
  std::vector<BenchmarkRun::Measurement> measurements = {
      {"latency", "ns", "p20", static_cast<double>(facts.p20_ns), facts.samples},
      {"latency", "ns", "p80", static_cast<double>(facts.p80_ns), facts.samples},
  };
  if (facts.gb_per_s) measurements.push_back({"bandwidth", "gb_per_s", "median", *facts.gb_per_s});
  if (facts.percent_of_copy) {
    measurements.push_back({"percent_of_copy", "percent", "median", *facts.percent_of_copy});
  }
  return measurements;
}

Metadata BuildMetadata(const RunRecord& record) {
  Metadata metadata = RunMetadata({.case_id = record.case_id,
                                   .pass = record.workload.pass,
                                   .variant = record.implementation.variant,
                                   .backend = record.backend});
  metadata.labels.insert(record.labels.begin(), record.labels.end());
  if (record.harness.dirty) {
    metadata.labels["build"] = "dirty";
    if (!record.harness.commit.empty()) metadata.labels["base_commit"] = record.harness.commit;
  }
  return metadata;
}

}  // namespace

TimingFacts TimingOf(const Summary& summary) {
  const auto ns = [](double time_ns) -> std::int64_t { return std::llround(time_ns); };
  TimingFacts facts;
  facts.samples = summary.samples;
  facts.median_ns = ns(summary.median);
  facts.mean_ns = ns(summary.mean);
  facts.p05_ns = ns(summary.p05);
  facts.p20_ns = ns(summary.p20);
  facts.p80_ns = ns(summary.p80);
  facts.p95_ns = ns(summary.p95);
  facts.minimum_ns = ns(summary.minimum);
  facts.maximum_ns = ns(summary.maximum);
  facts.mad_ns = ns(summary.mad);
  if (summary.median95) {
    facts.confidence95_ns = {ns(summary.median95->low), ns(summary.median95->high)};
  }
  return facts;
}

PublishedRun BuildRun(const RunRecord& record) {
  const bool passed = record.status == "passed";
  if (passed != record.timing.has_value()) {
    throw ManifestError(fmt::format("BenchmarkRun.timing: {} for status {}",
                                    passed ? "is missing" : "must not be given", record.status));
  }

  WorkloadIdentity identity = Identify(record.identity, record.workload);
  PublishedRun published;
  published.operation = std::move(identity.operation);
  published.workload = std::move(identity.workload);
  published.implementation = BuildImplementation(record.implementation, published.operation);
  published.protocol = BuildProtocol(record);
  published.environment = BuildEnvironment(record.environment);

  BenchmarkRun run;
  run.metadata = BuildMetadata(record);
  run.implementation_digest = published.implementation.digest;
  run.workload_digest = published.workload.digest;
  run.protocol_digest = published.protocol.digest;
  run.environment_digest = published.environment.digest;
  run.status = record.status;
  if (record.correctness) {
    run.correctness = {.comparator = kComparator,
                       .maximum_absolute_error = record.correctness->max_abs_error,
                       .matched_ratio = record.correctness->matched_ratio};
    std::optional<double>& error = run.correctness->maximum_absolute_error;
    if (error && !std::isfinite(*error)) error.reset();  // a failure must be recorded all the same
  }
  if (record.timing) {
    run.timing = BuildTiming(*record.timing, record);
    run.measurements = BuildMeasurements(*record.timing);
    run.evidence.raw_samples = record.raw_samples;
  }
  run.evidence.logs = record.log;
  if (const std::optional<std::string> commit = ExactCommit(record.harness)) {
    run.evidence.harness = {.repository = record.harness.repository, .commit = *commit};
  }
  run.observed_at = record.observed_at;
  published.run = Build(run);
  published.comparison_key = ComparisonKey(published.operation, published.workload,
                                           published.protocol, published.environment);
  return published;
}

}  // namespace ropebench
