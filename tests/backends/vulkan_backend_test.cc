// The Vulkan backend on a device: every shader against the arithmetic of kernels/dtype.h, bit for
// bit, with transfers in place and staged, and not one error of the validation layer.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "backends/sampler.h"
#include "backends/vulkan/vulkan_options.h"
#include "kernels/case_plan.h"
#include "kernels/input_data.h"

namespace ropebench {
namespace {

using Image = std::vector<std::byte>;

struct Opened {
  std::shared_ptr<ValidationLog> log = std::make_shared<ValidationLog>();
  bool validates = true;
  BackendDevices backend;
};

// With the validation layer where there is one.
Opened Open(bool force_staging, std::uint64_t staging_bytes) {
  Opened opened;
  VulkanOptions options;
  options.validate = true;
  options.log = opened.log;
  options.force_staging = force_staging;
  options.staging_bytes = staging_bytes;
  opened.backend = OpenVulkanBackend(options);
  if (opened.backend.why_none.find("VK_LAYER_KHRONOS_validation") != std::string::npos) {
    opened.validates = false;
    options.validate = false;
    opened.backend = OpenVulkanBackend(options);
  }
  return opened;
}

// One device for all tests that need no other options.
const Opened& Shared() {
  static const auto* opened = new Opened(Open(false, 1 << 20));
  return *opened;
}

class VulkanBackendTest : public testing::Test {
 protected:
  void SetUp() override {
    if (Shared().backend.devices.empty()) GTEST_SKIP() << Shared().backend.why_none;
    backend_ = Shared().backend.devices.front().get();
  }
  void TearDown() override { EXPECT_THAT(Shared().log->messages(), testing::IsEmpty()); }

