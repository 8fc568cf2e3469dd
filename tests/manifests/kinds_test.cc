#include "manifests/kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "manifests/digest.h"

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kTooLarge = std::int64_t{1} << 53;

std::string SomeDigest() { return Sha256Digest("x"); }
std::string Long(std::size_t length) { return std::string(length, 'x'); }

// Valid documents with every optional field set.
SoftwareProject ValidProject() {
  SoftwareProject project;
  project.metadata = {.name = "p", .title = "T", .description = "D", .labels = {{"key", "value"}}};
  project.name = "P";
  project.kind = "library";
  project.repository = "https://example.invalid/p";
  project.homepage = "https://example.invalid";
  project.host = {"other", "example.invalid/p"};
  return project;
}

OperationSpec ValidOperation() {
  OperationSpec operation;
  operation.metadata.name = "o";
  operation.family = "rope";
  operation.axes = {{"seq", {.role = "variable", .minimum = 1}},
                    {"half", {.role = "derived", .expression = "seq // 2"}}};
  operation.inputs = {{"q", {1, "seq", "half"}, "float", "row_major"}};
  operation.outputs = {{"q_out", {"seq"}, "float"}};
  operation.expression = "y = x";
  operation.mutation = "none";
  operation.determinism = "deterministic";
  return operation;
}

WorkloadCase ValidWorkload() {
  WorkloadCase workload;
  workload.metadata.name = "w";
  workload.operation_digest = SomeDigest();
  workload.axes = {{"seq", 4}};
  workload.tensors["q"] = {
      .shape = {2, 4},
      .dtype = "bf16",
      .strides = {4, 1},
      .alignment_bytes = 256,
      .data = WorkloadCase::Data{.generator = "g", .seed = 1, .parameters = {{"low", -1.0}}}};
  workload.scalars["theta"] = {"fp64", 10000.0};
  workload.correctness = {.comparator = "c",
                          .required_matched_ratio = 1.0,
                          .nan_policy = "exact_match",
                          .infinity_policy = "reject"};
  return workload;
}

ImplementationRevision ValidImplementation() {
  ImplementationRevision implementation;
  implementation.metadata.name = "i";
  implementation.repository = "https://example.invalid/p";
  implementation.commit = std::string(40, 'a');
  implementation.version = "1";
  implementation.operation_digest = SomeDigest();
  implementation.language = "cuda";
  implementation.path = "kernels/cuda/a.cu";
  implementation.symbol = "A";
  implementation.interface = "ropebench";
  implementation.architectures = {"sm_80"};
  implementation.dtypes = {"bf16"};
  implementation.layouts = {"row_major"};
  implementation.source = {.content_digest = SomeDigest(), .file_name = "a.cu", .size_bytes = 1};
  implementation.build_variants = {{.name = "source",
                                    .install_kind = "source",
                                    .command = "make",
                                    .requirements = {{"cuda_toolkit", "13.0"}}}};
  implementation.licence_declared = "Apache-2.0";
  implementation.licence_path = "LICENSE";
  return implementation;
}

BenchmarkProtocol ValidProtocol() {
  BenchmarkProtocol protocol;
  protocol.metadata.name = "p";
  protocol.harness = {.name = "h", .version = "1", .repository = "r"};
  protocol.timer = "cuda_events";
  protocol.synchronization = "device";
  protocol.warmup_iterations = 0;
  protocol.warmup_duration_ns = 0;
  protocol.input_regeneration = "per_case";
  protocol.outlier_policy = "none";
  protocol.primary_statistic = "median";
  protocol.correctness = {.reference = "float64", .comparator = "c"};
  protocol.comparability_family = "f";
  protocol.comparability_notes = "n";
  return protocol;
}

ExecutionEnvironment ValidEnvironment() {
  ExecutionEnvironment environment;
  environment.metadata.name = "e";
  environment.vendor = "nvidia";
  environment.product = "NVIDIA H200";
  environment.architecture = "sm_90";
  environment.form_factor = "SXM";
  environment.memory_bytes = 1;
  environment.count = 1;
  environment.operating_system = "Debian 12";
  environment.kernel = "6.1";
  environment.driver = "580";
  environment.power_limit_watts = 700.0;
  return environment;
}

