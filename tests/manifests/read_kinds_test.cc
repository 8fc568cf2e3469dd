#include "manifests/read_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "manifests/digest.h"

namespace ropebench {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A document of every kind with every field.
std::vector<Manifest> EveryDocument() {
  using namespace std::chrono_literals;
  const std::string digest = Sha256Digest("x");
  SoftwareProject project;
  project.metadata = {.name = "p", .title = "T", .description = "D", .labels = {{"key", "value"}}};
  project.name = "P";
  project.kind = "library";
  project.repository = "https://example.com/p";
  project.homepage = "https://example.com";
  project.host = {"other", "example.com/p"};

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

  WorkloadCase workload;
  workload.metadata.name = "w";
  workload.operation_digest = digest;
  workload.axes = {{"seq", 4}};
  workload.tensors["q"] = {.shape = {2, 4},
                           .dtype = "bf16",
                           .strides = {4, 1},
                           .alignment_bytes = 256,
                           .data = WorkloadCase::Data{"uniform", 1, {{"low", -1.0}}}};
  workload.scalars["theta"] = {"fp64", 10000.5};
  workload.correctness = {"bound", 1.0, "exact_match", "ignore"};

  ImplementationRevision implementation;
  implementation.metadata.name = "i";
  implementation.repository = "https://example.com/p";
  implementation.commit = std::string(40, 'a');
  implementation.version = "1";
  implementation.operation_digest = digest;
  implementation.language = "cuda";
  implementation.path = "a.cu";
  implementation.symbol = "A";
  implementation.interface = "c";
  implementation.architectures = {"sm_80", "sm_90"};
  implementation.dtypes = {"bf16", "fp32"};
  implementation.layouts = {"row_major"};
  implementation.source = {digest, "a.cu", 5};
  implementation.build_variants = {{"source", "source", "p", "./build", {{"compiler", "g++"}}}};
  implementation.licence_declared = "MIT";
  implementation.licence_concluded = "MIT";
  implementation.licence_path = "LICENSE";

  BenchmarkProtocol protocol;
  protocol.metadata.name = "b";
  protocol.harness = {"h", "1", "https://example.com/h"};
  protocol.timer = "clock";
  protocol.synchronization = "device";
  protocol.compile_included = false;
  protocol.setup_included = true;
  protocol.warmup_iterations = 5;
  protocol.warmup_duration_ns = 6;
  protocol.input_regeneration = "per_case";
  protocol.outlier_policy = "none";
  protocol.primary_statistic = "median";
  protocol.correctness = {"float64", "bound"};
  protocol.comparability_family = "f";
  protocol.comparability_notes = "n";

  ExecutionEnvironment environment;
  environment.metadata.name = "e";
  environment.vendor = "nvidia";
  environment.product = "NVIDIA H200";
  environment.architecture = "sm_90";
  environment.form_factor = "SXM";
  environment.memory_bytes = 1;
  environment.count = 1;
  environment.operating_system = "Debian";
  environment.kernel = "6.1";
  environment.driver = "580";
  environment.clocks_locked = true;
  environment.power_limit_watts = 700.0;
  environment.persistence_mode = false;
  environment.ecc_enabled = true;

  BenchmarkRun run;
  run.metadata.name = "r";
  run.implementation_digest = run.workload_digest = digest;
  run.protocol_digest = run.environment_digest = digest;
  run.status = "passed";
  run.correctness = {"bound", 0.5, 1.0};
  run.timing = {"median", 3, {1, 2, 3, 4, 5, 6, 7, {{8, 9}}}, ArtifactRef{"a", digest}};
  run.measurements = {{"latency", "ns", "p20", 1.5, 3}};
  run.source_native = {"source", "benchmark", "id", {{"ms", 0.25}}};
  run.evidence = {ArtifactRef{"log", digest}, ArtifactRef{"a", digest},
                  BenchmarkRun::Harness{"https://example.com/h", std::string(40, 'b')}};
  run.observed_at = std::chrono::sys_days(std::chrono::February / 29 / 2024) + 23h + 59min + 7ms;
  return {Build(project),  Build(operation),   Build(workload), Build(implementation),
          Build(protocol), Build(environment), Build(run)};
}

std::string ErrorOf(const json& document) {
  try {
    ReadKind(document);
  } catch (const ManifestError& error) {
    return error.what();
  }
  return "no ManifestError";
}

TEST(ReadKind, IsTheInverseOfBuild) {
  for (const Manifest& manifest : EveryDocument()) {
    const ReadDocument read = ReadKind(manifest.document);
    EXPECT_EQ(read.manifest.document, manifest.document);
    EXPECT_EQ(read.manifest.digest, manifest.digest);
    const Manifest again =
        std::visit([](const auto& fields) { return Build(fields); }, read.fields);
    EXPECT_EQ(again.digest, manifest.digest);
  }
}

TEST(ReadKind, NoFieldIsReadTwiceOrNot) {
  for (const Manifest& manifest : EveryDocument()) {
    const json flat = manifest.document.flatten();
    for (const auto& [pointer, leaf] : flat.items()) {
      json changed = manifest.document;
      json& target = changed[json::json_pointer(pointer)];
      if (target.is_number()) target = target.get<double>() + 1.0;
      if (target.is_boolean()) target = !target.get<bool>();
      if (target.is_string()) target = target.get<std::string>() + "0";
      try {
        EXPECT_EQ(ReadKind(changed).manifest.document, changed) << pointer;
      } catch (const ManifestError&) {
        // Against a rule, which is as good.
      }
    }
  }
}

TEST(ReadKind, NamesTheFieldInBreach) {
  const json run = EveryDocument().back().document;
  const json implementation = EveryDocument()[3].document;
  const auto with = [](json document, const char* pointer, json value) {
    document[json::json_pointer(pointer)] = std::move(value);
    return document;
  };
  const auto without = [](json document, const char* parent, const char* key) {
    document.at(json::json_pointer(parent)).erase(key);
    return document;
  };
  const std::pair<json, const char*> cases[] = {
      {json(), "document: is null, not an object"},
      {json::array(), "document: is array, not an object"},
      {json::object(), "document.kind: is missing"},
      {with(run, "/kind", "WorkloadSuite"), "document.kind: \"WorkloadSuite\" is none"},
      {with(run, "/kind", 1), "document.kind: is number, not text"},
      {with(run, "/apiVersion", "kernelindex.dev/v2"), "BenchmarkRun.apiVersion: is"},
      {without(run, "", "apiVersion"), "BenchmarkRun.apiVersion: is missing"},
      {with(run, "/extra", 1), "BenchmarkRun.extra: is no field"},
      {with(run, "/metadata/authors", json::array()), "BenchmarkRun.metadata.authors: is no field"},
      {without(run, "/metadata", "name"), "BenchmarkRun.metadata.name: is missing"},
      {with(run, "/metadata/labels/key", 1), "BenchmarkRun.metadata.labels.key: is number"},
      {with(run, "/metadata/title", nullptr), "BenchmarkRun.metadata.title: is null, not text"},
      {with(run, "/spec", 1), "BenchmarkRun.spec: is number, not an object"},
      {with(run, "/spec/timing/note", "x"), "BenchmarkRun.timing.note: is no field"},
      {without(run, "/spec", "workloadDigest"), "BenchmarkRun.workloadDigest: is missing"},
      {with(run, "/spec/status", "ok"), "BenchmarkRun.status: "},
      {with(run, "/spec/timing/samples", 1.5), "BenchmarkRun.timing.samples: is 1.5, not an int"},
      {with(run, "/spec/timing/samples", 1e300), "BenchmarkRun.timing.samples: 1e+300 exceeds"},
      {with(run, "/spec/timing/samples", 18446744073709551615u), "BenchmarkRun.timing.samples: "},
      {with(run, "/spec/timing/samples", "3"), "BenchmarkRun.timing.samples: is string"},
      {with(run, "/spec/timing/latencyNs/confidence95", {1}),
       "BenchmarkRun.timing.latencyNs.confidence95: is not low and high"},
      {with(run, "/spec/timing/latencyNs/confidence95", {9, 8}),
       "BenchmarkRun.timing.latencyNs.confidence95: is not in the order"},
      {with(run, "/spec/measurements/0", 1), "BenchmarkRun.measurements[0]: is number"},
      {with(run, "/spec/measurements", json::array()), "BenchmarkRun.measurements: is no field"},
      {with(run, "/spec/observedAt", "2023-02-29T00:00:00.000Z"), "BenchmarkRun.observedAt: "},
      {with(run, "/spec/evidence/harness/commit", "abc"), "BenchmarkRun.evidence.harness.commit: "},
      {with(implementation, "/spec/support/dtypes", "bf16"),
       "ImplementationRevision.support.dtypes: is string, not a list"},
  };
  for (const auto& [document, error] : cases) {
    EXPECT_THAT(ErrorOf(document), StartsWith(error)) << document.dump();
  }
}

TEST(ReadKind, TheOrderOfASetSaysNothing) {
  const Manifest manifest = EveryDocument()[3];
  json document = manifest.document;
  document["spec"]["support"]["dtypes"] = {"fp32", "bf16", "fp32"};
  EXPECT_EQ(ReadKind(document).manifest.digest, manifest.digest);
  document["spec"]["support"]["layouts"] = {"strided", "row_major"};
  EXPECT_NE(ReadKind(document).manifest.digest, manifest.digest);
  document["spec"]["support"]["axes"] = json::array();
  EXPECT_THAT(ErrorOf(document), HasSubstr("support.axes: is no field"));
}

TEST(ParseInstant, IsTheInverseOfFormatInstant) {
  for (const char* text :
       {"2024-02-29T23:59:59.999Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.001Z"}) {
    EXPECT_EQ(FormatInstant(ParseInstant(text)), text);
  }
  for (const char* text :
       {"", "2024-09-03T15:39:55Z", "2024-09-03T15:39:55.000", "2024-09-03 15:39:55.000Z",
        "2024-9-03T15:39:55.000Z", "2023-02-29T00:00:00.000Z", "2024-13-01T00:00:00.000Z",
        "2024-01-01T24:00:00.000Z", "2024-01-01T00:60:00.000Z", "2024-01-01T00:00:60.000Z",
        "2024-01-01T00:00:00.000z", "2024-01-01T00:00:00.000Z\n", "-024-01-01T00:00:00.000Z"}) {
    EXPECT_THROW(ParseInstant(text), ManifestError) << text;
  }
}

}  // namespace
}  // namespace ropebench