  Backend* backend_ = nullptr;
};

template <typename T>
float Load(const Image& image, std::uint64_t index) {
  T element;
  std::memcpy(&element, image.data() + kGuardBytes + index * sizeof(T), sizeof(T));
  return ToFloat(element);
}

template <typename T>
void Store(Image& image, std::uint64_t index, float value) {
  const T element = FromFloat<T>(value);
  std::memcpy(image.data() + kGuardBytes + index * sizeof(T), &element, sizeof(T));
}

// Every buffer with guard zones: tables and inputs from `fill`, the rest a pattern.
template <typename Fill>
std::vector<Image> MakeImages(const CasePlan& plan, const RopeWorkload& w, Fill&& fill) {
  std::vector<Image> images;
  for (const BufferSpec& spec : plan.buffers) {
    Image& image = images.emplace_back(kGuardBytes + spec.bytes + kGuardBytes);
    FillPattern(images.size(), image);
    if (spec.access == Access::kWrite) continue;
    const bool is_table = spec.name == "cos" || spec.name == "sin";
    fill(images.size(), is_table ? w.table_dtype : w.dtype,
         std::span(image).subspan(kGuardBytes, spec.bytes));
  }
  return images;
}

// What the plan's steps make of the images, in the order of the formula and one rounding each.
void ExpectRotation(const CasePlan& plan, const RopeWorkload& w, std::vector<Image>& images) {
  const auto rotate = [&](auto element, auto entry, const RopeParams& p, std::uint64_t in,
                          std::uint64_t out, std::uint32_t heads, std::uint64_t batch_stride,
                          std::uint64_t seq_stride, std::uint64_t head_stride) {
    using T = decltype(element);
    using Table = decltype(entry);
    const std::uint32_t half = p.rotary_dim / 2;
    const bool interleaved = w.style == Style::kInterleaved;
    for (std::uint32_t b = 0; b < p.batch; ++b) {
      for (std::uint32_t t = 0; t < p.seq; ++t) {
        for (std::uint32_t h = 0; h < heads; ++h) {
          const std::uint64_t row = b * batch_stride + t * seq_stride + h * head_stride;
          for (std::uint32_t i = 0; i < half; ++i) {
            const std::uint64_t at1 = row + (interleaved ? 2 * i : i);
            const std::uint64_t at2 = row + (interleaved ? 2 * i + 1 : i + half);
            const float x1 = Load<T>(images[in], at1);
            const float x2 = Load<T>(images[in], at2);
            const float c = Load<Table>(images[p.cos], std::uint64_t{t} * p.table_stride + i);
            const float table_s = Load<Table>(images[p.sin], std::uint64_t{t} * p.table_stride + i);
            const float s = p.sin_sign_bit != 0 ? -table_s : table_s;
            Store<T>(images[out], at1, x1 * c - x2 * s);
            Store<T>(images[out], at2, x2 * c + x1 * s);
          }
          for (std::uint32_t d = p.rotary_dim; d < p.head_dim && in != out; ++d) {
            std::memcpy(images[out].data() + kGuardBytes + (row + d) * sizeof(T),
                        images[in].data() + kGuardBytes + (row + d) * sizeof(T), sizeof(T));
          }
        }
      }
    }
  };
  for (const LaunchStep& step : plan.steps) {
    const RopeParams& p = std::get<RopeParams>(step.params);
    VisitDtype(w.dtype, [&](auto element) {
      VisitDtype(w.table_dtype, [&](auto entry) {
        rotate(element, entry, p, p.q_in, p.q_out, p.q_heads, p.q_batch_stride, p.q_seq_stride,
               p.q_head_stride);
        rotate(element, entry, p, p.k_in, p.k_out, p.kv_heads, p.k_batch_stride, p.k_seq_stride,
               p.k_head_stride);
      });
    });
  }
}

std::vector<Image> RunOn(PreparedCase& prepared, const std::vector<Image>& images) {
  for (std::size_t i = 0; i < images.size(); ++i) prepared.Write(i, images[i]);
  prepared.RunOnce();
  std::vector<Image> results;
  for (std::size_t i = 0; i < images.size(); ++i) {
    results.emplace_back(images[i].size());
    prepared.Read(i, results.back());
  }
  return results;
}

// Checks every rope variant that supports the workload; returns how many did.
int CheckRotation(Backend& backend, const RopeWorkload& w) {
  const auto error = Validate(w);
  EXPECT_FALSE(error) << error->field << ": " << error->rule;
  const CasePlan plan = MakePlan(w, KernelRole::kRope);
  const std::vector<Image> images = MakeImages(plan, w, FillUniform);
  std::vector<Image> expected = images;
  ExpectRotation(plan, w, expected);
  int checked = 0;
  for (const KernelVariant& variant : backend.variants()) {
    if (variant.role != KernelRole::kRope || backend.WhyUnsupported(variant, w)) continue;
    const auto prepared = backend.Prepare(variant, w);
    const std::vector<Image> results = RunOn(*prepared, images);
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_TRUE(results[i] == expected[i])
          << variant.name << ": " << plan.buffers[i].name << ": " << CanonicalText(w);
    }
    ++checked;
  }
  return checked;
}

RopeWorkload Small(std::int64_t head_dim, Dtype dtype) {
  RopeWorkload w;
  w.seq = 5;
  w.q_heads = 3;
  w.kv_heads = 2;
  w.head_dim = w.rotary_dim = head_dim;
  w.dtype = w.table_dtype = dtype;
  return w;
}

constexpr Dtype kAllDtypes[] = {Dtype::kFp32, Dtype::kFp16, Dtype::kBf16};

TEST_F(VulkanBackendTest, RotatesEveryDtypeAndHeadDim) {
  for (Dtype dtype : kAllDtypes) {
    for (std::int64_t head_dim : {2, 4, 6, 8, 10, 16, 18, 64, 80, 96, 112, 128, 256}) {
      RopeWorkload w = Small(head_dim, dtype);
      w.pass = Pass::kFull;
      const bool whole_vectors = head_dim / 2 * Info(dtype).size_bytes % 16 == 0;
      EXPECT_EQ(CheckRotation(*backend_, w), whole_vectors ? 2 : 1) << CanonicalText(w);
    }
  }
}

TEST_F(VulkanBackendTest, RotatesOutOfPlaceAndWithATail) {
  for (Dtype dtype : kAllDtypes) {
    for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
      for (std::int64_t rotary_dim : {2, 6, 16, 32, 64}) {
        RopeWorkload w = Small(64, dtype);
        w.rotary_dim = rotary_dim;
        w.placement = placement;
        EXPECT_GE(CheckRotation(*backend_, w), 1);
      }
    }
  }
}