BenchmarkRun ValidRun() {
  BenchmarkRun run;
  run.metadata.name = "r";
  run.implementation_digest = run.workload_digest = run.protocol_digest = run.environment_digest =
      SomeDigest();
  run.status = "passed";
  run.correctness = {.comparator = "c", .maximum_absolute_error = 0.0, .matched_ratio = 1.0};
  run.timing = BenchmarkRun::Timing{.primary_statistic = "median",
                                    .samples = 1,
                                    .latency_ns = {.median = 5, .confidence95 = {{4, 6}}},
                                    .raw_samples = ArtifactRef{"s.json", SomeDigest()}};
  run.measurements = {{"latency", "ns", "p20", 4.0, 1}};
  run.source_native = {.source = "a-b", .metrics = {{"ms_20", 1.0}}};
  run.evidence = {.logs = ArtifactRef{"l.txt", SomeDigest()},
                  .harness = BenchmarkRun::Harness{"r", std::string(40, '0')}};
  return run;
}

template <typename Kind>
struct Breach {
  const char* field;  // how the error starts
  std::function<void(Kind&)> break_rule;
};

template <typename Kind>
void ExpectRefused(Kind (*valid)(), std::initializer_list<Breach<Kind>> breaches) {
  ASSERT_NO_THROW(Build(valid()));
  for (const Breach<Kind>& breach : breaches) {
    Kind broken = valid();
    breach.break_rule(broken);
    try {
      Build(broken);
      ADD_FAILURE() << "accepted a breach of " << breach.field;
    } catch (const ManifestError& error) {
      EXPECT_THAT(error.what(), StartsWith(std::string(breach.field) + ": "));
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    }
  }
}

TEST(SoftwareProject, RefusesBreaches) {
  ExpectRefused<SoftwareProject>(
      ValidProject,
      {{"SoftwareProject.metadata.name", [](auto& p) { p.metadata.name = ""; }},
       {"SoftwareProject.metadata.name", [](auto& p) { p.metadata.name = "Upper"; }},
       {"SoftwareProject.metadata.name", [](auto& p) { p.metadata.name = "-a"; }},
       {"SoftwareProject.metadata.name", [](auto& p) { p.metadata.name = "a\n"; }},
       {"SoftwareProject.metadata.name", [](auto& p) { p.metadata.name = Long(201); }},
       {"SoftwareProject.metadata.title", [](auto& p) { p.metadata.title = Long(201); }},
       {"SoftwareProject.metadata.title", [](auto& p) { p.metadata.title = "\xff"; }},
       {"SoftwareProject.metadata.description",
        [](auto& p) { p.metadata.description = Long(2001); }},
       {"SoftwareProject.metadata.labels",
        [](auto& p) {
          p.metadata.labels = {{"a-b", "v"}};
        }},
       {"SoftwareProject.metadata.labels.a",
        [](auto& p) {
          p.metadata.labels = {{"a", Long(201)}};
        }},
       {"SoftwareProject.name", [](auto& p) { p.name = Long(201); }},
       {"SoftwareProject.kind", [](auto& p) { p.kind = "company"; }},
       {"SoftwareProject.repository", [](auto& p) { p.repository = Long(2001); }},
       {"SoftwareProject.host.kind", [](auto& p) { p.host->kind = "sourceforge"; }}});
}

TEST(OperationSpec, RefusesBreaches) {
  ExpectRefused<OperationSpec>(
      ValidOperation,
      {{"OperationSpec.family", [](auto& o) { o.family = "rotary_embedding"; }},
       {"OperationSpec.axes", [](auto& o) { o.axes["Seq"] = {.role = "variable"}; }},
       {"OperationSpec.axes.seq.role", [](auto& o) { o.axes["seq"].role = "free"; }},
       {"OperationSpec.axes.half.expression", [](auto& o) { o.axes["half"].expression = "a^b"; }},
       {"OperationSpec.axes.half.expression", [](auto& o) { o.axes["half"].expression = ""; }},
       {"OperationSpec.inputs", [](auto& o) { o.inputs.clear(); }},
       {"OperationSpec.outputs", [](auto& o) { o.outputs.clear(); }},
       {"OperationSpec.inputs.name", [](auto& o) { o.inputs[0].name = "Q"; }},
       {"OperationSpec.inputs.q.shape", [](auto& o) { o.inputs[0].shape.clear(); }},
       {"OperationSpec.inputs.q.shape", [](auto& o) { o.inputs[0].shape = {"unknown"}; }},
       {"OperationSpec.inputs.q.shape", [](auto& o) { o.inputs[0].shape = {-1}; }},
       {"OperationSpec.inputs.q.dtype", [](auto& o) { o.inputs[0].dtype = "FP32"; }},
       {"OperationSpec.inputs.q.layout", [](auto& o) { o.inputs[0].layout = "bshd"; }},
       {"OperationSpec.semantics.expression", [](auto& o) { o.expression = Long(2001); }},
       {"OperationSpec.semantics.mutation", [](auto& o) { o.mutation = "out_of_place"; }},
       {"OperationSpec.semantics.determinism", [](auto& o) { o.determinism = ""; }}});
}

