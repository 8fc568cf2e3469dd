#include "manifests/kinds.h"

#include <fmt/format.h>

namespace ropebench {
namespace {

using nlohmann::json;

// Limits that many fields share: KernelIndex v1alpha1's JSON Schemas.
constexpr std::size_t kAddressLength = 2000;
constexpr std::size_t kTextLength = 200;
constexpr std::size_t kShortLength = 100;

void SetUnlessEmpty(CheckedObject& parent, const char* key, CheckedObject child) {
  json object = std::move(child).Take();
  if (!object.empty()) parent.Set(key, std::move(object));
}

void SetArtifact(CheckedObject& parent, const char* key, const std::optional<ArtifactRef>& value) {
  if (!value) return;
  CheckedObject artifact = parent.Child(key);
  artifact.Text("uri", value->uri, kAddressLength);
  artifact.Digest("digest", value->digest);
  parent.Set(key, std::move(artifact).Take());
}

void SetRatio(CheckedObject& object, const char* key, const std::optional<double>& value) {
  object.Number(key, value);
  object.Require(!value || (*value >= 0.0 && *value <= 1.0), key, "is outside 0..1");
}

void SetTensors(CheckedObject& spec, const char* key, const OperationSpec& operation,
                const std::vector<OperationSpec::Tensor>& tensors) {
  spec.Require(!tensors.empty(), key, "is empty");
  json list = json::array();
  for (const OperationSpec::Tensor& tensor : tensors) {
    CheckedObject parameter = spec.Child(key);
    parameter.Token("name", tensor.name);
    CheckedObject body = parameter.Child(tensor.name);
    body.Require(!tensor.shape.empty(), "shape", "is empty");
    json shape = json::array();
    for (const OperationSpec::Extent& extent : tensor.shape) {
      if (const auto* axis = std::get_if<std::string>(&extent)) {
        body.Require(operation.axes.contains(*axis), "shape",
                     fmt::format("{:?} is no axis of the operation", *axis));
        shape.push_back(*axis);
      } else {
        body.Require(std::get<std::int64_t>(extent) >= 0, "shape", "has a negative extent");
        shape.push_back(std::get<std::int64_t>(extent));
      }
    }
    body.Set("shape", std::move(shape));
    body.Token("dtype", tensor.dtype);
    body.Choice("layout", tensor.layout, {"row_major", "col_major", "contiguous", "strided"});
    parameter.Set("tensor", std::move(body).Take());
    list.push_back(std::move(parameter).Take());
  }
  spec.Set(key, std::move(list));
}

}  // namespace

std::string FormatInstant(Instant instant) {
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(instant - day);
  const int year = static_cast<int>(date.year());
  if (year < 0 || year > 9999) {
    throw ManifestError(fmt::format("BenchmarkRun.observedAt: year {} is outside 0..9999", year));
  }
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", year,
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

Manifest Build(const SoftwareProject& project) {
  CheckedObject spec("SoftwareProject");
  spec.Text("name", project.name, kTextLength);
  spec.Choice("kind", project.kind, {"library", "individual", "vendor"});
  spec.Text("repository", project.repository, kAddressLength);
  spec.Text("homepage", project.homepage, kAddressLength);
  if (project.host) {
    CheckedObject host = spec.Child("host");
    host.Choice("kind", project.host->kind, {"github", "huggingface", "gitlab", "other"});
    host.Text("id", project.host->id, kTextLength);
    spec.Set("host", std::move(host).Take());
  }
  return MakeManifest("SoftwareProject", project.metadata, std::move(spec).Take());
}

Manifest Build(const OperationSpec& operation) {
  CheckedObject spec("OperationSpec");
  spec.Slug("family", operation.family);
  CheckedObject axes = spec.Child("axes");
  for (const auto& [name, axis] : operation.axes) {
    spec.RequireToken("axes", name);
    CheckedObject body = axes.Child(name);
    body.Choice("role", axis.role, {"variable", "constant", "derived"});
    body.Set("type", "integer");
    body.Integer("minimum", axis.minimum, kLeastInteger);
    body.Text("expression", axis.expression, kTextLength);
    body.Require(!axis.expression ||
                     (!axis.expression->empty() &&
                      axis.expression->find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"
                                                         "_+-*%/() ") == std::string::npos),
                 "expression", "holds something else than a-z, 0-9, _ + - * % / ( ) and spaces");
    axes.Set(name.c_str(), std::move(body).Take());
  }
  spec.Set("axes", std::move(axes).Take());
  SetTensors(spec, "inputs", operation, operation.inputs);
  SetTensors(spec, "outputs", operation, operation.outputs);
  CheckedObject semantics = spec.Child("semantics");
  semantics.Text("expression", operation.expression, 2000);
  semantics.Choice("mutation", operation.mutation, {"none", "in_place", "destination"});
  semantics.Choice("determinism", operation.determinism,
                   {"deterministic", "nondeterministic", "unspecified"});
  spec.Set("semantics", std::move(semantics).Take());
  return MakeManifest("OperationSpec", operation.metadata, std::move(spec).Take());
}

Manifest Build(const WorkloadCase& workload) {
  CheckedObject spec("WorkloadCase");
  spec.Digest("operationSpecDigest", workload.operation_digest);
  CheckedObject axes = spec.Child("axes");
  for (const auto& [name, value] : workload.axes) {
    spec.RequireToken("axes", name);
    axes.Integer(name.c_str(), value, kLeastInteger);
  }
  spec.Set("axes", std::move(axes).Take());

  CheckedObject tensors = spec.Child("tensors");
  for (const auto& [name, tensor] : workload.tensors) {
    spec.RequireToken("tensors", name);
    CheckedObject body = tensors.Child(name);
    body.Require(!tensor.shape.empty(), "shape", "is empty");
    body.Integers("shape", tensor.shape, 0);
    body.Token("dtype", tensor.dtype);
    if (!tensor.strides.empty()) {
      body.Require(tensor.strides.size() == tensor.shape.size(), "strides",
                   "are not as many as extents");
      body.Integers("strides", tensor.strides, kLeastInteger);
    }
    body.Integer("alignmentBytes", tensor.alignment_bytes, 1);
    if (tensor.data) {
      CheckedObject data = body.Child("data");
      data.Token("generator", tensor.data->generator);
      data.Integer("seed", tensor.data->seed, 0);
      data.NumberMap("parameters", tensor.data->parameters);
      body.Set("data", std::move(data).Take());
    }
    tensors.Set(name.c_str(), std::move(body).Take());
  }
  spec.Set("tensors", std::move(tensors).Take());

  CheckedObject scalars = spec.Child("scalars");
  for (const auto& [name, scalar] : workload.scalars) {
    spec.RequireToken("scalars", name);
    CheckedObject body = scalars.Child(name);
    body.Token("dtype", scalar.dtype);
    body.Number("value", scalar.value);
    scalars.Set(name.c_str(), std::move(body).Take());
  }
  SetUnlessEmpty(spec, "scalars", std::move(scalars));

  CheckedObject correctness = spec.Child("correctness");
  correctness.Token("comparator", workload.correctness.comparator);
  SetRatio(correctness, "requiredMatchedRatio", workload.correctness.required_matched_ratio);
  correctness.Choice("nanPolicy", workload.correctness.nan_policy,
                     {"reject", "exact_match", "ignore"});
  correctness.Choice("infinityPolicy", workload.correctness.infinity_policy,
                     {"reject", "exact_match", "ignore"});
  spec.Set("correctness", std::move(correctness).Take());
  return MakeManifest("WorkloadCase", workload.metadata, std::move(spec).Take());
}

Manifest Build(const ImplementationRevision& implementation) {
  CheckedObject spec("ImplementationRevision");
  CheckedObject revision = spec.Child("projectRevision");
  revision.Text("repository", implementation.repository, kAddressLength);
  revision.Commit("commit", implementation.commit);
  revision.Text("version", implementation.version, kShortLength);
  spec.Set("projectRevision", std::move(revision).Take());

  CheckedObject operation = spec.Child("operation");
  operation.Digest("specDigest", implementation.operation_digest);
  spec.Set("operation", std::move(operation).Take());

  CheckedObject callable = spec.Child("callable");
  callable.Token("language", implementation.language);
  callable.Text("path", implementation.path, 500);
  callable.Text("symbol", implementation.symbol, kTextLength);
  callable.Token("interface", implementation.interface);
  spec.Set("callable", std::move(callable).Take());

  CheckedObject support = spec.Child("support");
  support.Tokens("hardwareArchitectures", implementation.architectures);
  support.Tokens("dtypes", implementation.dtypes);
  if (!implementation.layouts.empty()) support.Texts("layouts", implementation.layouts, 50);
  spec.Set("support", std::move(support).Take());

  if (implementation.source) {
    CheckedObject source = spec.Child("source");
    source.Digest("contentDigest", implementation.source->content_digest);
    source.Text("fileName", implementation.source->file_name, kTextLength);
    source.Integer("sizeBytes", implementation.source->size_bytes, 1);
    spec.Set("source", std::move(source).Take());
  }

  json variants = json::array();
  for (const ImplementationRevision::BuildVariant& variant : implementation.build_variants) {
    CheckedObject body = spec.Child("buildVariants");
    body.Name("name", variant.name);
    CheckedObject install = body.Child("install");
    install.Choice("kind", variant.install_kind, {"git", "pip", "package", "container", "source"});
    install.Text("package", variant.package, kTextLength);
    install.Text("command", variant.command, 1000);
    body.Set("install", std::move(install).Take());
    body.TextMap("requirements", variant.requirements, kTextLength);
    variants.push_back(std::move(body).Take());
  }
  if (!variants.empty()) spec.Set("buildVariants", std::move(variants));

  CheckedObject licensing = spec.Child("licensing");
  licensing.Text("declared", implementation.licence_declared, kTextLength);
  licensing.Text("concluded", implementation.licence_concluded, kTextLength);
  if (implementation.licence_path) {
    CheckedObject evidence = licensing.Child("evidence");
    evidence.Text("path", implementation.licence_path, 500);
    licensing.Set("evidence", std::move(evidence).Take());
  }
  spec.Set("licensing", std::move(licensing).Take());
  return MakeManifest("ImplementationRevision", implementation.metadata, std::move(spec).Take());
}

Manifest Build(const BenchmarkProtocol& protocol) {
  CheckedObject spec("BenchmarkProtocol");
  CheckedObject harness = spec.Child("harness");
  harness.Text("name", protocol.harness.name, kTextLength);
  harness.Text("version", protocol.harness.version, kShortLength);
  harness.Text("repository", protocol.harness.repository, kAddressLength);
  spec.Set("harness", std::move(harness).Take());

  CheckedObject measurement = spec.Child("measurement");
  measurement.Token("timer", protocol.timer);
  measurement.Token("synchronization", protocol.synchronization);
  measurement.Bool("compileIncluded", protocol.compile_included);
  measurement.Bool("setupIncluded", protocol.setup_included);
  measurement.Integer("warmupIterations", protocol.warmup_iterations, 0);
  measurement.Integer("warmupDuration", protocol.warmup_duration_ns, 0);
  measurement.Token("inputRegeneration", protocol.input_regeneration);
  measurement.Text("outlierPolicy", protocol.outlier_policy, 500);
  measurement.Token("primaryStatistic", protocol.primary_statistic);
  spec.Set("measurement", std::move(measurement).Take());

  if (protocol.correctness) {
    CheckedObject correctness = spec.Child("correctness");
    correctness.Text("reference", protocol.correctness->reference, 500);
    correctness.Token("comparator", protocol.correctness->comparator);
    spec.Set("correctness", std::move(correctness).Take());
  }

  CheckedObject comparability = spec.Child("comparability");
  comparability.Token("family", protocol.comparability_family);
  comparability.Text("notes", protocol.comparability_notes, 1000);
  comparability.Require(protocol.comparability_family || !protocol.comparability_notes, "notes",
                        "need a family");
  SetUnlessEmpty(spec, "comparability", std::move(comparability));
  return MakeManifest("BenchmarkProtocol", protocol.metadata, std::move(spec).Take());
}

Manifest Build(const ExecutionEnvironment& environment) {
  CheckedObject spec("ExecutionEnvironment");
  CheckedObject hardware = spec.Child("hardware");
  hardware.Token("vendor", environment.vendor);
  hardware.Text("product", environment.product, kTextLength);
  hardware.Token("architecture", environment.architecture);
  hardware.Text("formFactor", environment.form_factor, kShortLength);
  hardware.Integer("memoryBytes", environment.memory_bytes, 1);
  hardware.Integer("count", environment.count, 1);
  spec.Set("hardware", std::move(hardware).Take());

  CheckedObject software = spec.Child("software");
  software.Text("operatingSystem", environment.operating_system, kTextLength);
  software.Text("kernel", environment.kernel, kTextLength);
  software.Text("driver", environment.driver, kShortLength);
  spec.Set("software", std::move(software).Take());

  CheckedObject settings = spec.Child("settings");
  settings.Bool("clocksLocked", environment.clocks_locked);
  settings.Number("powerLimitWatts", environment.power_limit_watts);
  settings.Require(!environment.power_limit_watts || *environment.power_limit_watts > 0.0,
                   "powerLimitWatts", "is not above 0");
  settings.Bool("persistenceMode", environment.persistence_mode);
  settings.Bool("eccEnabled", environment.ecc_enabled);
  SetUnlessEmpty(spec, "settings", std::move(settings));
  return MakeManifest("ExecutionEnvironment", environment.metadata, std::move(spec).Take());
}

Manifest Build(const BenchmarkRun& run) {
  CheckedObject spec("BenchmarkRun");
  spec.Digest("implementationDigest", run.implementation_digest);
  spec.Digest("workloadDigest", run.workload_digest);
  spec.Digest("protocolDigest", run.protocol_digest);
  spec.Digest("environmentDigest", run.environment_digest);
  spec.Choice(
      "status", run.status,
      {"passed", "incorrect_shape", "incorrect_dtype", "incorrect_numerical", "compile_error",
       "runtime_error", "timeout", "resource_exceeded", "invalid_reference", "policy_violation",
       "suspected_reward_hack", "incomplete_evidence", "revoked"});

  if (run.correctness) {
    CheckedObject correctness = spec.Child("correctness");
    correctness.Token("comparator", run.correctness->comparator);
    correctness.Number("maximumAbsoluteError", run.correctness->maximum_absolute_error);
    correctness.Require(run.correctness->maximum_absolute_error.value_or(0.0) >= 0.0,
                        "maximumAbsoluteError", "is negative");
    SetRatio(correctness, "matchedRatio", run.correctness->matched_ratio);
    spec.Set("correctness", std::move(correctness).Take());
  }

  if (run.timing) {
    CheckedObject timing = spec.Child("timing");
    timing.Token("primaryStatistic", run.timing->primary_statistic);
    timing.Integer("samples", run.timing->samples, 1);
    CheckedObject latency = timing.Child("latencyNs");
    const BenchmarkRun::LatencyNs& ns = run.timing->latency_ns;
    latency.Integer("median", ns.median, 0);
    latency.Integer("mean", ns.mean, 0);
    latency.Integer("p05", ns.p05, 0);
    latency.Integer("p95", ns.p95, 0);
    latency.Integer("minimum", ns.minimum, 0);
    latency.Integer("maximum", ns.maximum, 0);
    latency.Integer("mad", ns.mad, 0);
    if (ns.confidence95) {
      latency.Integers("confidence95", {ns.confidence95->begin(), ns.confidence95->end()}, 0);
      latency.Require(ns.confidence95->front() <= ns.confidence95->back(), "confidence95",
                      "is not in the order low, high");
    }
    json values = std::move(latency).Take();
    timing.Require(!values.empty(), "latencyNs", "is empty");
    timing.Set("latencyNs", std::move(values));
    SetArtifact(timing, "rawSamples", run.timing->raw_samples);
    spec.Set("timing", std::move(timing).Take());
  }

  json measurements = json::array();
  for (const BenchmarkRun::Measurement& measurement : run.measurements) {
    CheckedObject body = spec.Child("measurements");
    body.Token("metric", measurement.metric);
    body.Token("unit", measurement.unit);
    body.Token("statistic", measurement.statistic);
    body.Number("value", measurement.value);
    body.Integer("sampleCount", measurement.sample_count, 1);
    measurements.push_back(std::move(body).Take());
  }
  if (!measurements.empty()) spec.Set("measurements", std::move(measurements));

  if (run.source_native) {
    CheckedObject native = spec.Child("sourceNative");
    native.Slug("source", run.source_native->source);
    native.Text("benchmark", run.source_native->benchmark, kTextLength);
    native.Text("externalId", run.source_native->external_id, 500);
    native.NumberMap("metrics", run.source_native->metrics);
    spec.Set("sourceNative", std::move(native).Take());
  }

  CheckedObject evidence = spec.Child("evidence");
  SetArtifact(evidence, "logs", run.evidence.logs);
  SetArtifact(evidence, "rawSamples", run.evidence.raw_samples);
  if (run.evidence.harness) {
    CheckedObject harness = evidence.Child("harness");
    harness.Text("repository", run.evidence.harness->repository, kAddressLength);
    harness.Commit("commit", run.evidence.harness->commit);
    evidence.Set("harness", std::move(harness).Take());
  }
  SetUnlessEmpty(spec, "evidence", std::move(evidence));
  spec.Text("observedAt", FormatInstant(run.observed_at), 24);
  return MakeManifest("BenchmarkRun", run.metadata, std::move(spec).Take());
}

}  // namespace ropebench