TEST_F(VulkanBackendTest, ReadsTablesOfAnotherDtype) {
  for (Dtype dtype : kAllDtypes) {
    for (Dtype table : kAllDtypes) {
      for (std::int64_t head_dim : {6, 32}) {
        RopeWorkload w = Small(head_dim, dtype);
        w.table_dtype = table;
        EXPECT_GE(CheckRotation(*backend_, w), 1);
      }
    }
  }
}

TEST_F(VulkanBackendTest, FollowsBatchLayoutAndHeadCounts) {
  for (Layout layout : {Layout::kBshd, Layout::kBhsd}) {
    for (auto [batch, q_heads, kv_heads] :
         {std::tuple{1, 1, 1}, {3, 1, 5}, {2, 7, 1}, {2, 4, 4}, {1, 32, 8}}) {
      for (std::int64_t head_dim : {10, 12, 32}) {
        RopeWorkload w = Small(head_dim, Dtype::kBf16);
        w.layout = layout;
        w.batch = batch;
        w.q_heads = q_heads;
        w.kv_heads = kv_heads;
        w.placement = batch == 2 ? Placement::kOutOfPlace : Placement::kInPlace;
        EXPECT_GE(CheckRotation(*backend_, w), 1);
      }
    }
  }
}

TEST_F(VulkanBackendTest, RotatesInterleavedPairs) {
  for (Dtype dtype : kAllDtypes) {
    for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
      RopeWorkload w = Small(14, dtype);
      w.rotary_dim = 10;
      w.style = Style::kInterleaved;
      w.placement = placement;
      w.pass = Pass::kBackward;
      EXPECT_GE(CheckRotation(*backend_, w), 1);
    }
  }
}

TEST_F(VulkanBackendTest, RotatesRandomWorkloads) {
  std::mt19937 random(20240917);
  const auto pick = [&random](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1));
  };
  for (int i = 0; i < 60; ++i) {
    RopeWorkload w;
    w.pass = static_cast<Pass>(pick(0, 2));
    w.batch = pick(1, 3);
    w.seq = pick(1, 40);
    w.q_heads = pick(1, 9);
    w.kv_heads = pick(1, 9);
    w.head_dim = pick(0, 1) != 0 ? 16 * pick(1, 10) : 2 * pick(1, 70);
    w.rotary_dim = pick(0, 2) != 0 ? w.head_dim : 2 * pick(1, w.head_dim / 2);
    w.dtype = static_cast<Dtype>(pick(0, 2));
    w.table_dtype = pick(0, 1) != 0 ? w.dtype : Dtype::kFp32;
    w.style = pick(0, 4) == 0 ? Style::kInterleaved : Style::kHalf;
    w.layout = static_cast<Layout>(pick(0, 1));
    w.placement = static_cast<Placement>(pick(0, 1));
    EXPECT_GE(CheckRotation(*backend_, w), 1);
  }
}

TEST_F(VulkanBackendTest, RotatesMoreTokensThanOneAxisHasGroups) {
  RopeWorkload w = Small(2, Dtype::kFp16);
  w.q_heads = w.kv_heads = 64;
  w.seq = 70'000;  // 128 heads a token make one group each: 70000 groups
  EXPECT_EQ(CheckRotation(*backend_, w), 1);
}

