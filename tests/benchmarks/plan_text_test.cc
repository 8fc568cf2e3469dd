#include "benchmarks/plan_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "benchmarks/protocols.h"
#include "tests/benchmarks/fake_backend.h"

namespace ropebench {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class PlanTextTest : public testing::Test {
 protected:
  PlanTextTest() {
    backend_.mutable_device().peak_bytes_per_s = 2.039e12;
    PlannedCase planned;
    planned.backend = &backend_;
    planned.bench_case.backend = "cpu";
    planned.bench_case.variant = "fp32";
    planned.bench_case.protocol =
        std::get<Protocol>(ResolveProtocol("cold", "cpu", Pass::kForward));
    plan_.cases.push_back(planned);
    planned.bench_case.workload.seq = 4096;
    plan_.cases.push_back(planned);
    plan_.skipped.push_back({"x.yaml:2:5: a", "is for cuda only"});
  }

  FakeBackend backend_{"cpu", 0};
  Plan plan_;
};

TEST_F(PlanTextTest, CaseLinesAreIdBytesAndExpectedTimeBetweenTabs) {
  EXPECT_EQ(CaseLines(plan_),
            "rope/forward/cpu/fp32/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/"
            "protocol:cold\tbytes=5308416\texpected_us=2.60\n"
            "rope/forward/cpu/fp32/seq:4096/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/"
            "protocol:cold\tbytes=10616832\texpected_us=5.21\n");
}

TEST_F(PlanTextTest, SummaryCountsAndTellsAGuess) {
  EXPECT_THAT(
      PlanSummary(plan_, 1),
      HasSubstr("2 case(s), 1 skipped; 0.0159 GB in one call of each; sampling takes some"));
  EXPECT_THAT(PlanSummary(plan_, 1), testing::Not(HasSubstr("GB/s where")));
  backend_.mutable_device().peak_bytes_per_s = 0.0;
  EXPECT_THAT(PlanSummary(plan_, 1), HasSubstr("at 10 GB/s where a device names no peak"));
}

TEST_F(PlanTextTest, TheWholePlanNamesDeviceProtocolCasesAndWhatIsSkipped) {
  const std::string text = PlanText(plan_, 1);
  EXPECT_THAT(text, HasSubstr("device    cpu:0"));
  EXPECT_THAT(text, HasSubstr(ProtocolNotes(plan_.cases[0].bench_case.protocol)));
  EXPECT_EQ(text.find("protocol  cold"), text.rfind("protocol  cold"));
  EXPECT_THAT(text, HasSubstr(CaseLines(plan_)));
  EXPECT_THAT(text, HasSubstr("skipped x.yaml:2:5: a: is for cuda only\n"));
  EXPECT_TRUE(text.ends_with(PlanSummary(plan_, 1)));
}

}  // namespace
}  // namespace ropebench