TEST(WorkloadCase, RefusesBreaches) {
  ExpectRefused<WorkloadCase>(
      ValidWorkload,
      {{"WorkloadCase.operationSpecDigest", [](auto& w) { w.operation_digest = "sha256:12"; }},
       {"WorkloadCase.operationSpecDigest",
        [](auto& w) { w.operation_digest = "sha256:" + std::string(64, 'A'); }},
       {"WorkloadCase.axes", [](auto& w) { w.axes["seq\n"] = 1; }},
       {"WorkloadCase.axes.seq", [](auto& w) { w.axes["seq"] = kTooLarge; }},
       {"WorkloadCase.tensors", [](auto& w) { w.tensors["Q"] = w.tensors["q"]; }},
       {"WorkloadCase.tensors.q.shape", [](auto& w) { w.tensors["q"].shape = {}; }},
       {"WorkloadCase.tensors.q.shape",
        [](auto& w) {
          w.tensors["q"].shape = {-1, 1};
        }},
       {"WorkloadCase.tensors.q.dtype", [](auto& w) { w.tensors["q"].dtype = "bf16\n"; }},
       {"WorkloadCase.tensors.q.strides", [](auto& w) { w.tensors["q"].strides = {1}; }},
       {"WorkloadCase.tensors.q.alignmentBytes",
        [](auto& w) { w.tensors["q"].alignment_bytes = 0; }},
       {"WorkloadCase.tensors.q.data.generator",
        [](auto& w) { w.tensors["q"].data->generator = "a-b"; }},
       {"WorkloadCase.tensors.q.data.seed", [](auto& w) { w.tensors["q"].data->seed = -1; }},
       {"WorkloadCase.tensors.q.data.parameters.low",
        [](auto& w) { w.tensors["q"].data->parameters["low"] = kInfinity; }},
       {"WorkloadCase.scalars.theta.value", [](auto& w) { w.scalars["theta"].value = kNan; }},
       {"WorkloadCase.correctness.comparator", [](auto& w) { w.correctness.comparator = ""; }},
       {"WorkloadCase.correctness.requiredMatchedRatio",
        [](auto& w) { w.correctness.required_matched_ratio = 1.5; }},
       {"WorkloadCase.correctness.nanPolicy",
        [](auto& w) { w.correctness.nan_policy = "accept"; }}});
}

