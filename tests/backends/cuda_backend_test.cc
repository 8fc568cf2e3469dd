// What is specific to CUDA: device facts, the two clocks against kernels of known length, the
// blocked launch, the flush, and conversions by hardware. The contract that all backends share is
// tested elsewhere.
#include "backends/cuda/cuda_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "backends/cuda/cuda_event_sampler.h"
#include "backends/cuda/cupti_sampler.h"
#include "backends/cuda/observed_tick.h"
#include "tests/backends/cuda_test_kernels.h"

namespace ropebench {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

const BackendDevices& Devices() {
  static const BackendDevices devices = OpenCudaBackend();
  return devices;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

TEST(ObservedTick, IsTheLeastDistanceOfDifferentValues) {
  EXPECT_EQ(ObservedTick({}), 0.0);
  EXPECT_EQ(ObservedTick({96.0, 96.0}), 0.0);
  EXPECT_EQ(ObservedTick({160.0, 32.0, 96.0, 224.0, 192.0}), 32.0);
  EXPECT_EQ(ObservedTick({100.0, 100.1, 132.0}), 132.0 - 100.1) << "0.1 is rounding";
}

class CudaDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (Devices().devices.empty()) GTEST_SKIP() << Devices().why_none;
  }
  Backend& backend() { return *Devices().devices.front(); }
  const KernelVariant& Find(std::string_view name) {
    for (const KernelVariant& variant : backend().variants()) {
      if (variant.name == name) return variant;
    }
    throw std::out_of_range("no such variant");
  }
};

TEST_F(CudaDeviceTest, TellsWhatTheDeviceIs) {
  const DeviceInfo& info = backend().device();
  EXPECT_EQ(info.backend, "cuda");
  EXPECT_FALSE(info.name.empty());
  EXPECT_THAT(info.architecture, testing::StartsWith("sm_"));
  EXPECT_FALSE(info.driver.empty());
  ASSERT_TRUE(info.uuid.has_value());
  EXPECT_NE(*info.uuid, (std::array<std::uint8_t, 16>{}));
  EXPECT_GT(info.memory_bytes, std::uint64_t{1} << 30);
  EXPECT_GT(info.cache_bytes, std::uint64_t{1} << 20);
  EXPECT_GT(info.peak_bytes_per_s, 1e11);
  EXPECT_LT(info.peak_bytes_per_s, 1e14);
}

TEST_F(CudaDeviceTest, RunsOutOfMemoryAndGoesOn) {
  RopeWorkload huge;
  huge.batch = 512;
  huge.seq = 1 << 20;  // 512 GiB of q
  ASSERT_FALSE(Validate(huge));
  EXPECT_THROW(backend().Prepare(Find("pair"), huge), OutOfMemory);
  backend().Prepare(Find("pair"), RopeWorkload{})->RunOnce();
}

TEST_F(CudaDeviceTest, RoundsBf16AsTheHostDoes) {
  const ConversionReport report = CompareBf16Conversions();
  EXPECT_EQ(report.compared, std::uint64_t{1} << 32);
  EXPECT_EQ(report.different, 0u) << std::hex << report.first_different;
}

TEST_F(CudaDeviceTest, RoundsFp16AsTheHostDoes) {
  const ConversionReport report = CompareFp16Conversions();
  EXPECT_EQ(report.compared, std::uint64_t{1} << 32);
  EXPECT_EQ(report.different, 0u) << std::hex << report.first_different;
}

class CudaClock : public CudaDeviceTest, public testing::WithParamInterface<Timer> {
 protected:
  static constexpr std::uint64_t kFlushBytes = std::uint64_t{256} << 20;

  void SetUp() override {
    CudaDeviceTest::SetUp();
    if (IsSkipped()) return;
    if (const auto reason = backend().WhyNoTimer(GetParam())) GTEST_SKIP() << *reason;
    device_.emplace(0);
    sampler_ = GetParam() == Timer::kCupti
                   ? MakeCuptiSampler(*device_, kFlushBytes)
                   : std::make_unique<CudaEventSampler>(*device_, kFlushBytes);
    RecordProperty("tick_ns", std::to_string(sampler_->tick_ns()));
  }

  Sampler& sampler() { return *sampler_; }
  CudaCase Spin(std::vector<std::uint64_t> lengths_ns) {
    std::vector<CudaStep> steps;
    for (std::uint64_t length_ns : lengths_ns) {
      CopyParams params{};
      params.q_in = length_ns;
      steps.push_back({SpinForLaunch(), params});
    }
    return CudaCase(*device_, {}, std::move(steps));
  }
  // A case of the first backend on the test's own device.
  std::unique_ptr<CudaCase> Case(std::string_view name, const RopeWorkload& workload) {
    for (const CudaVariant& variant : CudaVariants()) {
      if (variant.variant.name == name) return PrepareCudaCase(*device_, variant, workload);
    }
    throw std::out_of_range("no such variant");
  }