// Every bit pattern of a 16-bit dtype as x1 and as x2, NaN and infinities included. NaNs count as
// one class. Denormal fp32 intermediates may be flushed where a device does not preserve them, so
// pairs that have one are counted apart.
TEST_F(VulkanBackendTest, ConvertsEveryBitPattern) {
  for (Dtype dtype : {Dtype::kFp16, Dtype::kBf16}) {
    RopeWorkload w = Small(256, dtype);
    w.seq = 256;
    w.q_heads = w.kv_heads = 1;
    const CasePlan plan = MakePlan(w, KernelRole::kRope);
    const std::vector<Image> images =
        MakeImages(plan, w, [](std::size_t seed, Dtype element, std::span<std::byte> bytes) {
          FillUniform(seed, element, bytes);
          if (bytes.size() != std::size_t{65536} * 2) return;
          for (std::size_t i = 0; i < 65536; ++i) {
            const auto bits = static_cast<std::uint16_t>(seed % 2 == 0 ? i : i * 40503u);
            std::memcpy(bytes.data() + 2 * i, &bits, 2);
          }
        });
    std::vector<Image> expected = images;
    ExpectRotation(plan, w, expected);
    for (const KernelVariant& variant : backend_->variants()) {
      if (variant.role != KernelRole::kRope) continue;
      const auto results = RunOn(*backend_->Prepare(variant, w), images);
      int flushed = 0;
      for (std::size_t i = 0; i < results.size(); ++i) {
        for (std::uint64_t e = 0; e < plan.buffers[i].bytes / 2; ++e) {
          const auto value = [&](const Image& image) {
            return dtype == Dtype::kFp16 ? Load<Fp16>(image, e) : Load<Bf16>(image, e);
          };
          const float got = value(results[i]);
          const float want = value(expected[i]);
          if (std::isnan(got) && std::isnan(want)) continue;
          if (std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want)) continue;
          if (std::abs(want) < 0x1p-120f && std::abs(got - want) <= 0x1p-126f) {
            ++flushed;
            continue;
          }
          ADD_FAILURE() << variant.name << " " << Info(dtype).name << " " << plan.buffers[i].name
                        << "[" << e << "]: " << got << ", not " << want;
          break;
        }
      }
      RecordProperty(fmt::format("flushed_{}_{}", variant.name, Info(dtype).name), flushed);
      if (dtype == Dtype::kFp16) {
        EXPECT_EQ(flushed, 0) << variant.name;
      }
    }
  }
}

TEST_F(VulkanBackendTest, CopiesEveryVectorAndNoOther) {
  for (std::int64_t seq : {1, 63, 2049}) {
    for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
      RopeWorkload w = Small(16, Dtype::kBf16);
      w.seq = seq;
      w.pass = Pass::kFull;
      w.placement = placement;
      const CasePlan plan = MakePlan(w, KernelRole::kCopy);
      const std::vector<Image> images = MakeImages(plan, w, FillUniform);
      std::vector<Image> expected = images;
      for (const LaunchStep& step : plan.steps) {
        const CopyParams& p = std::get<CopyParams>(step.params);
        const auto flip = [&](std::uint64_t in, std::uint64_t out, std::uint64_t vectors) {
          for (std::uint64_t i = 0; i < vectors * 4; ++i) {
            std::uint32_t word;
            std::memcpy(&word, images[in].data() + kGuardBytes + i * 4, 4);
            word ^= p.mask;
            std::memcpy(expected[out].data() + kGuardBytes + i * 4, &word, 4);
          }
        };
        flip(p.q_in, p.q_out, p.q_vectors);
        flip(p.k_in, p.k_out, p.k_vectors);
      }
      for (const KernelVariant& variant : backend_->variants()) {
        if (variant.role != KernelRole::kCopy) continue;
        EXPECT_TRUE(RunOn(*backend_->Prepare(variant, w), images) == expected) << variant.name;
      }
    }
  }
}

TEST_F(VulkanBackendTest, StagesInChunksToTheSameBytes) {
  for (std::uint64_t chunk : {std::uint64_t{1000}, std::uint64_t{8192}, std::uint64_t{1} << 26}) {
    const Opened staged = Open(true, chunk);
    ASSERT_FALSE(staged.backend.devices.empty());
    RopeWorkload w = Small(80, Dtype::kBf16);
    w.seq = 37;
    w.placement = Placement::kOutOfPlace;
    EXPECT_EQ(CheckRotation(*staged.backend.devices.front(), w), 2);
    EXPECT_THAT(staged.log->messages(), testing::IsEmpty());
  }
}

