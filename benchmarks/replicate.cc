#include "benchmarks/replicate.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <utility>
#include <variant>

#include "benchmarks/options.h"
#include "benchmarks/protocols.h"
#include "benchmarks/run_case.h"
#include "evidence/editorial.h"
#include "evidence/manifest_reader.h"
#include "evidence/rank.h"
#include "evidence/workload_of.h"

namespace ropebench {
namespace {

// The number that --benchmark_min_time can change, from the words of ProtocolNotes.
std::optional<std::int64_t> MinTimeOf(const BenchmarkProtocol& protocol) {
  constexpr std::string_view kWords = "that add up to ";
  const std::string notes = protocol.comparability_notes.value_or("");
  const std::size_t at = notes.find(kWords);
  if (at == std::string::npos) return std::nullopt;
  std::int64_t ns = 0;
  const char* first = notes.data() + at + kWords.size();
  const auto [end, error] = std::from_chars(first, notes.data() + notes.size(), ns);
  if (error != std::errc() || ns < 0) return std::nullopt;
  return ns;
}

Replication::Times TimesOf(const BenchmarkRun::LatencyNs& ns) {
  return {ns.median.value_or(0), ns.mad.value_or(0), ns.confidence95};
}

std::vector<std::string> WhatDiffers(const StoredRun& run, const PublishedRun& here) {
  std::vector<std::string> differences;
  for (const KeyDifference& difference :
       Differences("environment", run.environment->manifest, here.environment)) {
    differences.push_back(fmt::format("{}: {} there, {} here", difference.field, difference.first,
                                      difference.second));
  }
  const auto& source = std::get<ImplementationRevision>(run.implementation->fields).source;
  const nlohmann::json& own = here.implementation.spec()["source"]["contentDigest"];
  if (source && own != source->content_digest) {
    differences.emplace_back("the kernel's source is another one here");
  }
  return differences;
}

}  // namespace

BenchCase CaseOf(const StoredRun& run, int device) {
  const auto& protocol = std::get<BenchmarkProtocol>(run.protocol->fields);
  const auto workload =
      WorkloadOf(std::get<WorkloadCase>(run.workload->fields), run.workload->manifest.digest);
  const auto name = ProtocolNameOf(protocol);
  const auto pass = PassOf(protocol);
  const auto variant = VariantOf(std::get<ImplementationRevision>(run.implementation->fields));
  const auto& labels = run.fields().metadata.labels;
  const auto backend = labels.find("backend");
  if (!workload || !name || !pass || !variant || backend == labels.end()) {
    throw UsageError("replicate: the run is of another suite, or of a newer one");
  }
  BenchCase bench_case;
  bench_case.workload = workload->workload;
  bench_case.workload.pass = *pass;
  bench_case.identity = workload->identity;
  bench_case.backend = backend->second;
  bench_case.device = device;
  bench_case.variant = *variant;
  auto resolved = ResolveProtocol(*name, bench_case.backend, *pass);
  if (const auto* why = std::get_if<std::string>(&resolved)) {
    throw UsageError("replicate: " + *why);
  }
  bench_case.protocol = std::get<Protocol>(std::move(resolved));
  const std::optional<std::int64_t> min_time = MinTimeOf(protocol);
  if (min_time) OverrideMinTime(bench_case.protocol, *min_time);
  return bench_case;
}

Replicated Replicate(const StoredRun& run, const BenchCase& bench_case, Backend& backend,
                     const EnvironmentFacts& environment) {
  // A failed result has every document but a time: enough to compare protocols before any work.
  CaseResult untried;
  untried.bench_case = bench_case;
  untried.observed_at = std::chrono::system_clock::now();
  const Manifest protocol = Publish(untried, backend, environment).documents.protocol;
  if (protocol.digest != run.protocol->manifest.digest) {
    throw UsageError(
        fmt::format("replicate: this build's protocol {} is not the published one: {} here, {} "
                    "there",
                    bench_case.protocol.name, protocol.digest, run.protocol->manifest.digest));
  }

  const CaseResult result = CaseRunner().Run(backend, bench_case);
  Replicated replicated{{}, Publish(result, backend, environment), {}};
  const PublishedRun& here = replicated.publication.documents;
  replicated.entry = {CaseId(bench_case), std::string(Name(result.status)), here.run.digest,
                      here.comparison_key};

  Replication& replication = replicated.replication;
  replication.run_digest = run.run->manifest.digest;
  replication.observed_digest = here.run.digest;
  replication.case_id = replicated.entry.case_id;
  replication.published = TimesOf(run.fields().timing->latency_ns);
  if (result.passed()) {
    const TimingFacts facts = TimingOf(result.summary);
    replication.here = {facts.median_ns, facts.mad_ns, facts.confidence95_ns};
  } else {
    replication.trouble = fmt::format("{}: {}", Name(result.status), OneLine(result.detail));
  }
  replication.is_same_hardware =
      run.environment->manifest.spec()["hardware"] == here.environment.spec()["hardware"];
  replication.differences = WhatDiffers(run, here);
  replication.environment =
      fmt::format("{}, {}{}", environment.product, environment.operating_system.value_or("unknown"),
                  environment.driver ? ", driver " + *environment.driver : "");
  return replicated;
}

}  // namespace ropebench