TEST(ImplementationRevision, RefusesBreaches) {
  ExpectRefused<ImplementationRevision>(
      ValidImplementation,
      {{"ImplementationRevision.projectRevision.commit", [](auto& i) { i.commit = "abc1234"; }},
       {"ImplementationRevision.projectRevision.commit",
        [](auto& i) { i.commit = std::string(40, 'a') + "-dirty"; }},
       {"ImplementationRevision.projectRevision.commit",
        [](auto& i) { i.commit = std::string(40, 'A'); }},
       {"ImplementationRevision.projectRevision.commit",
        [](auto& i) { i.commit = std::string(39, 'a') + "\n"; }},
       {"ImplementationRevision.projectRevision.version", [](auto& i) { i.version = Long(101); }},
       {"ImplementationRevision.operation.specDigest", [](auto& i) { i.operation_digest = ""; }},
       {"ImplementationRevision.callable.language", [](auto& i) { i.language = "CUDA"; }},
       {"ImplementationRevision.callable.path", [](auto& i) { i.path = Long(501); }},
       {"ImplementationRevision.callable.interface", [](auto& i) { i.interface = "C++"; }},
       {"ImplementationRevision.support.hardwareArchitectures",
        [](auto& i) { i.architectures = {"SM80"}; }},
       {"ImplementationRevision.support.dtypes",
        [](auto& i) {
          i.dtypes = {"bf16", "16"};
        }},
       {"ImplementationRevision.support.layouts", [](auto& i) { i.layouts = {Long(51)}; }},
       {"ImplementationRevision.source.contentDigest",
        [](auto& i) { i.source->content_digest = std::string(40, 'a'); }},
       {"ImplementationRevision.source.sizeBytes", [](auto& i) { i.source->size_bytes = 0; }},
       {"ImplementationRevision.buildVariants.name",
        [](auto& i) { i.build_variants[0].name = "A"; }},
       {"ImplementationRevision.buildVariants.install.kind",
        [](auto& i) { i.build_variants[0].install_kind = "apt"; }},
       {"ImplementationRevision.buildVariants.requirements",
        [](auto& i) {
          i.build_variants[0].requirements = {{"g++", "12"}};
        }},
       {"ImplementationRevision.licensing.declared",
        [](auto& i) { i.licence_declared = Long(201); }}});
}

TEST(BenchmarkProtocol, RefusesBreaches) {
  ExpectRefused<BenchmarkProtocol>(
      ValidProtocol,
      {{"BenchmarkProtocol.harness.version", [](auto& p) { p.harness.version = Long(101); }},
       {"BenchmarkProtocol.measurement.timer", [](auto& p) { p.timer = "CUPTI"; }},
       {"BenchmarkProtocol.measurement.timer", [](auto& p) { p.timer = "cupti\n"; }},
       {"BenchmarkProtocol.measurement.primaryStatistic",
        [](auto& p) { p.primary_statistic = "p99.9"; }},
       {"BenchmarkProtocol.measurement.synchronization",
        [](auto& p) { p.synchronization = "device sync"; }},
       {"BenchmarkProtocol.measurement.warmupIterations",
        [](auto& p) { p.warmup_iterations = -1; }},
       {"BenchmarkProtocol.measurement.outlierPolicy",
        [](auto& p) { p.outlier_policy = Long(501); }},
       {"BenchmarkProtocol.correctness.reference",
        [](auto& p) { p.correctness->reference = Long(501); }},
       {"BenchmarkProtocol.comparability.family",
        [](auto& p) { p.comparability_family = "rope-bench"; }},
       {"BenchmarkProtocol.comparability.notes",
        [](auto& p) { p.comparability_notes = Long(1001); }},
       {"BenchmarkProtocol.comparability.notes", [](auto& p) { p.comparability_family.reset(); }}});
}

TEST(ExecutionEnvironment, RefusesBreaches) {
  ExpectRefused<ExecutionEnvironment>(
      ValidEnvironment,
      {{"ExecutionEnvironment.hardware.vendor", [](auto& e) { e.vendor = "NVIDIA"; }},
       {"ExecutionEnvironment.hardware.architecture", [](auto& e) { e.architecture = ""; }},
       {"ExecutionEnvironment.hardware.product", [](auto& e) { e.product = Long(201); }},
       {"ExecutionEnvironment.hardware.memoryBytes", [](auto& e) { e.memory_bytes = 0; }},
       {"ExecutionEnvironment.software.driver", [](auto& e) { e.driver = Long(101); }},
       {"ExecutionEnvironment.settings.powerLimitWatts",
        [](auto& e) { e.power_limit_watts = 0.0; }},
       {"ExecutionEnvironment.settings.powerLimitWatts",
        [](auto& e) { e.power_limit_watts = kNan; }}});
}

