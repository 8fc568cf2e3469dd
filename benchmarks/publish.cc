#include "benchmarks/publish.h"

#include <fmt/format.h>

#include "benchmarks/build_facts.h"
#include "benchmarks/environment.h"
#include "benchmarks/protocols.h"
#include "evidence/build_record.h"
#include "ropebench_kernel_sources.h"
#include "ropebench_revision.h"

namespace ropebench {
namespace {

ProtocolFacts DescribeProtocol(const Protocol& protocol) {
  ProtocolFacts facts;
  facts.name = protocol.name;
  facts.version = protocol.version;
  facts.timer = Name(protocol.timer);
  facts.synchronization = protocol.procedure == Procedure::kCold ? "device_sync" : "end_of_loop";
  facts.input_regeneration = "per_case";
  facts.notes = ProtocolNotes(protocol);
  if (protocol.procedure == Procedure::kCold) facts.warmup_launches = protocol.warmup_calls;
  return facts;
}

ImplementationFacts DescribeImplementation(const KernelVariant& variant, const DeviceInfo& device) {
  ImplementationFacts facts;
  facts.variant = variant.name;
  facts.language = variant.language;
  facts.path = variant.source_path;
  facts.symbol = variant.symbol;
  for (const KernelSource& source : kKernelSources) {
    if (source.path != variant.source_path) continue;
    facts.source_digest = source.digest;
    facts.source_size_bytes = source.size_bytes;
  }
  if (facts.source_digest.empty()) {
    throw std::logic_error(fmt::format("{} is no source of this build", variant.source_path));
  }
  facts.revision = {kRepository, kCommit, kDirty};
  facts.version = kVersion;
  if (device.backend == "cuda") {
    facts.architectures = {"sm_80", "sm_90"};
    facts.requirements["cuda_toolkit"] = kCudaToolkit;
  } else if (device.backend == "vulkan") {
    facts.architectures = {"spirv"};
    facts.requirements["glsl_compiler"] = kGlslCompiler;
  } else {
    facts.architectures = {device.architecture};
  }
  for (const DtypeInfo& info : kDtypes) facts.dtypes.emplace_back(info.name);
  facts.requirements["compiler"] = kCompiler;
  facts.requirements["build"] = fmt::format("{} {} {}", kBuildType, kCxxFlags, kSanitizers);
  facts.requirements["kernel_sources"] = kKernelSourcesDigest;
  return facts;
}

TimingFacts DescribeTiming(const CaseResult& result) {
  TimingFacts facts = TimingOf(result.summary);
  facts.gb_per_s = result.gb_per_s();
  if (result.copy_median_ns > 0.0) facts.percent_of_copy = result.percent_of_copy();
  return facts;
}

// What a person wants to know of a case afterwards and no document has a field for. Verification
// (evidence/verify_run.cc) reads the case, the tick, the copy and the build record from it.
std::string LogText(const CaseResult& result, const DeviceInfo& device, const ArtifactRef& build) {
  const CorrectnessReport& checked = result.correctness;
  std::string text =
      fmt::format("case      {}\nstatus    {}\n", CaseId(result.bench_case), Name(result.status));
  if (!result.detail.empty()) text += fmt::format("detail    {}\n", result.detail);
  text += EnvironmentText(device);
  text += BuildRecordLine(build);
  text += fmt::format("protocol  {}\n", ProtocolNotes(result.bench_case.protocol));
  text += fmt::format("flush     {} bytes before each sample\n", result.flush_bytes);
  text += fmt::format(
      "checked   {} elements, {} mismatches, max abs error {:g}, max {:g} "
      "ulp, {} correctly rounded\n",
      checked.elements, checked.mismatches, checked.max_abs_error, checked.max_ulp_error,
      checked.correctly_rounded);
  if (result.passed()) {
    text += fmt::format("stopped   {}; timer tick {:g} ns\n", result.stop_reason, result.tick_ns);
    text += fmt::format("copy      {:.0f} ns, the fastest, in alternating samples\n",
                        result.copy_median_ns);
    text += fmt::format("floor     {:.0f} ns, an empty kernel\n", result.ceilings.floor_ns);
    for (const Ceilings::Copy& copy : result.ceilings.copies) {
      text += fmt::format("ceiling   {:.0f} ns, {}\n", copy.median_ns, copy.variant);
    }
    if (!result.ceilings.trouble.empty()) {
      text += fmt::format("missing   {}\n", result.ceilings.trouble);
    }
  }
  return text;
}

}  // namespace

std::vector<Artifact> Publication::artifacts() const {
  std::vector<Artifact> all = {build, log};
  if (samples) all.push_back(*samples);
  return all;
}

Publication Publish(const CaseResult& result, const Backend& backend,
                    const EnvironmentFacts& environment) {
  const BenchCase& bench_case = result.bench_case;
  const KernelVariant* variant = FindVariant(backend, bench_case.variant);
  if (variant == nullptr) throw std::logic_error("no variant " + bench_case.variant);

  Publication publication;
  publication.build = BuildRecordArtifact(DescribeBuild());
  publication.log = LogArtifact(LogText(result, backend.device(), publication.build.ref));

  RunRecord record;
  record.case_id = CaseId(bench_case);
  record.backend = bench_case.backend;
  record.identity = bench_case.identity;
  record.workload = bench_case.workload;
  record.protocol = DescribeProtocol(bench_case.protocol);
  record.environment = environment;
  record.implementation = DescribeImplementation(*variant, backend.device());
  record.harness = {kRepository, kCommit, kDirty};
  record.status = Name(result.status);
  record.log = publication.log.ref;
  record.observed_at = std::chrono::floor<std::chrono::milliseconds>(result.observed_at);
  if (result.correctness.elements > 0) {
    record.correctness = {result.correctness.max_abs_error, result.correctness.matched_ratio()};
  }
  if (result.passed() && result.is_above_peak()) record.labels["above_peak"] = "true";
  if (result.passed()) {
    record.timing = DescribeTiming(result);
    publication.samples = SamplesArtifact(result.samples_ns);
    record.raw_samples = publication.samples->ref;
  }
  publication.documents = BuildRun(record);
  return publication;
}

}  // namespace ropebench
