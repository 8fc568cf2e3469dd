// A store whose runs verify: three variants under one protocol on one machine, and a run that
// failed.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/build_record.h"
#include "evidence/statistics.h"
#include "evidence/store.h"
#include "tests/evidence/sample_record.h"

namespace ropebench {

struct SampleRun {
  std::string variant;
  double base_ns = 0.0;  // the least of its samples
  double tick_ns = 1.0;
  std::string status = "passed";
  std::string timer = "cupti_kernel";
  std::string backend = "cuda";
  std::string commit = std::string(40, 'a');
  bool is_dirty = false;
};

// The record of a run, with artifacts that say what it says.
struct SampleEvidence {
  RunRecord record;
  Artifact samples;
  Artifact log;
  Artifact build;
};

inline BuildRecord SampleBuild(const std::string& commit, bool is_dirty) {
  return {.version = "0.1.0",
          .revision = {"https://github.com/example/ropebench", commit, is_dirty},
          .compilers = {{"cpp", {"GNU 12.2", "-O3"}}, {"cuda", {"13.0", "--fmad=false"}}},
          .packages = {{"fmt", "9.1.0"}},
          .kernel_sources = Sha256Digest("kernels")};
}

inline SampleEvidence MakeEvidence(const SampleRun& run) {
  constexpr double kCopyNs = 2777.0;
  SampleEvidence evidence;
  RunRecord& record = evidence.record;
  record = SampleRecord();
  record.case_id = fmt::format(
      "rope/forward/{}/{}/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/"
      "protocol:cold",
      run.backend, run.variant);
  record.backend = run.backend;
  record.protocol.timer = run.timer;
  record.implementation.variant = run.variant;
  record.implementation.path = fmt::format("kernels/cuda/{}.cu", run.variant);
  for (SourceRevision* revision : {&record.implementation.revision, &record.harness}) {
    *revision = {"https://github.com/example/ropebench", run.commit, run.is_dirty};
  }
  record.status = run.status;
  std::string log = fmt::format("case      {}\nstatus    {}\n", record.case_id, run.status);
  log += fmt::format("build     ropebench 0.1.0 {}, GNU 12.2\n", run.commit);
  evidence.build = BuildRecordArtifact(SampleBuild(run.commit, run.is_dirty));
  log += BuildRecordLine(evidence.build.ref);
  if (run.status == "passed") {
    std::vector<double> samples;
    for (int i = 0; i < 40; ++i) samples.push_back(run.base_ns + (i * 7 % 40) * run.tick_ns / 4.0);
    const Summary summary = Summarise(samples, run.tick_ns);
    record.timing = TimingOf(summary);
    record.timing->gb_per_s =
        static_cast<double>(MinTrafficBytes(record.workload)) / summary.median;
    record.timing->percent_of_copy = 100.0 * kCopyNs / summary.median;
    evidence.samples = SamplesArtifact(samples);
    record.raw_samples = evidence.samples.ref;
    log += fmt::format("stopped   samples; timer tick {:g} ns\ncopy      {:.0f} ns, the fastest\n",
                       run.tick_ns, kCopyNs);
  } else {
    record.timing.reset();
    record.correctness = CorrectnessFacts{.max_abs_error = 1.0, .matched_ratio = 0.5};
    record.raw_samples.reset();
  }
  evidence.log = LogArtifact(log);
  record.log = evidence.log.ref;
  return evidence;
}

inline PublishedRun PutSampleRun(Store& store, const SampleRun& run) {
  const SampleEvidence evidence = MakeEvidence(run);
  store.PutArtifact(evidence.build);
  store.PutArtifact(evidence.log);
  if (run.status == "passed") store.PutArtifact(evidence.samples);
  PublishedRun published = BuildRun(evidence.record);
  store.PutRun(published);
  store.AppendJournal(
      {evidence.record.case_id, run.status, published.run.digest, published.comparison_key});
  return published;
}

inline void FillSampleStore(const std::filesystem::path& folder) {
  Store store(folder);
  PutSampleRun(store, {.variant = "vec16", .base_ns = 2838.0});
  PutSampleRun(store, {.variant = "plain", .base_ns = 3400.5, .tick_ns = 32.0});
  PutSampleRun(store, {.variant = "flat16_b256", .base_ns = 2840.0, .tick_ns = 0.25});
  PutSampleRun(store, {.variant = "broken", .status = "incorrect_numerical"});
}

}  // namespace ropebench
