#include "evidence/verify_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evidence/build_record.h"
#include "evidence/editorial.h"
#include "evidence/run_record.h"
#include "evidence/statistics.h"
#include "manifests/digest.h"
#include "manifests/strict_json.h"

namespace ropebench {
namespace {

using nlohmann::json;

// What the log of a run says of things that no document has a field for. benchmarks/publish.cc
// writes it.
struct LogFacts {
  std::optional<std::string> case_id;
  std::optional<double> tick_ns;
  std::optional<double> copy_ns;  // rounded to a nanosecond
  std::optional<ArtifactRef> build;
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
    if (!facts.build) facts.build = BuildRecordOf(line);
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

class RunVerifier {
 public:
  RunVerifier(const StoredRun& stored, const StoreFolder& folder,
              const IdentifiedWorkload* workload, FindingList& findings)
      : stored_(stored),
        run_(stored.fields()),
        file_(stored.run->file),
        folder_(folder),
        workload_(workload),
        findings_(findings) {}

  void Check() {
    if (stored_.implementation != nullptr && stored_.operation != nullptr &&
        std::get<ImplementationRevision>(stored_.implementation->fields).operation_digest !=
            stored_.operation->manifest.digest) {
      Add("BenchmarkRun.implementationDigest", "implements another operation than the workload's");
    }
    if (run_.source_native) return;  // the rest are rules of this suite's own runs
    CheckOutcome();
    std::string log;
    if (run_.evidence.logs) {
      log = ReadArtifact("BenchmarkRun.evidence.logs", *run_.evidence.logs).value_or("");
    }
    const LogFacts facts = ReadLog(log);
    CheckRunMetadata(facts, log);
    if (facts.build) CheckBuild(*facts.build);
    if (!run_.timing) return;
    if (run_.timing->raw_samples.has_value() != run_.evidence.raw_samples.has_value() ||
        (run_.timing->raw_samples &&
         (run_.timing->raw_samples->digest != run_.evidence.raw_samples->digest ||
          run_.timing->raw_samples->uri != run_.evidence.raw_samples->uri))) {
      Add("BenchmarkRun.timing.rawSamples", "is not evidence.rawSamples");
      return;
    }
    if (!run_.timing->raw_samples) return;
    const std::optional<std::string> samples =
        ReadArtifact("BenchmarkRun.timing.rawSamples", *run_.timing->raw_samples);
    if (!samples) return;
    findings_.Guard(file_, "BenchmarkRun.timing.rawSamples",
                    [&] { CheckTiming(ReadSamples(*samples), facts); });
  }

  bool is_local() const { return is_local_; }

 private:
  void Add(std::string field, std::string problem) {
    findings_.Add(file_, std::move(field), std::move(problem));
  }

