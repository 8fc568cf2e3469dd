#include "benchmarks/suite_run.h"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "benchmarks/environment.h"
#include "benchmarks/publish.h"
#include "benchmarks/reporter.h"
#include "benchmarks/run_case.h"
#include "evidence/run_archive.h"
#include "ropebench_revision.h"

namespace ropebench {
namespace {

// "[3/42] 12 s left" on standard error while a case runs, if that is a terminal. The time left is
// that of the cases so far, weighted by the bytes they move.
class Progress {
 public:
  explicit Progress(const std::vector<PlannedCase>& cases, int repetitions)
      : total_(cases.size() * static_cast<std::size_t>(repetitions)) {
    for (const PlannedCase& planned : cases) weight_total_ += Weight(planned) * repetitions;
  }

  void Begin(const PlannedCase& planned) {
    if (!is_terminal_) return;
    std::string left;
    if (weight_done_ > 0.0) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
      left = fmt::format(" {:.0f} s left",
                         spent.count() * (weight_total_ - weight_done_) / weight_done_);
    }
    Print(fmt::format("[{}/{}]{} {}", done_ + 1, total_, left, CaseId(planned.bench_case)));
  }

  void End(const PlannedCase& planned) {
    ++done_;
    weight_done_ += Weight(planned);
    if (is_terminal_) Print("");
  }

 private:
  // A case's fixed cost is worth about 10 MB of traffic.
  static double Weight(const PlannedCase& planned) {
    return 1e7 + static_cast<double>(MinTrafficBytes(planned.bench_case.workload));
  }
  static void Print(const std::string& text) { fmt::print(stderr, "\r\033[K{}", text); }

  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t total_;
  std::size_t done_ = 0;
  double weight_total_ = 0.0;
  double weight_done_ = 0.0;
};

// The body behind every registered benchmark.
class SuiteBody {
 public:
  // What is kept goes to each of `store` and `archive` that is there.
  SuiteBody(const std::vector<PlannedCase>& cases, int repetitions, Store* store,
            RunArchive* archive)
      : cases_(cases), store_(store), archive_(archive), progress_(cases, repetitions) {}

  void Run(std::size_t index, benchmark::State& state) {
    const PlannedCase& planned = cases_[index];
    for ([[maybe_unused]] auto unused : state) {
      if (error_) {
        state.SkipWithError("not run: an earlier result could not be kept");
        break;
      }
      try {
        progress_.Begin(planned);
        const CaseResult result = runner_.Run(*planned.backend, planned.bench_case);
        const std::string run_digest = result.is_kept ? Keep(result, planned) : "";
        progress_.End(planned);
        if (!result.passed()) {
          ++counts_.failed;
          state.SkipWithError(fmt::format("{}: {}", Name(result.status), result.detail).c_str());
          break;
        }
        ++counts_.passed;
        Report(result, run_digest, state);
      } catch (const StoreError&) {
        error_ = std::current_exception();
        state.SkipWithError("the result could not be kept");
        break;
      } catch (const std::exception& error) {
        ++counts_.failed;
        state.SkipWithError(fmt::format("no document can say it: {}", error.what()).c_str());
        break;
      }
    }
  }

  // Rethrows what ended the run early, if anything did.
  RunCounts Finish() const {
    if (error_) std::rethrow_exception(error_);
    return counts_;
  }

 private:
  std::string Keep(const CaseResult& result, const PlannedCase& planned) {
    const Publication publication = Publish(result, *planned.backend, planned.environment);
    const std::string& run_digest = publication.documents.run.digest;
    const JournalEntry entry{CaseId(planned.bench_case), std::string(Name(result.status)),
                             run_digest, publication.documents.comparison_key};
    const std::vector<Artifact> artifacts = publication.artifacts();
    if (store_ != nullptr) {
      for (const Artifact& artifact : artifacts) store_->PutArtifact(artifact);
      store_->PutRun(publication.documents);
      store_->AppendJournal(entry);
    }
    if (archive_ != nullptr) archive_->Add(publication.documents, artifacts, entry);
    return run_digest;
  }

