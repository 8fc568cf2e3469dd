#include "benchmarks/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/benchmarks/fake_backend.h"

namespace ropebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    backends_.push_back({"cuda", {}, "no driver"});
    backends_.push_back({"vulkan", {}, ""});
    backends_.back().devices.push_back(std::make_unique<FakeBackend>("vulkan", 0));
    backends_.back().devices.push_back(std::make_unique<FakeBackend>("vulkan", 1));
    backends_.push_back({"cpu", {}, ""});
    backends_.back().devices.push_back(std::make_unique<FakeBackend>("cpu", 0));
    configs_.push_back(
        ParseSuiteConfig("sweeps:\n  - {seq: [4, 8], batch: [1, 2]}\n", "test.yaml"));
  }

  Plan MakePlan() {
    return PlanCases(configs_, ChooseDevices(backends_, options_), backends_, options_);
  }
  std::vector<std::string> Ids() {
    std::vector<std::string> ids;
    for (const PlannedCase& planned : MakePlan().cases) ids.push_back(CaseId(planned.bench_case));
    return ids;
  }
  std::string Error() {
    try {
      MakePlan();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  std::vector<BackendDevices> backends_;
  std::vector<SuiteConfig> configs_;
  Options options_;
};

TEST_F(PlanTest, AutoTakesTheFirstBackendThatHasADevice) {
  const auto devices = ChooseDevices(backends_, options_);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0]->device().backend, "vulkan");
}

TEST_F(PlanTest, NamedBackendsAndDevicesMustBeThere) {
  options_.backends = {"cpu", "vulkan"};
  EXPECT_EQ(ChooseDevices(backends_, options_).size(), 2u);
  options_.backends = {"cuda"};
  EXPECT_THAT(Error(), HasSubstr("cuda: no driver"));
  options_.backends = {"vulkan"};
  options_.device = 1;
  EXPECT_EQ(ChooseDevices(backends_, options_)[0]->device().index, 1);
  options_.device = 2;
  EXPECT_THAT(Error(), HasSubstr("--device 2: vulkan has 2 device(s)"));
}

TEST_F(PlanTest, WhatCannotRunIsSkippedWithItsReason) {
  options_.backends = {"cpu"};
  const Plan plan = MakePlan();
  EXPECT_EQ(plan.cases.size(), 6u);  // 4 workloads by 2 variants, less float64 at batch 2
  ASSERT_EQ(plan.skipped.size(), 2u);
  EXPECT_EQ(plan.skipped[0].reason, "takes one sequence");
  EXPECT_THAT(plan.skipped[0].what, HasSubstr("rope/forward/cpu/float64/seq:4"));
}

TEST_F(PlanTest, ATimerThatIsMissingSkipsAndNeverFallsBack) {
  options_.backends = {"cpu"};
  static_cast<FakeBackend&>(*backends_[2].devices[0]).faults.why_no_timer = "no clock";
  const Plan plan = MakePlan();
  EXPECT_TRUE(plan.cases.empty());
  EXPECT_EQ(plan.skipped.size(), 8u);
  EXPECT_EQ(plan.skipped[0].reason, "no clock");
}

TEST_F(PlanTest, WhatIsTooLargeIsSkippedBeforeAnyDeviceWork) {
  options_.backends = {"cpu"};
  auto& device = static_cast<FakeBackend&>(*backends_[2].devices[0]).mutable_device();
  device.max_buffer_bytes = 4096;  // q at batch 1: 4 or 8 tokens of 1024 bytes
  EXPECT_EQ(MakePlan().cases.size(), 2u);
  device.max_buffer_bytes = 0;
  device.memory_bytes = 1000;
  const Plan plan = MakePlan();
  EXPECT_TRUE(plan.cases.empty());
  EXPECT_THAT(plan.skipped[0].reason, HasSubstr("the device has 1000"));
  configs_ = {ParseSuiteConfig("sweeps:\n  - {seq: 2000000000, hidden: 512}\n", "test.yaml")};
  device.memory_bytes = UINT64_MAX;
  EXPECT_THAT(MakePlan().skipped[0].reason, HasSubstr("host memory"));
}

