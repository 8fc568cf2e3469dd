#include "manifests/read_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace ropebench {
namespace {

using nlohmann::json;

template <typename... Args>
[[noreturn]] void Fail(const std::string& path, fmt::format_string<Args...> format,
                       Args&&... args) {
  throw ManifestError(
      fmt::format("{}: {}", path, fmt::format(format, std::forward<Args>(args)...)));
}

void Take(const json& value, const std::string& path, std::string& target) {
  if (!value.is_string()) Fail(path, "is {}, not text", value.type_name());
  target = value.get<std::string>();
}

void Take(const json& value, const std::string& path, bool& target) {
  if (!value.is_boolean()) Fail(path, "is {}, not true or false", value.type_name());
  target = value.get<bool>();
}

void Take(const json& value, const std::string& path, double& target) {
  if (!value.is_number()) Fail(path, "is {}, not a number", value.type_name());
  target = value.get<double>();
}

// 1.0 is the integer 1: RFC 8785 writes both alike.
void Take(const json& value, const std::string& path, std::int64_t& target) {
  constexpr double kLimit = 9007199254740992.0;  // 2^53
  if (!value.is_number()) Fail(path, "is {}, not an integer", value.type_name());
  const double number = value.get<double>();
  if (std::trunc(number) != number) Fail(path, "is {}, not an integer", number);
  if (std::abs(number) >= kLimit) Fail(path, "{} exceeds 2^53 - 1", number);
  target = static_cast<std::int64_t>(number);
}

void Take(const json& value, const std::string& path, OperationSpec::Extent& target) {
  if (value.is_string()) {
    target = value.get<std::string>();
  } else {
    Take(value, path, target.emplace<std::int64_t>());
  }
}

template <typename T>
void Take(const json& value, const std::string& path, std::vector<T>& target) {
  if (!value.is_array()) Fail(path, "is {}, not a list", value.type_name());
  for (std::size_t i = 0; i < value.size(); ++i) {
    Take(value[i], fmt::format("{}[{}]", path, i), target.emplace_back());
  }
}

template <typename T>
void Take(const json& value, const std::string& path, std::map<std::string, T>& target) {
  if (!value.is_object()) Fail(path, "is {}, not an object", value.type_name());
  for (const auto& [key, item] : value.items()) Take(item, path + "." + key, target[key]);
}

// An object of a document, under the path by which errors name it.
class Object {
 public:
  Object(const json& value, std::string path) : value_(&value), path_(std::move(path)) {
    if (!value.is_object()) Fail(path_, "is {}, not an object", value.type_name());
  }

  template <typename T>
  void Required(const char* key, T& target) const {
    Take(At(key), PathOf(key), target);
  }
  template <typename T>
  void Optional(const char* key, std::optional<T>& target) const {
    if (const json* value = Find(key)) Take(*value, PathOf(key), target.emplace());
  }
  // Lists and maps that are left out where they are empty.
  template <typename T>
  void Optional(const char* key, T& target) const {
    if (const json* value = Find(key)) Take(*value, PathOf(key), target);
  }

  // The same object under another path.
  Object Named(std::string path) const { return {*value_, std::move(path)}; }

  Object Child(const char* key) const { return {At(key), PathOf(key)}; }
  std::optional<Object> MaybeChild(const char* key) const {
    const json* value = Find(key);
    return value == nullptr ? std::nullopt : std::optional<Object>({*value, PathOf(key)});
  }

  // `read` over the objects in a list or a map; none where it is left out.
  template <typename Read>
  auto List(const char* key, Read read) const {
    std::vector<decltype(read(*this))> list;
    const json* value = Find(key);
    if (value == nullptr) return list;
    if (!value->is_array()) Fail(PathOf(key), "is {}, not a list", value->type_name());
    for (std::size_t i = 0; i < value->size(); ++i) {
      list.push_back(read(Object((*value)[i], fmt::format("{}[{}]", PathOf(key), i))));
    }
    return list;
  }
  template <typename Read>
  auto Map(const char* key, Read read) const {
    std::map<std::string, decltype(read(*this))> map;
    const std::optional<Object> child = MaybeChild(key);
    if (!child) return map;
    for (const auto& [name, item] : child->value_->items()) {
      map.emplace(name, read(Object(item, child->path_ + "." + name)));
    }
    return map;
  }

