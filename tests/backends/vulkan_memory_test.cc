#include "backends/vulkan/memory_types.h"

#include <gtest/gtest.h>

#include "backends/backend.h"
#include "backends/vulkan/launch_limits.h"

namespace ropebench {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint32_t kAll = ~0u;

constexpr MemoryType DeviceOnly(std::uint64_t heap) {
  return {heap, true, false, false, false, false};
}
constexpr MemoryType Host(std::uint64_t heap) { return {heap, false, true, true, false, false}; }
constexpr MemoryType HostCached(std::uint64_t heap) {
  return {heap, false, true, true, true, false};
}
constexpr MemoryType Shared(std::uint64_t heap) { return {heap, true, true, true, false, false}; }
constexpr MemoryType SharedCached(std::uint64_t heap) {
  return {heap, true, true, true, true, false};
}
constexpr MemoryType Special(std::uint64_t heap) { return {heap, true, true, true, true, true}; }

// A discrete card with a small window, as drivers list them: a bare type first, then the good ones.
const std::vector<MemoryType> kDiscrete = {MemoryType{64 * kGiB}, DeviceOnly(8 * kGiB),
                                           Host(64 * kGiB), HostCached(64 * kGiB),
                                           Shared(256 * kMiB)};
const std::vector<MemoryType> kReBar = {DeviceOnly(8 * kGiB), Host(64 * kGiB), Shared(8 * kGiB),
                                        HostCached(64 * kGiB)};
const std::vector<MemoryType> kIntegrated = {Shared(16 * kGiB), SharedCached(16 * kGiB)};
const std::vector<MemoryType> kOneType = {SharedCached(2 * kGiB)};

struct Row {
  const char* name;
  const std::vector<MemoryType>& types;
  std::uint32_t allowed;
  std::uint64_t bytes;
  std::optional<std::uint32_t> kernel;
  std::optional<std::uint32_t> staging;
};

TEST(MemoryTypes, AreChosenByPurpose) {
  const std::vector<MemoryType> with_special = {Special(8 * kGiB), DeviceOnly(8 * kGiB),
                                                Host(8 * kGiB)};
  const std::vector<MemoryType> incoherent = {DeviceOnly(kGiB),
                                              {kGiB, false, true, false, true, false}};
  const Row rows[] = {
      {"discrete", kDiscrete, kAll, kMiB, 1, 3},
      {"discrete, no plain device memory allowed", kDiscrete, 0b10000, kMiB, 4, 4},
      {"the window is too small", kDiscrete, 0b10000, kGiB, std::nullopt, std::nullopt},
      {"larger than the card", kDiscrete, kAll, 9 * kGiB, std::nullopt, 3},
      {"resizable BAR", kReBar, kAll, 4 * kGiB, 0, 3},
      {"resizable BAR, no cached type allowed", kReBar, 0b0111, kMiB, 0, 1},
      {"integrated", kIntegrated, kAll, kMiB, 0, 1},
      {"one type for everything", kOneType, kAll, kMiB, 0, 0},
      {"one type, too large", kOneType, kAll, 3 * kGiB, std::nullopt, std::nullopt},
      {"opt-in types are never used", with_special, kAll, kMiB, 1, 2},
      {"incoherent memory is not staged in", incoherent, kAll, kMiB, 0, std::nullopt},
      {"nothing allowed", kDiscrete, 0, kMiB, std::nullopt, std::nullopt},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ChooseMemoryType(row.types, row.allowed, row.bytes, MemoryPurpose::kKernel),
              row.kernel)
        << row.name;
    EXPECT_EQ(ChooseMemoryType(row.types, row.allowed, row.bytes, MemoryPurpose::kStaging),
              row.staging)
        << row.name;
  }
}

TEST(MemoryTypes, AreReachedInPlaceOnlyWhereCoherent) {
  EXPECT_FALSE(IsHostAccessible(DeviceOnly(kGiB)));
  EXPECT_FALSE(IsHostAccessible({kGiB, true, true, false, true, false}));
  EXPECT_TRUE(IsHostAccessible(Shared(kGiB)));
}

constexpr DeviceLimits kLimits = {{65535, 65535, 65535}, 256, 128, 2 * kGiB, 3 * kGiB};

TEST(LaunchLimits, NameTheLimitThatALaunchBreaks) {
  const auto why = [](std::uint32_t size, std::uint32_t x, std::uint32_t y, std::size_t push) {
    return WhyOverLimits(kLimits, ShaderLaunch{{}, size, {}, {x, y, 1}}, push).value_or("");
  };
  EXPECT_EQ(why(256, 65535, 65535, 128), "");
  EXPECT_EQ(why(512, 1, 1, 0), "a work group of 512 invocations is outside the device's 1 to 256");
  EXPECT_EQ(why(32, 65536, 1, 0), "65536 work groups in x are outside the device's 1 to 65535");
  EXPECT_EQ(why(32, 1, 0, 0), "0 work groups in y are outside the device's 1 to 65535");
  EXPECT_EQ(why(32, 1, 1, 132),
            "132 bytes of parameters exceed the device's 128 of push constants");
}

TEST(LaunchLimits, CountTheGuardZones) {
  const auto why = [](std::vector<BufferSpec> buffers) {
    return WhyOverLimits(kLimits, CasePlan{std::move(buffers), {}}).value_or("");
  };
  const std::uint64_t largest = 2 * kGiB - 2 * kGuardBytes;
  EXPECT_EQ(why({{"q", largest, Access::kRead}}), "");
  EXPECT_EQ(why({{"q", largest + 1, Access::kRead}}),
            "q: a buffer of 2147483649 bytes exceeds the device's limit of 2147483648");
  EXPECT_EQ(why({{"q", largest, Access::kRead}, {"k", largest, Access::kRead}}),
            "needs 4294967296 bytes of device memory, the device has 3221225472");
}

}  // namespace
}  // namespace ropebench
