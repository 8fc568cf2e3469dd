#include "backends/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace ropebench {
namespace {

class FakeCase final : public PreparedCase {
 public:
  explicit FakeCase(char letter) : name(letter) {}
  void Write(std::size_t, std::span<const std::byte>) override {}
  void Read(std::size_t, std::span<std::byte>) override {}
  void RunOnce() override {}
  const char name;
};

// Writes down every operation; each Start/Stop pair takes `sample_ns`.
class FakeSampler final : public Sampler {
 public:
  void Reserve(std::size_t) override {}
  void Flush() override { log += "flush "; }
  void Block() override { log += "block "; }
  void Release() override { log += "release "; }
  void Start() override { log += "start "; }
  void Launch(PreparedCase& prepared) override {
    log += static_cast<FakeCase&>(prepared).name;
    log += ' ';
  }
  void Stop() override {
    log += "stop ";
    times_.push_back(sample_ns);
  }
  void Synchronize() override { log += "sync "; }
  std::vector<double> Collect() override { return std::exchange(times_, {}); }
  double tick_ns() const override { return 1.0; }

  std::string log;
  double sample_ns = 1e6;

 private:
  std::vector<double> times_;
};

// Stops at the first question.
class StopAtOnce final : public StopRule {
 public:
  void Add(std::size_t, double) override { ++added; }
  bool Finished() const override { return true; }
  std::string reason() const override { return "at once"; }
  int added = 0;
};

std::size_t Count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

TEST(SampleCold, FlushesAndBlocksAroundEachLaunchAndInterleavesCases) {
  FakeSampler sampler;
  FakeCase a('A'), b('B');
  PreparedCase* const cases[] = {&a, &b};
  Protocol protocol;
  protocol.warmup_calls = 2;
  StopAtOnce stop;
  const SampleSet set = Sample(sampler, cases, protocol, stop);

  const std::string one_round =
      "flush sync block start A stop release sync flush sync block start B stop release sync ";
  EXPECT_EQ(sampler.log.substr(0, 13), "A B A B sync ");
  EXPECT_EQ(sampler.log.substr(13, one_round.size()), one_round);
  EXPECT_EQ(sampler.log.size(), 13 + 10 * one_round.size());
  EXPECT_EQ(set.samples_ns.size(), 2u);
  EXPECT_EQ(set.samples_ns[0].size(), 10u);
  EXPECT_EQ(set.samples_ns[1].size(), 10u);
  EXPECT_EQ(set.stop_reason, "at once");
  EXPECT_EQ(stop.added, 20);
}

TEST(SampleCold, TheWallLimitEndsASlowCaseWithAtLeastTwoSamples) {
  FakeSampler sampler;
  FakeCase a('A');
  PreparedCase* const cases[] = {&a};
  Protocol protocol;
  protocol.wall_limit_ns = 1;
  EnoughSamples stop(protocol, 1);
  static std::int64_t time = 0;
  const SampleSet set = Sample(sampler, cases, protocol, stop, [] { return time += 10; });
  EXPECT_EQ(set.stop_reason, "wall_limit");
  EXPECT_EQ(set.samples_ns[0].size(), 2u);
}

TEST(SampleCold, ATimerThatLosesASampleIsAnError) {
  class Lossy final : public Sampler {
   public:
    void Reserve(std::size_t) override {}
    void Flush() override {}
    void Block() override {}
    void Release() override {}
    void Start() override {}
    void Launch(PreparedCase&) override {}
    void Stop() override {}
    void Synchronize() override {}
    std::vector<double> Collect() override { return {1.0}; }
    double tick_ns() const override { return 1.0; }
  } sampler;
  FakeCase a('A');
  PreparedCase* const cases[] = {&a};
  StopAtOnce stop;
  EXPECT_THROW(Sample(sampler, cases, Protocol{}, stop), DeviceError);
}

TEST(SampleDoBench, FollowsTritonStepByStep) {
  FakeSampler sampler;
  sampler.sample_ns = 50e6;  // five runs and flushes: an estimate of 10 ms
  FakeCase a('A');
  PreparedCase* const cases[] = {&a};
  Protocol protocol;
  protocol.procedure = Procedure::kDoBench;
  StopAtOnce stop;
  const SampleSet set = Sample(sampler, cases, protocol, stop);

  std::string expected = "A sync start ";
  for (int i = 0; i < 5; ++i) expected += "flush A ";
  expected += "stop sync ";
  expected += "A A ";                                              // int(25 ms / 10 ms) warm-ups
  for (int i = 0; i < 10; ++i) expected += "flush start A stop ";  // int(100 ms / 10 ms)
  expected += "sync ";
  EXPECT_EQ(sampler.log, expected);
  EXPECT_EQ(set.samples_ns[0].size(), 10u);
}

TEST(SampleDoBench, RunsAtLeastOnceHoweverSlowTheKernel) {
  FakeSampler sampler;
  sampler.sample_ns = 5e9;
  FakeCase a('A');
  PreparedCase* const cases[] = {&a};
  Protocol protocol;
  protocol.procedure = Procedure::kDoBench;
  StopAtOnce stop;
  EXPECT_EQ(Sample(sampler, cases, protocol, stop).samples_ns[0].size(), 1u);
  EXPECT_EQ(Count(sampler.log, "block"), 0u);
}

TEST(EnoughSamplesRule, AsksForSamplesAndTimeOfEveryCase) {
  Protocol protocol;
  protocol.min_samples = 3;
  protocol.max_samples = 5;
  protocol.min_time_ns = 100;
  EnoughSamples rule(protocol, 2);
  for (int i = 0; i < 3; ++i) rule.Add(0, 50.0);
  EXPECT_FALSE(rule.Finished());
  for (int i = 0; i < 3; ++i) rule.Add(1, 10.0);
  EXPECT_FALSE(rule.Finished()) << "case 1 took only 30 ns";
  rule.Add(1, 10.0);
  rule.Add(1, 10.0);
  EXPECT_TRUE(rule.Finished()) << "max_samples";
  EXPECT_EQ(rule.reason(), "max_samples");
}

TEST(FlushBytesOf, TwiceTheCacheOrTheProtocolsOwn) {
  Protocol protocol;
  DeviceInfo device;
  EXPECT_EQ(FlushBytes(protocol, device), 256u << 20);
  device.cache_bytes = 60u << 20;
  EXPECT_EQ(FlushBytes(protocol, device), 120u << 20);
  device.is_software = true;
  EXPECT_EQ(FlushBytes(protocol, device), 16u << 20);
  protocol.flush_bytes = 7;
  EXPECT_EQ(FlushBytes(protocol, device), 7u);
}

}  // namespace
}  // namespace ropebench