 private:
  const json* Find(const char* key) const {
    const auto found = value_->find(key);
    return found == value_->end() ? nullptr : &*found;
  }
  const json& At(const char* key) const {
    const json* value = Find(key);
    if (value == nullptr) Fail(PathOf(key), "is missing");
    return *value;
  }
  std::string PathOf(const char* key) const { return fmt::format("{}.{}", path_, key); }

  const json* value_;
  std::string path_;
};

Metadata ReadMetadata(const Object& object) {
  Metadata metadata;
  object.Required("name", metadata.name);
  object.Optional("title", metadata.title);
  object.Optional("description", metadata.description);
  object.Optional("labels", metadata.labels);
  return metadata;
}

std::optional<ArtifactRef> ReadArtifact(const Object& parent, const char* key) {
  const std::optional<Object> object = parent.MaybeChild(key);
  if (!object) return std::nullopt;
  ArtifactRef artifact;
  object->Required("uri", artifact.uri);
  object->Required("digest", artifact.digest);
  return artifact;
}

void Read(const Object& spec, SoftwareProject& project) {
  spec.Required("name", project.name);
  spec.Optional("kind", project.kind);
  spec.Optional("repository", project.repository);
  spec.Optional("homepage", project.homepage);
  if (const auto object = spec.MaybeChild("host")) {
    SoftwareProject::Host& host = project.host.emplace(SoftwareProject::Host{});
    object->Required("kind", host.kind);
    object->Required("id", host.id);
  }
}

OperationSpec::Axis ReadAxis(const Object& object) {
  OperationSpec::Axis axis;
  object.Required("role", axis.role);
  object.Optional("minimum", axis.minimum);
  object.Optional("expression", axis.expression);
  return axis;
}

OperationSpec::Tensor ReadParameter(const Object& object) {
  OperationSpec::Tensor tensor;
  object.Required("name", tensor.name);
  const Object body = object.Child("tensor");
  body.Required("shape", tensor.shape);
  body.Required("dtype", tensor.dtype);
  body.Optional("layout", tensor.layout);
  return tensor;
}

void Read(const Object& spec, OperationSpec& operation) {
  spec.Required("family", operation.family);
  operation.axes = spec.Map("axes", ReadAxis);
  operation.inputs = spec.List("inputs", ReadParameter);
  operation.outputs = spec.List("outputs", ReadParameter);
  const Object semantics = spec.Child("semantics");
  semantics.Optional("expression", operation.expression);
  semantics.Required("mutation", operation.mutation);
  semantics.Required("determinism", operation.determinism);
}

WorkloadCase::Tensor ReadTensor(const Object& object) {
  WorkloadCase::Tensor tensor;
  object.Required("shape", tensor.shape);
  object.Required("dtype", tensor.dtype);
  object.Optional("strides", tensor.strides);
  object.Optional("alignmentBytes", tensor.alignment_bytes);
  if (const auto body = object.MaybeChild("data")) {
    WorkloadCase::Data& data = tensor.data.emplace(WorkloadCase::Data{});
    body->Required("generator", data.generator);
    body->Optional("seed", data.seed);
    body->Optional("parameters", data.parameters);
  }
  return tensor;
}

WorkloadCase::Scalar ReadScalar(const Object& object) {
  WorkloadCase::Scalar scalar{};
  object.Required("dtype", scalar.dtype);
  object.Required("value", scalar.value);
  return scalar;
}

void Read(const Object& spec, WorkloadCase& workload) {
  spec.Required("operationSpecDigest", workload.operation_digest);
  spec.Required("axes", workload.axes);
  workload.tensors = spec.Map("tensors", ReadTensor);
  workload.scalars = spec.Map("scalars", ReadScalar);
  const Object correctness = spec.Child("correctness");
  correctness.Required("comparator", workload.correctness.comparator);
  correctness.Optional("requiredMatchedRatio", workload.correctness.required_matched_ratio);
  correctness.Optional("nanPolicy", workload.correctness.nan_policy);
  correctness.Optional("infinityPolicy", workload.correctness.infinity_policy);
}

ImplementationRevision::BuildVariant ReadBuildVariant(const Object& object) {
  ImplementationRevision::BuildVariant variant;
  object.Required("name", variant.name);
  const Object install = object.Child("install");
  install.Required("kind", variant.install_kind);
  install.Optional("package", variant.package);
  install.Optional("command", variant.command);
  object.Optional("requirements", variant.requirements);
  return variant;
}

void Read(const Object& spec, ImplementationRevision& implementation) {
  const Object revision = spec.Child("projectRevision");
  revision.Optional("repository", implementation.repository);
  revision.Optional("commit", implementation.commit);
  revision.Optional("version", implementation.version);
  spec.Child("operation").Required("specDigest", implementation.operation_digest);
  const Object callable = spec.Child("callable");
  callable.Required("language", implementation.language);
  callable.Optional("path", implementation.path);
  callable.Optional("symbol", implementation.symbol);
  callable.Optional("interface", implementation.interface);
  const Object support = spec.Child("support");
  support.Required("hardwareArchitectures", implementation.architectures);
  support.Required("dtypes", implementation.dtypes);
  support.Optional("layouts", implementation.layouts);
  if (const auto body = spec.MaybeChild("source")) {
    ImplementationRevision::Source& source =
        implementation.source.emplace(ImplementationRevision::Source{});
    body->Required("contentDigest", source.content_digest);
    body->Optional("fileName", source.file_name);
    body->Optional("sizeBytes", source.size_bytes);
  }
  implementation.build_variants = spec.List("buildVariants", ReadBuildVariant);
  const Object licensing = spec.Child("licensing");
  licensing.Optional("declared", implementation.licence_declared);
  licensing.Optional("concluded", implementation.licence_concluded);
  if (const auto evidence = licensing.MaybeChild("evidence")) {
    evidence->Required("path", implementation.licence_path.emplace());
  }
}

void Read(const Object& spec, BenchmarkProtocol& protocol) {
  const Object harness = spec.Child("harness");
  harness.Required("name", protocol.harness.name);
  harness.Optional("version", protocol.harness.version);
  harness.Optional("repository", protocol.harness.repository);
  const Object measurement = spec.Child("measurement");
  measurement.Required("timer", protocol.timer);
  measurement.Optional("synchronization", protocol.synchronization);
  measurement.Optional("compileIncluded", protocol.compile_included);
  measurement.Optional("setupIncluded", protocol.setup_included);
  measurement.Optional("warmupIterations", protocol.warmup_iterations);
  measurement.Optional("warmupDuration", protocol.warmup_duration_ns);
  measurement.Optional("inputRegeneration", protocol.input_regeneration);
  measurement.Optional("outlierPolicy", protocol.outlier_policy);
  measurement.Required("primaryStatistic", protocol.primary_statistic);
  if (const auto body = spec.MaybeChild("correctness")) {
    BenchmarkProtocol::Correctness& correctness =
        protocol.correctness.emplace(BenchmarkProtocol::Correctness{});
    body->Required("reference", correctness.reference);
    body->Required("comparator", correctness.comparator);
  }
  if (const auto comparability = spec.MaybeChild("comparability")) {
    comparability->Optional("family", protocol.comparability_family);
    comparability->Optional("notes", protocol.comparability_notes);
  }
}

void Read(const Object& spec, ExecutionEnvironment& environment) {
  const Object hardware = spec.Child("hardware");
  hardware.Required("vendor", environment.vendor);
  hardware.Required("product", environment.product);
  hardware.Required("architecture", environment.architecture);
  hardware.Optional("formFactor", environment.form_factor);
  hardware.Optional("memoryBytes", environment.memory_bytes);
  hardware.Optional("count", environment.count);
  const Object software = spec.Child("software");
  software.Optional("operatingSystem", environment.operating_system);
  software.Optional("kernel", environment.kernel);
  software.Optional("driver", environment.driver);
  if (const auto settings = spec.MaybeChild("settings")) {
    settings->Optional("clocksLocked", environment.clocks_locked);
    settings->Optional("powerLimitWatts", environment.power_limit_watts);
    settings->Optional("persistenceMode", environment.persistence_mode);
    settings->Optional("eccEnabled", environment.ecc_enabled);
  }
}

BenchmarkRun::Timing ReadTiming(const Object& object) {
  BenchmarkRun::Timing timing;
  object.Required("primaryStatistic", timing.primary_statistic);
  object.Optional("samples", timing.samples);
  const Object latency = object.Child("latencyNs");
  latency.Optional("median", timing.latency_ns.median);
  latency.Optional("mean", timing.latency_ns.mean);
  latency.Optional("p05", timing.latency_ns.p05);
  latency.Optional("p95", timing.latency_ns.p95);
  latency.Optional("minimum", timing.latency_ns.minimum);
  latency.Optional("maximum", timing.latency_ns.maximum);
  latency.Optional("mad", timing.latency_ns.mad);
  std::optional<std::vector<std::int64_t>> interval;
  latency.Optional("confidence95", interval);
  if (interval) {
    if (interval->size() != 2) {
      throw ManifestError("BenchmarkRun.timing.latencyNs.confidence95: is not low and high");
    }
    timing.latency_ns.confidence95 = {interval->front(), interval->back()};
  }
  timing.raw_samples = ReadArtifact(object, "rawSamples");
  return timing;
}

BenchmarkRun::Measurement ReadMeasurement(const Object& object) {
  BenchmarkRun::Measurement measurement{};
  object.Required("metric", measurement.metric);
  object.Required("unit", measurement.unit);
  object.Required("statistic", measurement.statistic);
  object.Required("value", measurement.value);
  object.Optional("sampleCount", measurement.sample_count);
  return measurement;
}

void Read(const Object& spec, BenchmarkRun& run) {
  spec.Required("implementationDigest", run.implementation_digest);
  spec.Required("workloadDigest", run.workload_digest);
  spec.Required("protocolDigest", run.protocol_digest);
  spec.Required("environmentDigest", run.environment_digest);
  spec.Required("status", run.status);
  if (const auto body = spec.MaybeChild("correctness")) {
    BenchmarkRun::Correctness& correctness = run.correctness.emplace(BenchmarkRun::Correctness{});
    body->Required("comparator", correctness.comparator);
    body->Optional("maximumAbsoluteError", correctness.maximum_absolute_error);
    body->Optional("matchedRatio", correctness.matched_ratio);
  }
  if (const auto timing = spec.MaybeChild("timing")) run.timing = ReadTiming(*timing);
  run.measurements = spec.List("measurements", ReadMeasurement);
  if (const auto body = spec.MaybeChild("sourceNative")) {
    BenchmarkRun::SourceNative& native = run.source_native.emplace(BenchmarkRun::SourceNative{});
    body->Required("source", native.source);
    body->Optional("benchmark", native.benchmark);
    body->Optional("externalId", native.external_id);
    body->Optional("metrics", native.metrics);
  }
  if (const auto evidence = spec.MaybeChild("evidence")) {
    run.evidence.logs = ReadArtifact(*evidence, "logs");
    run.evidence.raw_samples = ReadArtifact(*evidence, "rawSamples");
    if (const auto body = evidence->MaybeChild("harness")) {
      BenchmarkRun::Harness& harness = run.evidence.harness.emplace(BenchmarkRun::Harness{});
      body->Required("repository", harness.repository);
      body->Required("commit", harness.commit);
    }
  }
  std::string observed_at;
  spec.Required("observedAt", observed_at);
  run.observed_at = ParseInstant(observed_at);
}

template <typename Kind>
ReadDocument ReadAs(const Object& document, const std::string& name) {
  Kind kind;
  kind.metadata = ReadMetadata(document.Child("metadata"));
  Read(document.Child("spec").Named(name), kind);
  Manifest manifest = Build(kind);
  return {std::move(kind), std::move(manifest)};
}

using Reader = ReadDocument (*)(const Object&, const std::string&);
constexpr std::pair<std::string_view, Reader> kReaders[] = {
    {"SoftwareProject", ReadAs<SoftwareProject>},
    {"OperationSpec", ReadAs<OperationSpec>},
    {"WorkloadCase", ReadAs<WorkloadCase>},
    {"ImplementationRevision", ReadAs<ImplementationRevision>},
    {"BenchmarkProtocol", ReadAs<BenchmarkProtocol>},
    {"ExecutionEnvironment", ReadAs<ExecutionEnvironment>},
    {"BenchmarkRun", ReadAs<BenchmarkRun>},
};

// "/spec/timing/samples" of a JSON patch as errors name it: BenchmarkRun.timing.samples.
std::string FieldOf(const std::string& kind, std::string pointer) {
  constexpr std::string_view kSpec = "/spec";
  if (pointer.starts_with(kSpec)) pointer.erase(0, kSpec.size());
  std::replace(pointer.begin(), pointer.end(), '/', '.');
  return kind + pointer;
}

bool IsSet(std::string_view pointer) {
  return pointer.starts_with("/spec/support/hardwareArchitectures") ||
         pointer.starts_with("/spec/support/dtypes");
}

// Throws for the first difference between a document and what Build makes of its fields.
void RequireSame(const std::string& kind, const json& built, const json& document) {
  for (const json& step : json::diff(built, document)) {
    const std::string& pointer = step.at("path").get_ref<const std::string&>();
    if (IsSet(pointer)) continue;
    const std::string field = FieldOf(kind, pointer);
    const std::string& change = step.at("op").get_ref<const std::string&>();
    if (change == "add")
      Fail(field, "is no field of this kind, or empty where it must be left out");
    if (change == "remove") Fail(field, "is missing");
    Fail(field, "is {}, which must be {}", step.at("value").dump(),
         built.at(json::json_pointer(pointer)).dump());
  }
}

}  // namespace

