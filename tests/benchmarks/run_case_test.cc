#include "benchmarks/run_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "benchmarks/protocols.h"
#include "tests/benchmarks/fake_backend.h"

namespace ropebench {
namespace {

using testing::HasSubstr;

BenchCase SmallCase() {
  BenchCase bench_case;
  bench_case.workload.seq = 8;
  bench_case.workload.q_heads = 4;
  bench_case.workload.kv_heads = 2;
  bench_case.backend = "cpu";
  bench_case.variant = "fp32";
  bench_case.protocol = std::get<Protocol>(ResolveProtocol("cold", "cpu", Pass::kForward));
  return bench_case;
}

// Changes `bytes` bytes at `offset` from the payload's start of the named buffer.
void Corrupt(PreparedCase& prepared, const CasePlan& plan, const std::string& buffer,
             std::int64_t offset, std::size_t bytes = 1) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].name != buffer) continue;
    std::vector<std::byte> image(plan.buffers[i].bytes + 2 * kGuardBytes);
    prepared.Read(i, image);
    for (std::size_t k = 0; k < bytes; ++k) {
      image[static_cast<std::size_t>(static_cast<std::int64_t>(kGuardBytes) + offset) + k] ^=
          std::byte{0x40};
    }
    prepared.Write(i, image);
    return;
  }
  FAIL() << "no buffer " << buffer;
}

TEST(RunCase, APassedCaseHasTimesCeilingsAndAVerdict) {
  FakeBackend backend;
  CaseRunner runner;
  const CaseResult result = runner.Run(backend, SmallCase());
  ASSERT_TRUE(result.passed()) << result.detail;
  EXPECT_EQ(result.summary.median, 1000.0);
  EXPECT_GE(result.samples_ns.size(), 30u);
  EXPECT_EQ(result.bytes, MinTrafficBytes(SmallCase().workload));
  EXPECT_DOUBLE_EQ(result.gb_per_s(), static_cast<double>(result.bytes) / 1000.0);
  ASSERT_EQ(result.ceilings.copies.size(), 1u);
  EXPECT_EQ(result.copy_median_ns, 1000.0);
  EXPECT_EQ(result.percent_of_copy(), 100.0);
  EXPECT_EQ(result.ceilings.floor_ns, 1000.0);
  // q and k, before and after timing.
  EXPECT_EQ(result.correctness.elements, 2 * (8 * 4 * 16 + 8 * 2 * 16));
  EXPECT_EQ(result.stop_reason, "max_samples");
}

struct FaultCase {
  const char* what;
  const char* buffer;
  std::int64_t offset;
  const char* detail;
};

TEST(RunCase, AWrongByteAnywhereEndsTheCase) {
  const std::int64_t q_bytes = 8 * 4 * 16 * 2;
  const FaultCase faults[] = {
      {"an element of q", "q", 101, "before timing: q[0, 0, 3, 2]"},
      {"the last element of k", "k", 8 * 2 * 16 * 2 - 1, "before timing: k[0, 7, 1, 15]"},
      {"one byte past q", "q", q_bytes, "q: bytes after the buffer were written"},
      {"one byte before q", "q", -1, "q: bytes before the buffer were written"},
      {"the table", "cos", 0, "cos: an input was changed"},
  };
  for (const FaultCase& fault : faults) {
    FakeBackend backend;
    backend.faults.after_launch = [&](PreparedCase& prepared, const CasePlan& plan, int) {
      Corrupt(prepared, plan, fault.buffer, fault.offset);
    };
    CaseRunner runner;
    const CaseResult result = runner.Run(backend, SmallCase());
    EXPECT_EQ(result.status, CaseStatus::kIncorrectNumerical) << fault.what;
    EXPECT_THAT(result.detail, HasSubstr(fault.detail)) << fault.what;
    EXPECT_TRUE(result.samples_ns.empty()) << fault.what;
  }
}

TEST(RunCase, AnInputChangedOutOfPlaceEndsTheCase) {
  FakeBackend backend;
  backend.faults.after_launch = [](PreparedCase& prepared, const CasePlan& plan, int) {
    Corrupt(prepared, plan, "q", 4);
  };
  BenchCase bench_case = SmallCase();
  bench_case.workload.placement = Placement::kOutOfPlace;
  CaseRunner runner;
  EXPECT_THAT(runner.Run(backend, bench_case).detail, HasSubstr("q: an input was changed"));
}

TEST(RunCase, AKernelThatWritesNothingFails) {
  for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
    FakeBackend backend;
    backend.faults.skips_launch = true;
    BenchCase bench_case = SmallCase();
    bench_case.workload.placement = placement;
    CaseRunner runner;
    EXPECT_EQ(runner.Run(backend, bench_case).status, CaseStatus::kIncorrectNumerical);
  }
}