  // Samples in the order of protocol cold, optionally without its flush and with a host that is
  // slow between Start and Launch.
  std::vector<double> SampleCold(CudaCase& prepared, int count, bool flush = true,
                                 std::chrono::microseconds host_delay = {}) {
    sampler().Launch(prepared);
    sampler().Synchronize();
    for (int i = 0; i < count; ++i) {
      if (flush) sampler().Flush();
      sampler().Synchronize();
      sampler().Block();
      sampler().Start();
      if (host_delay.count() > 0) std::this_thread::sleep_for(host_delay);
      sampler().Launch(prepared);
      sampler().Stop();
      sampler().Release();
      sampler().Synchronize();
    }
    return sampler().Collect();
  }

  // What two events read beyond the kernel itself.
  double MaxOverheadNs() const { return GetParam() == Timer::kCupti ? 3000.0 : 8000.0; }

 private:
  std::optional<CudaDevice> device_;
  std::unique_ptr<Sampler> sampler_;
};

INSTANTIATE_TEST_SUITE_P(Timers, CudaClock, testing::Values(Timer::kCupti, Timer::kCudaEvents),
                         [](const auto& timer) { return std::string(Name(timer.param)); });

TEST_P(CudaClock, HasATick) {
  EXPECT_GE(sampler().tick_ns(), 1.0);
  EXPECT_LE(sampler().tick_ns(), 1100.0);
}

TEST_P(CudaClock, ReadsAKernelOfKnownLength) {
  for (const std::uint64_t length_ns : {20'000u, 50'000u, 500'000u}) {
    CudaCase spin = Spin({length_ns});
    const std::vector<double> times = SampleCold(spin, 21);
    ASSERT_EQ(times.size(), 21u);
    // The device's clock may step in microseconds.
    EXPECT_GE(Median(times), static_cast<double>(length_ns) - 1100.0);
    EXPECT_LE(Median(times), static_cast<double>(length_ns) + MaxOverheadNs());
  }
}

TEST_P(CudaClock, AddsUpTheStepsOfACase) {
  CudaCase spin = Spin({20'000, 30'000});
  const double median = Median(SampleCold(spin, 21));
  EXPECT_GE(median, 50'000.0 - 2200.0);
  EXPECT_LE(median, 50'000.0 + 2 * MaxOverheadNs());
}

TEST_P(CudaClock, RunsDoBench) {
  CudaCase spin = Spin({50'000});
  PreparedCase* const cases[] = {&spin};
  Protocol protocol;
  protocol.procedure = Procedure::kDoBench;
  EnoughSamples unused(protocol, 1);
  const SampleSet set = Sample(sampler(), cases, protocol, unused);
  EXPECT_GE(set.samples_ns.at(0).size(), 100u);
  EXPECT_NEAR(Median(set.samples_ns[0]), 50'000.0, 1100.0 + MaxOverheadNs());
}

TEST_P(CudaClock, ASlowHostDoesNotShowInABlockedLaunch) {
  const auto prepared = Case("flat16_v2", RopeWorkload{});
  const double prompt = Median(SampleCold(*prepared, 51));
  const double delayed = Median(SampleCold(*prepared, 51, true, std::chrono::microseconds(200)));
  EXPECT_NEAR(delayed, prompt, std::max(0.05 * prompt, sampler().tick_ns()));
}

TEST_P(CudaClock, TheFlushEvictsTheTensors) {
  RopeWorkload w;
  w.head_dim = w.rotary_dim = 64;  // 10.5 MB of q and k
  const auto prepared = Case("flat16_v2", w);
  const double hot = Median(SampleCold(*prepared, 31, false));
  const double cold = Median(SampleCold(*prepared, 31, true));
  EXPECT_GT(cold, 1.15 * hot);
}

TEST_P(CudaClock, ALostReleaseEndsByItself) {
  CudaCase spin = Spin({1000});
  sampler().Synchronize();
  const auto begin = steady_clock::now();
  sampler().Block();
  sampler().Start();
  sampler().Launch(spin);
  sampler().Stop();
  sampler().Synchronize();
  const auto waited = steady_clock::now() - begin;
  EXPECT_GE(waited, milliseconds(Blocker::kLimitNs / 1'000'000) - milliseconds(5));
  EXPECT_LE(waited, milliseconds(Blocker::kLimitNs / 1'000'000) * 3);
  EXPECT_EQ(sampler().Collect().size(), 1u) << "everything was enqueued in time";
  sampler().Release();

  const double next = Median(SampleCold(spin, 5));
  EXPECT_LE(next, 3000.0 + MaxOverheadNs()) << "the next block holds again";
}

TEST_P(CudaClock, AHostSlowerThanTheBlockIsAnErrorForEventsAlone) {
  CudaCase spin = Spin({1000});
  sampler().Launch(spin);
  sampler().Synchronize();
  sampler().Block();
  sampler().Start();
  std::this_thread::sleep_for(milliseconds(Blocker::kLimitNs / 1'000'000 + 200));
  sampler().Launch(spin);
  sampler().Stop();
  sampler().Release();
  if (GetParam() == Timer::kCudaEvents) {
    EXPECT_THROW(sampler().Collect(), DeviceError);
  } else {
    EXPECT_LE(sampler().Collect().at(0), 1000.0 + MaxOverheadNs());
  }
  EXPECT_EQ(SampleCold(spin, 3).size(), 3u) << "the sampler goes on";
}

}  // namespace
}  // namespace ropebench
