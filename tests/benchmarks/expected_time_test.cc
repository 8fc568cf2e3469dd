#include "benchmarks/expected_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "benchmarks/protocols.h"

namespace ropebench {
namespace {

BenchCase Case(const char* protocol) {
  BenchCase bench_case;
  bench_case.backend = "cuda";
  bench_case.protocol = std::get<Protocol>(ResolveProtocol(protocol, "cuda", Pass::kForward));
  return bench_case;
}

TEST(ExpectedCallNs, IsTheFewestBytesAtThePeakRate) {
  DeviceInfo device;
  device.peak_bytes_per_s = 2.039e12;
  EXPECT_NEAR(ExpectedCallNs(RopeWorkload{}, device), 2600.0, 5.0);  // A100, as published
  device.peak_bytes_per_s = 0.0;
  EXPECT_DOUBLE_EQ(ExpectedCallNs(RopeWorkload{}, device),
                   static_cast<double>(MinTrafficBytes(RopeWorkload{})) / 10.0);
}

TEST(ExpectedSamplingNs, FollowsTheProtocol) {
  DeviceInfo device;
  device.peak_bytes_per_s = 1e12;
  device.cache_bytes = 50'000'000;  // so a flush writes 100 MB in 100 us
  BenchCase cold = Case("cold");
  const double call_ns = ExpectedCallNs(cold.workload, device);
  const double samples = std::ceil(1e6 / call_ns);
  ASSERT_GT(samples, 30.0);
  EXPECT_DOUBLE_EQ(ExpectedSamplingNs(cold, device), 5 * call_ns + samples * 2 * (1e5 + call_ns));
  cold.protocol.min_time_ns = 0;
  EXPECT_DOUBLE_EQ(ExpectedSamplingNs(cold, device), 5 * call_ns + 30 * 2 * (1e5 + call_ns));
  cold.protocol.wall_limit_ns = 1000;
  EXPECT_DOUBLE_EQ(ExpectedSamplingNs(cold, device), 5 * call_ns + 1000);
  const double do_bench_ns = ExpectedSamplingNs(Case("do_bench"), device);
  EXPECT_GT(do_bench_ns, 125e6);
  EXPECT_LT(do_bench_ns, 130e6);
}

}  // namespace
}  // namespace ropebench