Instant ParseInstant(const std::string& text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto fits = [&](char shape, char c) { return shape == 'd' ? digit(c) : shape == c; };
  const auto number = [&](std::size_t first, std::size_t count) {
    int value = 0;
    for (std::size_t i = first; i < first + count; ++i) value = 10 * value + (text[i] - '0');
    return value;
  };
  if (text.size() == kShape.size() && std::equal(text.begin(), text.end(), kShape.begin(),
                                                 [&](char c, char s) { return fits(s, c); })) {
    const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                          std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                          std::chrono::day(static_cast<unsigned>(number(8, 2))));
    if (day.ok() && number(11, 2) < 24 && number(14, 2) < 60 && number(17, 2) < 60) {
      return std::chrono::sys_days(day) + std::chrono::hours(number(11, 2)) +
             std::chrono::minutes(number(14, 2)) + std::chrono::seconds(number(17, 2)) +
             std::chrono::milliseconds(number(20, 3));
    }
  }
  throw ManifestError(fmt::format(
      "BenchmarkRun.observedAt: {:?} is no instant like 2024-09-03T15:39:55.000Z", text));
}

ReadDocument ReadKind(const json& document) {
  const Object root(document, "document");
  std::string kind;
  root.Required("kind", kind);
  for (const auto& [name, read] : kReaders) {
    if (name != kind) continue;
    ReadDocument result = read(root.Named(kind), kind);
    const json& built = result.manifest.document;
    if (document != built) RequireSame(kind, built, document);
    return result;
  }
  Fail("document.kind", "{:?} is none that this suite writes", kind);
}

}  // namespace ropebench
