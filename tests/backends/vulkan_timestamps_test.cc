#include "backends/vulkan/timestamps.h"

#include <gtest/gtest.h>

#include "backends/backend.h"

namespace ropebench {
namespace {

constexpr TimestampClock kNs = {64, 1.0};
constexpr TimestampClock k36Bits = {36, 1.0};

TEST(Timestamps, MultiplyTicksByAPeriodThatIsNoInteger) {
  const TimestampClock clock = {64, static_cast<double>(41.667f)};
  EXPECT_NEAR(ElapsedNs(clock, {1000, 1}, {1024, 1}), 1000.008, 1e-4);
}

TEST(Timestamps, WrapAtTheirValidBits) {
  const std::uint64_t end = std::uint64_t{1} << 36;
  EXPECT_EQ(ElapsedNs(k36Bits, {end - 10, 1}, {5, 1}), 15.0);
  EXPECT_EQ(ElapsedNs(kNs, {~std::uint64_t{0} - 9, 1}, {5, 1}), 15.0);
}

TEST(Timestamps, IgnoreWhatStandsAboveTheirValidBits) {
  const std::uint64_t noise = std::uint64_t{0xabc} << 36;
  EXPECT_EQ(ElapsedNs(k36Bits, {noise | 100, 1}, {(noise << 1) | 164, 1}), 64.0);
}

TEST(Timestamps, ThatEndBeforeTheyStartAreAnError) {
  EXPECT_THROW(ElapsedNs(kNs, {100, 1}, {99, 1}), DeviceError);
  EXPECT_THROW(ElapsedNs(k36Bits, {100, 1}, {99, 1}), DeviceError);
  EXPECT_EQ(ElapsedNs(kNs, {100, 1}, {100, 1}), 0.0);
}

TEST(Timestamps, ThatAreMissingAreAnError) {
  EXPECT_THROW(ElapsedNs(kNs, {100, 0}, {200, 1}), DeviceError);
  EXPECT_THROW(ElapsedNs(kNs, {100, 1}, {200, 0}), DeviceError);
  EXPECT_THROW(ElapsedNs({0, 1.0}, {100, 1}, {200, 1}), DeviceError);
}

TEST(Timestamps, ShowTheGridThatTheyLieOn) {
  const Timestamp on_32[] = {{320, 1}, {416, 1}, {416, 1}, {480, 1}};
  EXPECT_EQ(ObservedTickNs(kNs, on_32), 32.0);
  const Timestamp wrapping[] = {{(std::uint64_t{1} << 36) - 4, 1}, {4, 1}, {16, 1}};
  EXPECT_EQ(ObservedTickNs({36, 2.5}, wrapping), 10.0);
  const Timestamp equal[] = {{7, 1}, {7, 1}};
  EXPECT_EQ(ObservedTickNs({64, 41.5}, equal), 41.5);
  EXPECT_EQ(ObservedTickNs(kNs, {}), 1.0);
}

}  // namespace
}  // namespace ropebench