TEST(BenchmarkRun, RefusesBreaches) {
  ExpectRefused<BenchmarkRun>(
      ValidRun,
      {{"BenchmarkRun.workloadDigest", [](auto& r) { r.workload_digest = ""; }},
       {"BenchmarkRun.status", [](auto& r) { r.status = "failed"; }},
       {"BenchmarkRun.correctness.maximumAbsoluteError",
        [](auto& r) { r.correctness->maximum_absolute_error = kNan; }},
       {"BenchmarkRun.correctness.maximumAbsoluteError",
        [](auto& r) { r.correctness->maximum_absolute_error = -1.0; }},
       {"BenchmarkRun.correctness.matchedRatio",
        [](auto& r) { r.correctness->matched_ratio = 1.0001; }},
       {"BenchmarkRun.timing.samples", [](auto& r) { r.timing->samples = 0; }},
       {"BenchmarkRun.timing.latencyNs", [](auto& r) { r.timing->latency_ns = {}; }},
       {"BenchmarkRun.timing.latencyNs.median", [](auto& r) { r.timing->latency_ns.median = -1; }},
       {"BenchmarkRun.timing.latencyNs.median",
        [](auto& r) { r.timing->latency_ns.median = kTooLarge; }},
       {"BenchmarkRun.timing.latencyNs.confidence95",
        [](auto& r) {
          r.timing->latency_ns.confidence95 = {{6, 4}};
        }},
       {"BenchmarkRun.timing.rawSamples.digest",
        [](auto& r) { r.timing->raw_samples->digest = ""; }},
       {"BenchmarkRun.timing.rawSamples.uri",
        [](auto& r) { r.timing->raw_samples->uri = Long(2001); }},
       {"BenchmarkRun.measurements.unit", [](auto& r) { r.measurements[0].unit = "GB/s"; }},
       {"BenchmarkRun.measurements.unit", [](auto& r) { r.measurements[0].unit = "MHz"; }},
       {"BenchmarkRun.measurements.statistic",
        [](auto& r) { r.measurements[0].statistic = "p99.9"; }},
       {"BenchmarkRun.measurements.value", [](auto& r) { r.measurements[0].value = kInfinity; }},
       {"BenchmarkRun.measurements.sampleCount",
        [](auto& r) { r.measurements[0].sample_count = 0; }},
       {"BenchmarkRun.sourceNative.source",
        [](auto& r) { r.source_native->source = "liger_bench"; }},
       {"BenchmarkRun.sourceNative.metrics",
        [](auto& r) {
          r.source_native->metrics = {{"ms-20", 1.0}};
        }},
       {"BenchmarkRun.sourceNative.metrics.ms_20",
        [](auto& r) { r.source_native->metrics["ms_20"] = kNan; }},
       {"BenchmarkRun.evidence.logs.digest", [](auto& r) { r.evidence.logs->digest = "x"; }},
       {"BenchmarkRun.evidence.harness.commit", [](auto& r) { r.evidence.harness->commit = ""; }},
       {"BenchmarkRun.observedAt", [](auto& r) { r.observed_at += std::chrono::years(10'000); }}});
}

TEST(BenchmarkRun, LeavesAbsentFieldsOut) {
  BenchmarkRun run = ValidRun();
  run.correctness.reset();
  run.timing.reset();
  run.measurements.clear();
  run.source_native.reset();
  run.evidence = {};
  const Manifest manifest = Build(run);
  EXPECT_EQ(manifest.spec().size(), 6u);
  EXPECT_THAT(manifest.document.dump(), testing::Not(HasSubstr("null")));
}

TEST(ExecutionEnvironment, LengthsCountUtf16CodeUnits) {
  ExecutionEnvironment environment = ValidEnvironment();
  const auto repeat = [](std::string_view character, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += character;
    return text;
  };
  environment.product = repeat("ü", 200);
  EXPECT_NO_THROW(Build(environment));
  environment.product = repeat("\xF0\x9F\x98\x80", 100);
  EXPECT_NO_THROW(Build(environment));
  environment.product += "x";
  EXPECT_THROW(Build(environment), ManifestError);
}

TEST(FormatInstant, HasThreeDecimalsAlways) {
  using namespace std::chrono_literals;
  const auto day = std::chrono::sys_days(std::chrono::February / 29 / 2024);
  EXPECT_EQ(FormatInstant(day), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(FormatInstant(day + 23h + 5min + 7s + 30ms), "2024-02-29T23:05:07.030Z");
  EXPECT_EQ(FormatInstant(Instant(-1ms)), "1969-12-31T23:59:59.999Z");
  EXPECT_THROW(FormatInstant(day - std::chrono::years(3000)), ManifestError);
}

}  // namespace
}  // namespace ropebench