  static void Report(const CaseResult& result, const std::string& run_digest,
                     benchmark::State& state) {
    state.SetIterationTime(result.summary.median * 1e-9);
    state.SetLabel(run_digest);
    state.counters["p20_ns"] = result.summary.p20;
    state.counters["p50_ns"] = result.summary.median;
    state.counters["p80_ns"] = result.summary.p80;
    state.counters["samples"] = static_cast<double>(result.summary.samples);
    state.counters["bytes"] = static_cast<double>(result.bytes);
    state.counters["GB_per_s"] = result.gb_per_s();
    if (result.copy_median_ns > 0.0) {
      state.counters["percent_of_copy"] = result.percent_of_copy();
    }
    if (result.is_above_peak()) state.counters["above_peak"] = 1.0;
  }

  const std::vector<PlannedCase>& cases_;
  Store* store_;
  RunArchive* archive_;
  Progress progress_;
  CaseRunner runner_;
  RunCounts counts_;
  std::exception_ptr error_;
};

// The context block of Google Benchmark's JSON, with what describes the device in place of what
// describes the host's caches.
nlohmann::ordered_json JsonContext(const std::vector<PlannedCase>& cases, const Options& options) {
  nlohmann::ordered_json context;
  context["date"] = fmt::format(
      "{:%FT%TZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  char host[256] = "unknown";
  gethostname(host, sizeof(host) - 1);
  context["host_name"] = host;
  context["executable"] = "ropebench";
  context["num_cpus"] = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef NDEBUG
  context["library_build_type"] = "release";
#else
  context["library_build_type"] = "debug";
#endif
  context["ropebench_version"] = kVersion;
  context["ropebench_commit"] = kCommit;
  context["ropebench_dirty"] = kDirty;
  context["operating_system"] = OperatingSystem();
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  std::vector<const Backend*> seen;
  for (const PlannedCase& planned : cases) {
    if (std::find(seen.begin(), seen.end(), planned.backend) != seen.end()) continue;
    seen.push_back(planned.backend);
    const DeviceInfo& device = planned.backend->device();
    devices.push_back({{"backend", device.backend},
                       {"index", device.index},
                       {"name", device.name},
                       {"architecture", device.architecture},
                       {"driver", device.driver}});
  }
  context["devices"] = devices;
  for (const auto& [key, value] : options.context) context[key] = value;
  return context;
}

// Google Benchmark takes the defaults of its flags from the environment (BENCHMARK_OUT and so on)
// as the program is loaded, which would bring back the flags that options.cc refuses or owns.
void ResetBenchmarkFlags() {
  std::string arguments[] = {"ropebench", "--benchmark_list_tests=false",
                             "--benchmark_enable_random_interleaving=false",
                             "--benchmark_out=", "--benchmark_perf_counters="};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  auto argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
}

bool UseColor(const Options& options) {
  if (options.color == "auto") return isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == nullptr;
  return options.color == "true" || options.color == "yes" || options.color == "1";
}

}  // namespace

RunCounts RunSuite(const std::vector<PlannedCase>& cases, const Options& options, Store* store) {
  RunArchive archive;
  const bool is_archived = !options.out.empty() && options.out_format == "json";
  SuiteBody body(cases, options.repetitions, store, is_archived ? &archive : nullptr);
  ConsoleStyle style{options.counters_tabular, UseColor(options), 10};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string id = CaseId(cases[i].bench_case);
    style.name_width = std::max(style.name_width, id.size());
    benchmark::RegisterBenchmark(id.c_str(),
                                 [&body, i](benchmark::State& state) { body.Run(i, state); })
        ->Iterations(1)
        ->Repetitions(options.repetitions)
        ->ReportAggregatesOnly(options.report_aggregates_only)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  SuiteReporter reporter(options.format, style, JsonContext(cases, options));
  ResetBenchmarkFlags();
  benchmark::RunSpecifiedBenchmarks(&reporter, "all");
  benchmark::ClearRegisteredBenchmarks();
  const RunCounts counts = body.Finish();
  if (!options.out.empty()) {
    WriteFileAtomically(options.out, reporter.Render(options.out_format, archive.ToJson()));
  }
  if (!std::cout) throw StoreError("cannot write the results to standard output");
  return counts;
}

}  // namespace ropebench