TEST_F(VulkanBackendTest, RefusesWhatExceedsALimitBeforeAnyDeviceWork) {
  RopeWorkload w;
  w.head_dim = w.rotary_dim = 256;
  w.q_heads = w.kv_heads = 1024;
  w.seq = 1 << 20;
  for (const KernelVariant& variant : backend_->variants()) {
    if (variant.role == KernelRole::kEmpty) continue;
    const auto why = backend_->WhyUnsupported(variant, w);
    ASSERT_TRUE(why) << variant.name;
    EXPECT_THROW(backend_->Prepare(variant, w), DeviceError) << variant.name;
  }
}

TEST_F(VulkanBackendTest, SaysOutOfMemoryForAFlushThatDoesNotFit) {
  if (backend_->WhyNoTimer(Timer::kVulkanTimestamps)) GTEST_SKIP();
  EXPECT_THROW(backend_->MakeSampler(Timer::kVulkanTimestamps, std::uint64_t{1} << 60),
               OutOfMemory);
}

TEST_F(VulkanBackendTest, DescribesItsDevice) {
  const DeviceInfo& device = backend_->device();
  EXPECT_EQ(device.backend, "vulkan");
  EXPECT_EQ(device.index, 0);
  EXPECT_FALSE(device.name.empty());
  EXPECT_FALSE(device.vendor.empty());
  EXPECT_FALSE(device.driver.empty());
  EXPECT_GT(device.memory_bytes, 0u);
  EXPECT_GT(device.max_buffer_bytes, 0u);
}

TEST_F(VulkanBackendTest, OffersTimestampsOnly) {
  EXPECT_THAT(backend_->timers(), testing::ElementsAre(Timer::kVulkanTimestamps));
  EXPECT_TRUE(backend_->WhyNoTimer(Timer::kCupti));
  EXPECT_TRUE(backend_->WhyNoTimer(Timer::kHostClock));
}

class VulkanSamplerTest : public VulkanBackendTest {
 protected:
  void SetUp() override {
    VulkanBackendTest::SetUp();
    if (IsSkipped()) return;
    if (const auto why = backend_->WhyNoTimer(Timer::kVulkanTimestamps)) GTEST_SKIP() << *why;
    sampler_ = backend_->MakeSampler(Timer::kVulkanTimestamps, 1 << 16);
  }
  void TearDown() override {
    sampler_.reset();
    VulkanBackendTest::TearDown();
  }

  std::unique_ptr<PreparedCase> PrepareNamed(std::string_view name, const RopeWorkload& w) {
    for (const KernelVariant& variant : backend_->variants()) {
      if (variant.name == name) return backend_->Prepare(variant, w);
    }
    throw std::logic_error("no such variant");
  }

  std::unique_ptr<Sampler> sampler_;
};

TEST_F(VulkanSamplerTest, ReturnsOneTimePerPairAcrossSubmissionsAndQueryPools) {
  const auto prepared = PrepareNamed("copy_v1_g128", Small(16, Dtype::kBf16));
  constexpr int kPairs = 600;  // more than two pools and nine submissions hold
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kPairs; ++i) {
      sampler_->Flush();
      sampler_->Start();
      sampler_->Launch(*prepared);
      sampler_->Stop();
    }
    const std::vector<double> times = sampler_->Collect();
    EXPECT_THAT(times, testing::SizeIs(kPairs));
    EXPECT_THAT(times, testing::Each(testing::Gt(0.0)));
    EXPECT_THAT(sampler_->Collect(), testing::IsEmpty());
  }
  EXPECT_GT(sampler_->tick_ns(), 0.0);
}

TEST_F(VulkanSamplerTest, LaunchesExactlyAsOftenAsAskedInOrder) {
  // In place, a copy flips every bit of its mask: an odd count leaves it flipped.
  RopeWorkload w = Small(16, Dtype::kBf16);
  w.pass = Pass::kFull;
  const CasePlan plan = MakePlan(w, KernelRole::kCopy);
  const auto prepared = PrepareNamed("copy_v4_g256", w);
  const std::vector<Image> images = MakeImages(plan, w, FillUniform);
  for (int launches : {1, 2, 201}) {
    for (std::size_t i = 0; i < images.size(); ++i) prepared->Write(i, images[i]);
    for (int i = 0; i < launches; ++i) sampler_->Launch(*prepared);
    sampler_->Synchronize();
    Image result(images[0].size());
    prepared->Read(0, result);
    EXPECT_EQ(result == images[0], launches % 2 == 0) << launches;
  }
}

