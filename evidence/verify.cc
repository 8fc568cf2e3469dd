#include "evidence/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "evidence/editorial.h"
#include "evidence/manifest_reader.h"
#include "evidence/run_record.h"
#include "evidence/statistics.h"
#include "evidence/store.h"
#include "evidence/workload_of.h"
#include "manifests/digest.h"
#include "manifests/names.h"
#include "manifests/strict_json.h"

namespace ropebench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

bool IsHexDigest(std::string_view name) {
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// What the log of a run says of things that no document has a field for. benchmarks/publish.cc
// writes it.
struct LogFacts {
  std::optional<std::string> case_id;
  std::optional<double> tick_ns;
  std::optional<double> copy_ns;  // rounded to a nanosecond
};

std::optional<double> NumberAfter(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  const char* first = line.data() + at + words.size();
  double number = 0.0;
  const auto [end, error] = std::from_chars(first, line.data() + line.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0.0) return std::nullopt;
  return number;
}

LogFacts ReadLog(std::string_view log) {
  LogFacts facts;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    constexpr std::string_view kCase = "case      ";
    if (line.starts_with(kCase)) facts.case_id = line.substr(kCase.size());
    if (line.starts_with("stopped ")) facts.tick_ns = NumberAfter(line, "timer tick ");
    if (line.starts_with("copy ")) facts.copy_ns = NumberAfter(line, "copy      ");
  }
  return facts;
}

std::vector<double> ReadSamples(std::string_view text) {
  const json document = ParseStrictJson(text, kMaxArtifactBytes);
  const auto samples = document.find("samples");
  if (!document.is_object() || document.size() != 2 || samples == document.end() ||
      !samples->is_array() || document.value("unit", json()) != "ns") {
    throw ReadError("is not {\"samples\": [...], \"unit\": \"ns\"}");
  }
  std::vector<double> values;
  values.reserve(samples->size());
  for (const json& sample : *samples) {
    if (!sample.is_number() || sample.get<double>() < 0.0) {
      throw ReadError("has a sample that is no time in ns");
    }
    values.push_back(sample.get<double>());
  }
  if (values.empty()) throw ReadError("has no sample");
  return values;
}

class StoreVerifier {
 public:
  explicit StoreVerifier(const fs::path& folder) : folder_(folder) {}

