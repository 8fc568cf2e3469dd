#include "evidence/cite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "manifests/read_kinds.h"
#include "tests/evidence/sample_record.h"

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

BenchmarkRun SampleBenchmarkRun(const std::string& status) {
  RunRecord record = SampleRecord();
  record.status = status;
  if (status != "passed") record.timing.reset();
  return std::get<BenchmarkRun>(ReadKind(BuildRun(record).run.document).fields);
}

TEST(Citation, NamesDigestDateAndResult) {
  const std::string digest = "sha256:" + std::string(64, '5');
  EXPECT_EQ(
      Citation(SampleBenchmarkRun("passed"), digest),
      "digest  " + digest +
          "\n"
          "name    ropebench-rope-forward-cuda-vec16-seq-2048-hidden-512-q-heads-32-kv-heads-8"
          "-dtype-bf16\n"
          "date    2026-12-01\n\n"
          "ropebench. Rotary position embedding: forward, vec16 on cuda: median 2850 ns of 100 "
          "samples. Observed 2026-12-01. KernelIndex BenchmarkRun " +
          digest + ", https://example.invalid/ropebench at " + std::string(40, 'a') +
          ".\n\n"
          "@misc{ropebench-555555555555,\n"
          "  author = {{ropebench}},\n"
          "  title = {Rotary position embedding: forward, vec16 on cuda: median 2850 ns of 100 "
          "samples},\n"
          "  year = {2026},\n"
          "  note = {Observed 2026-12-01. KernelIndex BenchmarkRun " +
          digest + ", https://example.invalid/ropebench at " + std::string(40, 'a') + "}\n}\n");
}

TEST(Citation, AFailedRunIsCitedByItsStatusAndTextCannotLeaveItsField) {
  BenchmarkRun run = SampleBenchmarkRun("runtime_error");
  run.metadata.title = "a}b{c\\d_e";
  const std::string text = Citation(run, "sha256:" + std::string(64, '5'));
  EXPECT_THAT(text, HasSubstr("title = {abcd\\_e: status runtime\\_error}"));
  EXPECT_THAT(text, Not(HasSubstr("median")));
}

}  // namespace
}  // namespace ropebench