TEST_F(PlanTest, SelectIsExactAndComposesWithTheFilter) {
  options_.backends = {"cpu"};
  options_.select = {{"seq", "4"}, {"variant", "fp32"}};
  EXPECT_EQ(Ids().size(), 2u);
  options_.filter = "batch:2";
  EXPECT_THAT(Ids(), ElementsAre("rope/forward/cpu/fp32/seq:4/hidden:512/q_heads:32/kv_heads:8/"
                                 "dtype:bf16/protocol:cold/batch:2"));
  options_.filter = "-batch:2";
  EXPECT_EQ(Ids().size(), 1u);
}

// google/benchmark#1695: a selection that matches nothing passed silently.
TEST_F(PlanTest, NothingSelectedNamesWhatIsNear) {
  options_.backends = {"cpu"};
  options_.select = {{"seq", "5"}};
  EXPECT_THAT(Error(), HasSubstr("no case has seq=5; there is 4, 8"));
  options_.select = {{"sek", "4"}};
  EXPECT_THAT(Error(), HasSubstr("no key sek; did you mean seq?"));
  options_.select.clear();
  options_.filter = "hiden:512";
  EXPECT_THAT(Error(), HasSubstr("did you mean hidden:512?"));
  options_.filter = "rope/forwrad/cpu";
  EXPECT_THAT(Error(), HasSubstr("did you mean forward?"));
  options_.filter = "cpu/zzz";
  EXPECT_THAT(Error(), HasSubstr("; the first is rope/forward/cpu/fp32/"));
  options_.filter.clear();
  options_.variants = {"fp23"};
  EXPECT_THAT(Error(), HasSubstr("did you mean fp32?"));
  options_.variants.clear();
  options_.protocols = {"clod"};
  EXPECT_THAT(Error(), HasSubstr("did you mean cold?"));
}

TEST_F(PlanTest, WhatExistsButNotTogetherIsNotCalledMistyped) {
  options_.backends = {"cpu"};
  options_.select = {{"seq", "4"}};
  options_.filter = "seq:8/";
  EXPECT_THAT(Error(), HasSubstr("the filter matches 4 case(s), --select none of them"));
  options_.filter.clear();
  options_.select = {{"seq", "4"}, {"seq", "8"}};
  EXPECT_THAT(Error(), HasSubstr("no case has all that --select asks for"));
}

TEST_F(PlanTest, OfManyValuesTheNearestIsNamed) {
  options_.backends = {"cpu"};
  configs_ = {ParseSuiteConfig("sweeps: [{seq: {from: 1000, to: 1100, step: 1}}]", "test.yaml")};
  options_.select = {{"seq", "11000"}};
  EXPECT_THAT(Error(), HasSubstr("there is 1000, 1001,"));
  EXPECT_THAT(Error(), HasSubstr("1009 and 91 more; did you mean 1000?"));
}

TEST_F(PlanTest, ASkippedCaseThatIsNotSelectedDoesNotHideThatNothingIs) {
  options_.backends = {"cpu"};
  options_.protocols = {"cold", "do_bench"};
  options_.filter = "zzz";
  EXPECT_THAT(Error(), HasSubstr("nothing is selected"));
}

TEST_F(PlanTest, MinTimeChangesTheProtocol) {
  options_.backends = {"cpu"};
  options_.min_time_s = 0.25;
  EXPECT_EQ(MakePlan().cases.at(0).bench_case.protocol.min_time_ns, 250'000'000);
}

TEST_F(PlanTest, TwoViewsOfOneCardShareTheEnvironmentOfCuda) {
  auto cuda = std::make_unique<FakeBackend>("cuda", 0);
  cuda->mutable_device().uuid.emplace().fill(7);
  cuda->mutable_device().architecture = "sm_90";
  auto& vulkan = static_cast<FakeBackend&>(*backends_[1].devices[0]);
  vulkan.mutable_device().uuid.emplace().fill(7);
  vulkan.mutable_device().architecture = "gpu";
  backends_[0].devices.push_back(std::move(cuda));
  options_.backends = {"vulkan"};
  EXPECT_EQ(MakePlan().cases.at(0).environment.architecture, "sm_90");
  options_.device = 1;
  EXPECT_EQ(MakePlan().cases.at(0).environment.architecture,
            backends_[1].devices[1]->device().architecture);
}

}  // namespace
}  // namespace ropebench