  StoreReport Run() {
    for (const std::string& file : folder_.Files()) ReadFile(file);
    for (const auto& [digest, document] : report_.documents) {
      CheckReferences(document);
      CheckMetadata(document);
    }
    for (const auto& [digest, document] : report_.documents) {
      if (std::holds_alternative<BenchmarkRun>(document.fields)) AddRun(document);
    }
    for (StoredRun& run : report_.runs) CheckRun(run);
    CheckJournal();
    if (report_.runs.empty()) Add("manifests", "", "the store holds no run");
    std::set<std::string> with_findings;
    for (const Finding& finding : report_.findings) with_findings.insert(finding.file);
    for (StoredRun& run : report_.runs) Judge(run, with_findings);
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.file < b.file; });
    return std::move(report_);
  }

 private:
  void Add(std::string file, std::string field, std::string problem) {
    report_.findings.push_back({std::move(file), std::move(field), std::move(problem)});
  }

  // Runs `body`; what it throws is a finding about the file. False if it threw.
  template <typename Body>
  bool Guard(const std::string& file, const std::string& field, Body body) {
    try {
      body();
      return true;
    } catch (const ManifestError& error) {
      Add(file, "", error.what());  // names its field itself
    } catch (const std::exception& error) {
      Add(file, field, error.what());
    }
    return false;
  }

  void ReadFile(const std::string& file) {
    const fs::path path(file);
    const std::string name = path.filename().string();
    if (name.starts_with('.') && name.ends_with(".tmp")) return;  // of a killed writer
    if (file == kJournalName) return;
    if (file.starts_with("manifests/")) {
      Guard(file, "", [&] { ReadDocumentFile(file); });
    } else if (file.starts_with("samples/") || file.starts_with("logs/")) {
      Guard(file, "", [&] {
        const std::string digest = Sha256Digest(folder_.Read(file, kMaxArtifactBytes));
        if (HexOf(digest) != path.stem().string()) {
          throw ReadError(fmt::format("the bytes have the digest {}", digest));
        }
      });
    } else {
      report_.unchecked.push_back(fmt::format("{}: no file of a store", OneLine(file)));
    }
  }

  void ReadDocumentFile(const std::string& file) {
    ReadDocument document = ReadManifest(folder_.Read(file, kMaxManifestBytes));
    const std::string place = fmt::format("manifests/{}", FileName(document.manifest));
    if (file != place) Add(file, "", fmt::format("the document belongs into {}", place));
    std::string digest = document.manifest.digest;
    report_.documents.try_emplace(
        std::move(digest),
        StoredDocument{file, std::move(document.fields), std::move(document.manifest)});
  }

  // The document of a kind with that digest; a finding about `field` of `file` if there is none.
  template <typename Kind>
  const StoredDocument* Resolve(const std::string& file, const char* field,
                                const std::string& digest) {
    const auto found = report_.documents.find(digest);
    if (found == report_.documents.end()) {
      Add(file, field, fmt::format("{} is not in the store", digest));
      return nullptr;
    }
    if (!std::holds_alternative<Kind>(found->second.fields)) {
      Add(file, field, fmt::format("{} is a {}", digest, found->second.manifest.kind()));
      return nullptr;
    }
    return &found->second;
  }

  void CheckReferences(const StoredDocument& document) {
    if (const auto* workload = std::get_if<WorkloadCase>(&document.fields)) {
      Resolve<OperationSpec>(document.file, "WorkloadCase.operationSpecDigest",
                             workload->operation_digest);
    }
    if (const auto* implementation = std::get_if<ImplementationRevision>(&document.fields)) {
      Resolve<OperationSpec>(document.file, "ImplementationRevision.operation.specDigest",
                             implementation->operation_digest);
    }
  }

  void ExpectMetadata(const StoredDocument& document, const Metadata& expected) {
    const auto& actual = std::visit(
        [](const auto& fields) -> const Metadata& { return fields.metadata; }, document.fields);
    const auto expect = [&](const char* field, const std::string& is, const std::string& should) {
      if (is == should) return;
      Add(document.file, fmt::format("{}.metadata.{}", document.manifest.kind(), field),
          fmt::format("is {:?}, but the document gives {:?}", is, should));
    };
    expect("name", actual.name, expected.name);
    expect("title", actual.title.value_or(""), expected.title.value_or(""));
    expect("description", actual.description.value_or(""), expected.description.value_or(""));
    for (const auto& [label, value] : expected.labels) {
      const auto found = actual.labels.find(label);
      expect(fmt::format("labels.{}", label).c_str(),
             found == actual.labels.end() ? "" : found->second, value);
    }
  }

  // Only of documents of this suite; imported ones carry their source's words.
  void CheckMetadata(const StoredDocument& document) {
    if (const auto* workload = std::get_if<WorkloadCase>(&document.fields)) {
      const auto found = WorkloadOf(*workload, document.manifest.digest);
      if (!found) {
        report_.unchecked.push_back(
            fmt::format("{}: a workload that this build does not know", document.file));
        return;
      }
      const WorkloadIdentity identity = Identify(found->identity, found->workload);
      workloads_[document.manifest.digest] = *found;
      ExpectMetadata(document, MetadataOf(identity.workload));
      const auto operation = report_.documents.find(identity.operation.digest);
      if (operation != report_.documents.end()) {
        ExpectMetadata(operation->second, MetadataOf(identity.operation));
      }
    } else if (const auto* protocol = std::get_if<BenchmarkProtocol>(&document.fields)) {
      const std::optional<std::string> name = ProtocolNameOf(*protocol);
      const std::optional<Pass> pass = PassOf(*protocol);
      if (name && pass) ExpectMetadata(document, ProtocolMetadata(*name, protocol->timer, *pass));
    } else if (const auto* implementation = std::get_if<ImplementationRevision>(&document.fields)) {
      if (implementation->interface != "ropebench") return;
      const std::string variant = VariantOf(*implementation).value_or("");
      ExpectMetadata(document, ImplementationMetadata(implementation->language, variant));
      if (implementation->build_variants.size() != 1 ||
          implementation->build_variants.front().name != Kebab(variant)) {
        Add(document.file, "ImplementationRevision.metadata.title",
            "names another variant than buildVariants");
      }
    }
  }

  static Metadata MetadataOf(const Manifest& manifest) {
    return std::visit([](const auto& fields) { return fields.metadata; },
                      ReadKind(manifest.document).fields);
  }

  void AddRun(const StoredDocument& document) {
    const auto& run = std::get<BenchmarkRun>(document.fields);
    StoredRun& stored = report_.runs.emplace_back();
    stored.run = &document;
    stored.implementation = Resolve<ImplementationRevision>(
        document.file, "BenchmarkRun.implementationDigest", run.implementation_digest);
    stored.workload =
        Resolve<WorkloadCase>(document.file, "BenchmarkRun.workloadDigest", run.workload_digest);
    stored.protocol = Resolve<BenchmarkProtocol>(document.file, "BenchmarkRun.protocolDigest",
                                                 run.protocol_digest);
    stored.environment = Resolve<ExecutionEnvironment>(
        document.file, "BenchmarkRun.environmentDigest", run.environment_digest);
    if (stored.workload != nullptr) {
      const auto operation =
          report_.documents.find(std::get<WorkloadCase>(stored.workload->fields).operation_digest);
      if (operation != report_.documents.end() &&
          std::holds_alternative<OperationSpec>(operation->second.fields)) {
        stored.operation = &operation->second;
      }
    }
    if (stored.operation == nullptr || stored.protocol == nullptr ||
        stored.environment == nullptr) {
      return;
    }
    stored.comparison_key = ComparisonKey(stored.operation->manifest, stored.workload->manifest,
                                          stored.protocol->manifest, stored.environment->manifest);
  }

  void CheckRun(const StoredRun& stored) {
    const BenchmarkRun& run = stored.fields();
    const std::string& file = stored.run->file;
    if (stored.implementation != nullptr && stored.operation != nullptr &&
        std::get<ImplementationRevision>(stored.implementation->fields).operation_digest !=
            stored.operation->manifest.digest) {
      Add(file, "BenchmarkRun.implementationDigest",
          "implements another operation than the workload's");
    }
    if (run.source_native) return;  // the rest are rules of this suite's own runs
    CheckOutcome(stored);
    std::string log;
    if (run.evidence.logs) {
      log = ReadArtifact(file, "BenchmarkRun.evidence.logs", *run.evidence.logs).value_or("");
    }
    const LogFacts facts = ReadLog(log);
    CheckRunMetadata(stored, facts, log);
    if (!run.timing) return;
    if (run.timing->raw_samples.has_value() != run.evidence.raw_samples.has_value() ||
        (run.timing->raw_samples &&
         (run.timing->raw_samples->digest != run.evidence.raw_samples->digest ||
          run.timing->raw_samples->uri != run.evidence.raw_samples->uri))) {
      Add(file, "BenchmarkRun.timing.rawSamples", "is not evidence.rawSamples");
      return;
    }
    if (!run.timing->raw_samples) return;
    const std::optional<std::string> samples =
        ReadArtifact(file, "BenchmarkRun.timing.rawSamples", *run.timing->raw_samples);
    if (!samples) return;
    Guard(file, "BenchmarkRun.timing.rawSamples",
          [&] { CheckTiming(stored, ReadSamples(*samples), facts); });
  }

  // The bytes that a reference stands for; nothing, and a finding or a note, if they are not here.
  std::optional<std::string> ReadArtifact(const std::string& file, const std::string& field,
                                          const ArtifactRef& artifact) {
    if (artifact.uri.starts_with("https://")) {
      report_.unchecked.push_back(
          fmt::format("{}: {}: {} is not fetched", file, field, OneLine(artifact.uri)));
      remote_.insert(file);
      return std::nullopt;
    }
    std::optional<std::string> bytes;
    Guard(file, field, [&] {
      std::string read;
      try {
        read = folder_.Read(artifact.uri, kMaxArtifactBytes);
      } catch (const ReadError& error) {
        throw ReadError(fmt::format("{:?}: {}", artifact.uri, error.what()));
      }
      if (Sha256Digest(read) != artifact.digest) {
        throw ReadError(fmt::format("{:?} has other bytes than the digest says", artifact.uri));
      }
      bytes = std::move(read);
    });
    return bytes;
  }

  void CheckOutcome(const StoredRun& stored) {
    const BenchmarkRun& run = stored.fields();
    const std::string& file = stored.run->file;
    const bool passed = run.status == "passed";
    if (passed != run.timing.has_value()) {
      Add(file, "BenchmarkRun.timing",
          fmt::format("{} for status {}", passed ? "is missing" : "must not be given", run.status));
    }
    if (!run.correctness) {
      if (passed) Add(file, "BenchmarkRun.correctness", "is missing for status passed");
      return;
    }
    if (passed && run.correctness->matched_ratio.value_or(0.0) < 1.0) {
      Add(file, "BenchmarkRun.correctness.matchedRatio", "is below 1 for status passed");
    }
    if (stored.protocol == nullptr) return;
    const auto& rule = std::get<BenchmarkProtocol>(stored.protocol->fields).correctness;
    if (rule && rule->comparator != run.correctness->comparator) {
      Add(file, "BenchmarkRun.correctness.comparator",
          fmt::format("is not the protocol's, {}", rule->comparator));
    }
  }

  void CheckRunMetadata(const StoredRun& stored, const LogFacts& facts, const std::string& log) {
    if (stored.environment != nullptr && checked_.insert(stored.environment).second) {
      const auto& environment = std::get<ExecutionEnvironment>(stored.environment->fields);
      ExpectMetadata(*stored.environment,
                     EnvironmentMetadata(environment.product, environment.architecture));
    }
    if (stored.implementation == nullptr || stored.protocol == nullptr) return;
    const BenchmarkRun& run = stored.fields();
    const std::string& file = stored.run->file;
    for (const auto& [name, value] : run.metadata.labels) {
      if (std::find(std::begin(kRunLabels), std::end(kRunLabels), name) == std::end(kRunLabels)) {
        Add(file, fmt::format("BenchmarkRun.metadata.labels.{}", name), "is no label of a run");
      }
    }
    const auto& implementation = std::get<ImplementationRevision>(stored.implementation->fields);
    const auto label = [&](const char* name) {
      const auto found = run.metadata.labels.find(name);
      return found == run.metadata.labels.end() ? std::string() : found->second;
    };
    RunEditorial expected;
    expected.case_id = facts.case_id.value_or(label("case_id"));
    expected.pass =
        PassOf(std::get<BenchmarkProtocol>(stored.protocol->fields)).value_or(Pass::kForward);
    expected.variant = VariantOf(implementation).value_or("");
    // rope/<pass>/<backend>/<variant>/...
    const std::string_view id = expected.case_id;
    const std::size_t pass = id.find('/');
    const std::size_t backend = id.find('/', pass + 1);
    if (backend != std::string_view::npos) {
      expected.backend = id.substr(backend + 1, id.find('/', backend + 1) - backend - 1);
    }
    ExpectMetadata(*stored.run, RunMetadata(expected));

    const bool is_dirty = !run.evidence.harness;
    if (run.metadata.labels.contains("build") && (!is_dirty || label("build") != "dirty")) {
      Add(file, "BenchmarkRun.metadata.labels.build",
          "may only be dirty, where evidence names no commit");
    }
    if (run.metadata.labels.contains("base_commit") && !log.empty() &&
        log.find(label("base_commit")) == std::string::npos) {
      Add(file, "BenchmarkRun.metadata.labels.base_commit", "is not the commit in the log");
    }
  }

  void CheckTiming(const StoredRun& stored, const std::vector<double>& samples,
                   const LogFacts& facts) {
    const BenchmarkRun::Timing& timing = *stored.fields().timing;
    const std::string& file = stored.run->file;
    const Summary summary = Summarise(samples, /*tick_ns=*/0.0);
    const TimingFacts derived = TimingOf(summary);
    const BenchmarkRun::LatencyNs& ns = timing.latency_ns;
    const auto expect = [&](const char* field, std::optional<std::int64_t> is,
                            std::int64_t should) {
      if (is == should) return;
      Add(file, fmt::format("BenchmarkRun.timing.{}", field),
          fmt::format("is {}, but the raw samples give {}", is ? fmt::to_string(*is) : "missing",
                      should));
    };
    expect("samples", timing.samples, derived.samples);
    expect("latencyNs.median", ns.median, derived.median_ns);
    expect("latencyNs.mean", ns.mean, derived.mean_ns);
    expect("latencyNs.p05", ns.p05, derived.p05_ns);
    expect("latencyNs.p95", ns.p95, derived.p95_ns);
    expect("latencyNs.minimum", ns.minimum, derived.minimum_ns);
    expect("latencyNs.maximum", ns.maximum, derived.maximum_ns);
    expect("latencyNs.mad", ns.mad, derived.mad_ns);
    CheckInterval(file, ns.confidence95, samples, derived, facts);
    CheckMeasurements(stored, summary, derived, facts);
  }

  // The interval is that of the samples or, where that is narrower than the timer's tick, one tick
  // around its centre. The tick is what the log says: to six digits, so either rounding of a bound
  // that six digits leave open is right.
  void CheckInterval(const std::string& file,
                     const std::optional<std::array<std::int64_t, 2>>& interval,
                     const std::vector<double>& samples, const TimingFacts& derived,
                     const LogFacts& facts) {
    if (interval == derived.confidence95_ns) {
      // Right unless a tick should have widened it.
      if (!facts.tick_ns || !interval) return;
    }
    constexpr double kSixDigits = 5e-6;
    const double tick = facts.tick_ns.value_or(0.0);
    const auto narrow = TimingOf(Summarise(samples, tick * (1.0 - kSixDigits))).confidence95_ns;
    const auto wide = TimingOf(Summarise(samples, tick * (1.0 + kSixDigits))).confidence95_ns;
    if (narrow && wide && interval && wide->front() <= interval->front() &&
        interval->front() <= narrow->front() && narrow->back() <= interval->back() &&
        interval->back() <= wide->back()) {
      return;
    }
    const auto text = [](const std::optional<std::array<std::int64_t, 2>>& pair) {
      return pair ? fmt::format("[{}, {}]", pair->front(), pair->back()) : std::string("none");
    };
    Add(file, "BenchmarkRun.timing.latencyNs.confidence95",
        fmt::format("is {}, but the raw samples give {}{}", text(interval), text(narrow),
                    facts.tick_ns ? fmt::format(" with the log's tick of {} ns", tick)
                                  : std::string(" and no log names a tick")));
  }

  void CheckMeasurements(const StoredRun& stored, const Summary& summary,
                         const TimingFacts& derived, const LogFacts& facts) {
    const BenchmarkRun& run = stored.fields();
    const std::string& file = stored.run->file;
    std::set<std::pair<std::string, std::string>> seen;
    for (const BenchmarkRun::Measurement& m : run.measurements) {
      const std::string field =
          fmt::format("BenchmarkRun.measurements.{}.{}", m.metric, m.statistic);
      if (!seen.emplace(m.metric, m.statistic).second) Add(file, field, "is given twice");
      const auto expect = [&](double low, double high, const char* unit) {
        if (m.unit != unit) Add(file, field, fmt::format("is in {}, not {}", m.unit, unit));
        if (m.value >= low && m.value <= high) return;
        Add(file, field, fmt::format("is {}, but the evidence gives {}", m.value, low));
      };
      const auto exactly = [&](double value, const char* unit) {
        expect(value * (1.0 - 1e-12), value * (1.0 + 1e-12), unit);
      };
      if (m.metric == "latency" && (m.statistic == "p20" || m.statistic == "p80")) {
        exactly(static_cast<double>(m.statistic == "p20" ? derived.p20_ns : derived.p80_ns), "ns");
        if (m.sample_count != derived.samples) Add(file, field, "has another sampleCount");
      } else if (m.metric == "bandwidth" && m.statistic == "median") {
        const std::optional<double> bytes = BytesOf(stored);
        if (bytes) {
          exactly(*bytes / summary.median, "gb_per_s");
        } else {
          report_.unchecked.push_back(fmt::format("{}: {}", file, field));
        }
      } else if (m.metric == "percent_of_copy" && m.statistic == "median" && facts.copy_ns) {
        expect(100.0 * (*facts.copy_ns - 0.51) / summary.median,
               100.0 * (*facts.copy_ns + 0.51) / summary.median, "percent");
      } else {
        report_.unchecked.push_back(fmt::format("{}: {}", file, field));
      }
    }
    for (const char* statistic : {"p20", "p80"}) {
      if (!seen.contains({"latency", statistic})) {
        Add(file, fmt::format("BenchmarkRun.measurements.latency.{}", statistic), "is missing");
      }
    }
  }

  std::optional<double> BytesOf(const StoredRun& stored) const {
    if (stored.workload == nullptr || stored.protocol == nullptr) return std::nullopt;
    const auto found = workloads_.find(stored.workload->manifest.digest);
    const auto pass = PassOf(std::get<BenchmarkProtocol>(stored.protocol->fields));
    if (found == workloads_.end() || !pass) return std::nullopt;
    RopeWorkload workload = found->second.workload;
    if (found->second.identity == Identity::kLiger) workload.pass = *pass;
    return static_cast<double>(MinTrafficBytes(workload));
  }

  void CheckJournal() {
    std::string journal;
    const std::string file(kJournalName);
    if (!Guard(file, "", [&] { journal = folder_.Read(file, kMaxJournalBytes); })) return;
    std::set<std::string> named;
    std::string_view rest = journal;
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::string place = fmt::format("line {}", number);
      if (line.size() == rest.size()) Add(file, place, "does not end: a writer was killed");
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      Guard(file, place, [&] { CheckJournalLine(line, place, named); });
    }
    for (const StoredRun& run : report_.runs) {
      if (named.contains(run.run->manifest.digest)) continue;
      Add(file, "", fmt::format("no line names the run {}", run.run->manifest.digest));
    }
  }

  void CheckJournalLine(std::string_view line, const std::string& place,
                        std::set<std::string>& named) {
    const JournalEntry entry = ParseJournalLine(line);
    const std::string file(kJournalName);
    if (!named.insert(entry.run_digest).second) {
      Add(file, place, fmt::format("names the run {} again", entry.run_digest));
    }
    const auto stored = std::lower_bound(report_.runs.begin(), report_.runs.end(), entry.run_digest,
                                         [](const StoredRun& run, const std::string& digest) {
                                           return run.run->manifest.digest < digest;
                                         });
    if (stored == report_.runs.end() || stored->run->manifest.digest != entry.run_digest) {
      Add(file, place, fmt::format("run: {} is no run of the store", entry.run_digest));
      return;
    }
    const BenchmarkRun& run = stored->fields();
    const auto expect = [&](const char* key, const std::string& is, const std::string& should) {
      if (is == should) return;
      Add(file, place, fmt::format("{}: is {:?}, but the run gives {:?}", key, is, should));
    };
    expect("status", entry.status, run.status);
    if (!stored->comparison_key.empty()) {
      expect("comparison_key", entry.comparison_key, stored->comparison_key);
    }
    const auto label = run.metadata.labels.find("case_id");
    if (label != run.metadata.labels.end()) expect("case", entry.case_id, label->second);
    if (run.source_native && run.source_native->external_id) {
      expect("case", entry.case_id, *run.source_native->external_id);
    }
  }

  void Judge(StoredRun& stored, const std::set<std::string>& with_findings) {
    const BenchmarkRun& run = stored.fields();
    std::vector<std::string>& missing = stored.missing;
    stored.is_sound = true;
    for (const StoredDocument* document :
         {stored.run, stored.operation, stored.workload, stored.implementation, stored.protocol,
          stored.environment}) {
      if (document == nullptr || with_findings.contains(document->file)) stored.is_sound = false;
    }
    if (!stored.is_sound) missing.emplace_back("evidence without a finding");
    if (run.status != "passed") missing.emplace_back("a run that passed");
    if (!run.timing || !run.timing->raw_samples) missing.emplace_back("raw samples");
    if (!run.evidence.logs) missing.emplace_back("a log");
    if (remote_.contains(stored.run->file)) missing.emplace_back("artifacts inside the store");
    if (!run.evidence.harness) {
      missing.emplace_back("the exact commit of the harness");
    } else if (run.evidence.harness->repository.starts_with(kUnpublishedAddress)) {
      missing.emplace_back("a public repository of the harness");
    }
    if (stored.implementation != nullptr) {
      const auto& implementation = std::get<ImplementationRevision>(stored.implementation->fields);
      if (!implementation.commit) missing.emplace_back("the exact commit of the implementation");
      if (!implementation.source) missing.emplace_back("the digest of the implementation's source");
    }
    if (stored.environment != nullptr) {
      const auto& environment = std::get<ExecutionEnvironment>(stored.environment->fields);
      if (!environment.operating_system) missing.emplace_back("the environment's software");
    }
    if (!missing.empty()) return;
    stored.level = EvidenceLevel::kReproducible;
    missing.emplace_back("a run by a controlled runner");
  }

  StoreFolder folder_;
  StoreReport report_;
  std::map<std::string, IdentifiedWorkload> workloads_;
  std::set<std::string> remote_;             // files of runs with artifacts elsewhere
  std::set<const StoredDocument*> checked_;  // environments of this suite's runs
};

}  // namespace

std::string Format(const Finding& finding) {
  std::string line = OneLine(finding.file);
  if (!finding.field.empty()) line += ": " + OneLine(finding.field);
  return line + ": " + OneLine(finding.problem);
}

std::string_view Name(EvidenceLevel level) {
  return level == EvidenceLevel::kReproducible ? "Reproducible" : "Reported";
}

StoreReport VerifyStore(const fs::path& folder) { return StoreVerifier(folder).Run(); }

std::vector<Finding> VerifyFile(const fs::path& file) {
  const std::string text = ReadNamedFile(file, kMaxManifestBytes);
  const std::string stem = file.stem().string();
  std::vector<Finding> findings;
  try {
    const std::string digest = ReadManifest(text).manifest.digest;
    if (IsHexDigest(stem) && HexOf(digest) != stem) {
      findings.push_back(
          {file.string(), "", fmt::format("the document has the digest {}", digest)});
    }
  } catch (const std::invalid_argument& error) {
    findings.push_back({file.string(), "", error.what()});
  } catch (const ReadError& error) {
    findings.push_back({file.string(), "", error.what()});
  }
  return findings;
}

}  // namespace ropebench