  // The bytes that a reference stands for; nothing, and a finding or a note, if they are not here.
  std::optional<std::string> ReadArtifact(const std::string& field, const ArtifactRef& artifact) {
    if (artifact.uri.starts_with("https://")) {
      findings_.AddUnchecked(
          fmt::format("{}: {}: {} is not fetched", file_, field, OneLine(artifact.uri)));
      is_local_ = false;
      return std::nullopt;
    }
    std::optional<std::string> bytes;
    findings_.Guard(file_, field, [&] {
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

  void CheckOutcome() {
    const bool passed = run_.status == "passed";
    if (passed != run_.timing.has_value()) {
      Add("BenchmarkRun.timing",
          fmt::format("{} for status {}", passed ? "is missing" : "must not be given",
                      run_.status));
    }
    if (!run_.correctness) {
      if (passed) Add("BenchmarkRun.correctness", "is missing for status passed");
      return;
    }
    if (passed && run_.correctness->matched_ratio.value_or(0.0) < 1.0) {
      Add("BenchmarkRun.correctness.matchedRatio", "is below 1 for status passed");
    }
    if (stored_.protocol == nullptr) return;
    const auto& rule = std::get<BenchmarkProtocol>(stored_.protocol->fields).correctness;
    if (rule && rule->comparator != run_.correctness->comparator) {
      Add("BenchmarkRun.correctness.comparator",
          fmt::format("is not the protocol's, {}", rule->comparator));
    }
  }

  void CheckBuild(const ArtifactRef& record) {
    const std::string field = "BenchmarkRun.evidence.logs";
    const std::optional<std::string> text = ReadArtifact(field, record);
    if (!text || stored_.implementation == nullptr) return;
    findings_.Guard(file_, field, [&] {
      const auto& implementation = std::get<ImplementationRevision>(stored_.implementation->fields);
      for (const std::string& line : Contradictions(*text, implementation, run_)) {
        Add(field, fmt::format("{}: {}", record.uri, line));
      }
    });
  }

  void CheckRunMetadata(const LogFacts& facts, const std::string& log) {
    if (stored_.implementation == nullptr || stored_.protocol == nullptr) return;
    for (const auto& [name, value] : run_.metadata.labels) {
      if (std::find(std::begin(kRunLabels), std::end(kRunLabels), name) == std::end(kRunLabels)) {
        Add(fmt::format("BenchmarkRun.metadata.labels.{}", name), "is no label of a run");
      }
    }
    const auto& implementation = std::get<ImplementationRevision>(stored_.implementation->fields);
    const auto label = [&](const char* name) {
      const auto found = run_.metadata.labels.find(name);
      return found == run_.metadata.labels.end() ? std::string() : found->second;
    };
    RunEditorial expected;
    expected.case_id = facts.case_id.value_or(label("case_id"));
    expected.pass =
        PassOf(std::get<BenchmarkProtocol>(stored_.protocol->fields)).value_or(Pass::kForward);
    expected.variant = VariantOf(implementation).value_or("");
    // rope/<pass>/<backend>/<variant>/...
    const std::string_view id = expected.case_id;
    const std::size_t pass = id.find('/');
    const std::size_t backend = id.find('/', pass + 1);
    if (backend != std::string_view::npos) {
      expected.backend = id.substr(backend + 1, id.find('/', backend + 1) - backend - 1);
    }
    findings_.ExpectMetadata(*stored_.run, RunMetadata(expected));

    const bool is_dirty = !run_.evidence.harness;
    if (run_.metadata.labels.contains("build") && (!is_dirty || label("build") != "dirty")) {
      Add("BenchmarkRun.metadata.labels.build",
          "may only be dirty, where evidence names no commit");
    }
    if (run_.metadata.labels.contains("base_commit") && !log.empty() &&
        log.find(label("base_commit")) == std::string::npos) {
      Add("BenchmarkRun.metadata.labels.base_commit", "is not the commit in the log");
    }
  }

  void CheckTiming(const std::vector<double>& samples, const LogFacts& facts) {
    const BenchmarkRun::Timing& timing = *run_.timing;
    const Summary summary = Summarise(samples, /*tick_ns=*/0.0);
    const TimingFacts derived = TimingOf(summary);
    const BenchmarkRun::LatencyNs& ns = timing.latency_ns;
    const auto expect = [&](const char* field, std::optional<std::int64_t> is,
                            std::int64_t should) {
      if (is == should) return;
      Add(fmt::format("BenchmarkRun.timing.{}", field),
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
    CheckInterval(ns.confidence95, samples, derived, facts);
    CheckMeasurements(summary, derived, facts);
  }

  // The interval is that of the samples or, where that is narrower than the timer's tick, one tick
  // around its centre. The tick is what the log says: to six digits, so either rounding of a bound
  // that six digits leave open is right.
  void CheckInterval(const std::optional<std::array<std::int64_t, 2>>& interval,
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
    Add("BenchmarkRun.timing.latencyNs.confidence95",
        fmt::format("is {}, but the raw samples give {}{}", text(interval), text(narrow),
                    facts.tick_ns ? fmt::format(" with the log's tick of {} ns", tick)
                                  : std::string(" and no log names a tick")));
  }

  void CheckMeasurements(const Summary& summary, const TimingFacts& derived,
                         const LogFacts& facts) {
    std::set<std::pair<std::string, std::string>> seen;
    for (const BenchmarkRun::Measurement& m : run_.measurements) {
      const std::string field =
          fmt::format("BenchmarkRun.measurements.{}.{}", m.metric, m.statistic);
      if (!seen.emplace(m.metric, m.statistic).second) Add(field, "is given twice");
      const auto expect = [&](double low, double high, const char* unit) {
        if (m.unit != unit) Add(field, fmt::format("is in {}, not {}", m.unit, unit));
        if (m.value >= low && m.value <= high) return;
        Add(field, fmt::format("is {}, but the evidence gives {}", m.value, low));
      };
      const auto exactly = [&](double value, const char* unit) {
        expect(value * (1.0 - 1e-12), value * (1.0 + 1e-12), unit);
      };
      if (m.metric == "latency" && (m.statistic == "p20" || m.statistic == "p80")) {
        exactly(static_cast<double>(m.statistic == "p20" ? derived.p20_ns : derived.p80_ns), "ns");
        if (m.sample_count != derived.samples) Add(field, "has another sampleCount");
      } else if (m.metric == "bandwidth" && m.statistic == "median") {
        const std::optional<double> bytes = BytesOf();
        if (bytes) {
          exactly(*bytes / summary.median, "gb_per_s");
        } else {
          findings_.AddUnchecked(fmt::format("{}: {}", file_, field));
        }
      } else if (m.metric == "percent_of_copy" && m.statistic == "median" && facts.copy_ns) {
        expect(100.0 * (*facts.copy_ns - 0.51) / summary.median,
               100.0 * (*facts.copy_ns + 0.51) / summary.median, "percent");
      } else {
        findings_.AddUnchecked(fmt::format("{}: {}", file_, field));
      }
    }
    for (const char* statistic : {"p20", "p80"}) {
      if (!seen.contains({"latency", statistic})) {
        Add(fmt::format("BenchmarkRun.measurements.latency.{}", statistic), "is missing");
      }
    }
  }

  std::optional<double> BytesOf() const {
    if (workload_ == nullptr || stored_.protocol == nullptr) return std::nullopt;
    const auto pass = PassOf(std::get<BenchmarkProtocol>(stored_.protocol->fields));
    if (!pass) return std::nullopt;
    RopeWorkload workload = workload_->workload;
    if (workload_->identity == Identity::kLiger) workload.pass = *pass;
    return static_cast<double>(MinTrafficBytes(workload));
  }

  const StoredRun& stored_;
  const BenchmarkRun& run_;
  const std::string& file_;
  const StoreFolder& folder_;
  const IdentifiedWorkload* workload_;
  FindingList& findings_;
  bool is_local_ = true;
};

}  // namespace

bool VerifyRun(const StoredRun& run, const StoreFolder& folder, const IdentifiedWorkload* workload,
               FindingList& findings) {
  RunVerifier verifier(run, folder, workload, findings);
  verifier.Check();
  return verifier.is_local();
}

}  // namespace ropebench