TEST_F(VulkanSamplerTest, RepeatedLaunchesInPlaceDoNotOverlap) {
  const RopeWorkload w = Small(128, Dtype::kFp32);
  const CasePlan plan = MakePlan(w, KernelRole::kRope);
  const std::vector<Image> images = MakeImages(plan, w, FillUniform);
  std::vector<Image> expected = images;
  constexpr int kLaunches = 20;
  for (int i = 0; i < kLaunches; ++i) ExpectRotation(plan, w, expected);
  const auto prepared = PrepareNamed("vec16", w);
  for (std::size_t i = 0; i < images.size(); ++i) prepared->Write(i, images[i]);
  for (int i = 0; i < kLaunches; ++i) sampler_->Launch(*prepared);
  sampler_->Synchronize();
  for (std::size_t i = 0; i < images.size(); ++i) {
    Image result(images[i].size());
    prepared->Read(i, result);
    EXPECT_TRUE(result == expected[i]) << plan.buffers[i].name;
  }
}

TEST_F(VulkanSamplerTest, TimesTheLaunchAndNotTheFlush) {
  RopeWorkload large;
  large.head_dim = large.rotary_dim = 64;
  const auto heavy = PrepareNamed("vec16", large);
  const auto empty = PrepareNamed("empty", large);
  const auto sampler = backend_->MakeSampler(Timer::kVulkanTimestamps, 64 << 20);
  const auto fastest = [&](PreparedCase& prepared) {
    sampler->Launch(prepared);
    sampler->Synchronize();
    for (int i = 0; i < 5; ++i) {
      sampler->Flush();
      sampler->Start();
      sampler->Launch(prepared);
      sampler->Stop();
    }
    return std::ranges::min(sampler->Collect());
  };
  sampler->Start();
  sampler->Flush();
  sampler->Launch(*empty);
  sampler->Stop();
  const double flush_ns = sampler->Collect().at(0);
  EXPECT_LT(2 * fastest(*empty), flush_ns);
  EXPECT_LT(2 * fastest(*empty), fastest(*heavy));
}

TEST_F(VulkanSamplerTest, RefusesAnOrderThatMakesNoSense) {
  EXPECT_THROW(sampler_->Stop(), std::logic_error);
  sampler_->Start();
  EXPECT_THROW(sampler_->Start(), std::logic_error);
  EXPECT_THROW(sampler_->Synchronize(), std::logic_error);
  sampler_->Stop();
  EXPECT_THAT(sampler_->Collect(), testing::SizeIs(1));
}

TEST(ValidationLog, ThrowsEachErrorOnce) {
  ValidationLog log;
  EXPECT_NO_THROW(log.ThrowNew());
  log.Add("VUID-1");
  EXPECT_THROW(log.ThrowNew(), DeviceError);
  EXPECT_NO_THROW(log.ThrowNew());
  EXPECT_THAT(log.messages(), testing::ElementsAre("VUID-1"));
}

TEST_F(VulkanBackendTest, ClosesWithoutAValidationError) {
  std::shared_ptr<ValidationLog> log;
  {
    const Opened opened = Open(false, 1 << 20);
    if (!opened.validates) GTEST_SKIP() << "VK_LAYER_KHRONOS_validation is not installed";
    ASSERT_FALSE(opened.backend.devices.empty()) << opened.backend.why_none;
    log = opened.log;
    Backend& backend = *opened.backend.devices.front();
    const auto prepared = backend.Prepare(backend.variants().front(), RopeWorkload{});
    prepared->RunOnce();
  }
  EXPECT_THAT(log->messages(), testing::IsEmpty());
}

}  // namespace
}  // namespace ropebench