// nvbench#270, llm.c#851: an output that is corrupted from the 11th call on was never noticed.
TEST(RunCase, AnOutputCorruptedFromTheEleventhCallOnIsFoundAfterTiming) {
  FakeBackend backend;
  backend.faults.after_launch = [](PreparedCase& prepared, const CasePlan& plan, int launch) {
    if (launch >= 11) Corrupt(prepared, plan, "k", 17);
  };
  CaseRunner runner;
  const CaseResult result = runner.Run(backend, SmallCase());
  EXPECT_EQ(result.status, CaseStatus::kIncorrectNumerical);
  EXPECT_THAT(result.detail, HasSubstr("after timing"));
  EXPECT_TRUE(result.samples_ns.empty()) << "a failed case has no time";
}

TEST(RunCase, DamageDoneByATimedLaunchAloneIsFound) {
  FakeBackend backend;
  backend.faults.after_launch = [](PreparedCase& prepared, const CasePlan& plan, int launch) {
    if (launch == 11) Corrupt(prepared, plan, "k", -1);  // once, before k's payload
  };
  CaseRunner runner;
  EXPECT_THAT(runner.Run(backend, SmallCase()).detail, HasSubstr("during timing: k: bytes before"));

  backend.faults.after_launch = [](PreparedCase& prepared, const CasePlan& plan, int launch) {
    if (launch == 11) Corrupt(prepared, plan, "q", 6);  // an input, out of place
  };
  BenchCase bench_case = SmallCase();
  bench_case.workload.placement = Placement::kOutOfPlace;
  EXPECT_THAT(runner.Run(backend, bench_case).detail, HasSubstr("during timing: q: an input"));
}

TEST(RunCase, TimesBelowATickAreNoTimes) {
  FakeBackend backend;
  backend.faults.sample_ns = 31.0;  // the fake's tick is 32 ns
  CaseRunner runner;
  const CaseResult result = runner.Run(backend, SmallCase());
  EXPECT_EQ(result.status, CaseStatus::kIncompleteEvidence);
  EXPECT_TRUE(result.samples_ns.empty());
}

TEST(RunCase, ALostDeviceIsNoFaultOfLaterKernels) {
  FakeBackend backend;
  CaseRunner runner;
  backend.faults.on_prepare = [] { throw DeviceLost("illegal address"); };
  const CaseResult first = runner.Run(backend, SmallCase());
  EXPECT_EQ(first.status, CaseStatus::kRuntimeError);
  EXPECT_TRUE(first.is_kept);
  backend.faults.on_prepare = nullptr;
  const CaseResult second = runner.Run(backend, SmallCase());
  EXPECT_FALSE(second.passed());
  EXPECT_FALSE(second.is_kept);
  EXPECT_THAT(second.detail, HasSubstr("not run"));
}

// nvbench#270, llm.c#851: a rate above the peak was printed as a triumph.
TEST(RunCase, ARateAboveThePeakIsFlagged) {
  FakeBackend backend;
  backend.mutable_device().peak_bytes_per_s = 1e9;
  CaseRunner runner;
  CaseResult result = runner.Run(backend, SmallCase());
  ASSERT_TRUE(result.passed());
  EXPECT_GT(result.gb_per_s(), 1.0);
  EXPECT_TRUE(result.is_above_peak());
  result.peak_bytes_per_s = 0.0;
  EXPECT_FALSE(result.is_above_peak());
}

TEST(RunCase, AKernelThatKeepsItsFirstOutputIsFoundByFreshInputs) {
  FakeBackend backend;
  std::vector<std::byte> first;
  backend.faults.after_launch = [&](PreparedCase& prepared, const CasePlan& plan, int) {
    std::vector<std::byte> image(plan.buffers.back().bytes + 2 * kGuardBytes);
    if (first.empty()) {
      prepared.Read(plan.buffers.size() - 1, image);
      first = image;
    }
    prepared.Write(plan.buffers.size() - 1, first);
  };
  CaseRunner runner;
  EXPECT_THAT(runner.Run(backend, SmallCase()).detail, HasSubstr("after timing: k"));
}

TEST(RunCase, WhateverIsThrownEndsThisCaseAlone) {
  FakeBackend backend;
  CaseRunner runner;
  backend.faults.on_prepare = [] { throw OutOfMemory("no room"); };
  EXPECT_EQ(runner.Run(backend, SmallCase()).status, CaseStatus::kResourceExceeded);
  backend.faults.on_prepare = [] { throw std::bad_alloc(); };
  EXPECT_EQ(runner.Run(backend, SmallCase()).status, CaseStatus::kResourceExceeded);
  backend.faults.on_prepare = [] { throw DeviceError("device lost"); };
  const CaseResult lost = runner.Run(backend, SmallCase());
  EXPECT_EQ(lost.status, CaseStatus::kRuntimeError);
  EXPECT_EQ(lost.detail, "device lost");
  backend.faults.on_prepare = nullptr;
  EXPECT_TRUE(runner.Run(backend, SmallCase()).passed());
}

}  // namespace
}  // namespace ropebench
