// What of shaders/ needs no device.
#include <gtest/gtest.h>

#include <set>

#include "shaders/float_controls.h"
#include "shaders/variants.h"

namespace ropebench {
namespace {

using Words = std::vector<std::uint32_t>;

// The instructions of a module as word lists, without its header.
std::vector<Words> Instructions(std::span<const std::uint32_t> spirv) {
  std::vector<Words> instructions;
  for (std::size_t at = 5; at < spirv.size(); at += spirv[at] >> 16) {
    const auto instruction = spirv.subspan(at, spirv[at] >> 16);
    instructions.emplace_back(instruction.begin(), instruction.end());
  }
  return instructions;
}

ShaderLaunch AnyLaunch() { return ShaderVariants().front().select(RopeWorkload{}, RopeParams{}); }

TEST(FloatControls, LeaveAModuleAloneWhereNothingIsGranted) {
  const ShaderLaunch launch = AnyLaunch();
  EXPECT_EQ(WithFloatControls(launch.spirv, {}), Words(launch.spirv.begin(), launch.spirv.end()));
  EXPECT_EQ(ToString({}), "none");
}

TEST(FloatControls, AddACapabilityAndAnExecutionModeEach) {
  const ShaderLaunch launch = AnyLaunch();
  const FloatControls controls = {true, false, true};
  EXPECT_EQ(ToString(controls), "rte,denorm_preserve");
  const std::vector<Words> before = Instructions(launch.spirv);
  const Words patched = WithFloatControls(launch.spirv, controls);
  std::vector<Words> after = Instructions(patched);
  std::set<std::uint32_t> capabilities, modes;
  int extensions = 0;
  std::erase_if(after, [&](const Words& words) {
    if (std::find(before.begin(), before.end(), words) != before.end()) return false;
    const std::uint32_t op = words[0] & 0xffff;
    if (op == 17) capabilities.insert(words.at(1));
    if (op == 16) {
      EXPECT_EQ(words.at(3), 32u);
      modes.insert(words.at(2));
    }
    if (op == 10) {
      EXPECT_STREQ(reinterpret_cast<const char*>(&words.at(1)), "SPV_KHR_float_controls");
      ++extensions;
    }
    return true;
  });
  EXPECT_EQ(capabilities, (std::set<std::uint32_t>{4467, 4464}));
  EXPECT_EQ(modes, (std::set<std::uint32_t>{4462, 4459}));
  EXPECT_EQ(extensions, 1);
  EXPECT_EQ(after, before) << "the rest stands in its order";
}

TEST(FloatControls, RefuseWhatIsNoModule) {
  const Words cut = {0x07230203, 0x00010300, 0, 1, 0, 0x00050011};
  EXPECT_THROW(WithFloatControls(cut, {true, true, true}), std::invalid_argument);
  const Words endless = {0x07230203, 0x00010300, 0, 1, 0, 0};
  EXPECT_THROW(WithFloatControls(endless, {true, true, true}), std::invalid_argument);
}

TEST(FoldGroups, CoversTheCountWithinEveryDevicesLimits) {
  for (std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{65535}, std::uint64_t{65536}, std::uint64_t{70000},
        std::uint64_t{1} << 24, std::uint64_t{65535} * 65535}) {
    std::uint32_t groups[3];
    FoldGroups(count, groups);
    const std::uint64_t covered = std::uint64_t{groups[0]} * groups[1];
    EXPECT_GE(covered, count);
    EXPECT_LT(covered - count, groups[1]);
    EXPECT_LE(groups[0], 65535u);
    EXPECT_LE(groups[1], 65535u);
    EXPECT_EQ(groups[2], 1u);
  }
}

RopeWorkload With(std::int64_t head_dim, std::int64_t rotary_dim, Dtype dtype) {
  RopeWorkload w;
  w.head_dim = head_dim;
  w.rotary_dim = rotary_dim;
  w.dtype = w.table_dtype = dtype;
  w.seq = 1;
  return w;
}

TEST(Vec16, TakesWholeVectorsOnly) {
  EXPECT_FALSE(shaders::WhyNotVec16(With(16, 16, Dtype::kBf16)));
  EXPECT_FALSE(shaders::WhyNotVec16(With(80, 80, Dtype::kFp16)));
  EXPECT_FALSE(shaders::WhyNotVec16(With(8, 8, Dtype::kFp32)));
  EXPECT_FALSE(shaders::WhyNotVec16(With(64, 32, Dtype::kBf16)));
  EXPECT_TRUE(shaders::WhyNotVec16(With(8, 8, Dtype::kBf16)));
  EXPECT_TRUE(shaders::WhyNotVec16(With(24, 24, Dtype::kBf16)));
  EXPECT_TRUE(shaders::WhyNotVec16(With(20, 16, Dtype::kBf16)));
  RopeWorkload w = With(64, 64, Dtype::kFp32);
  w.table_dtype = Dtype::kBf16;
  EXPECT_TRUE(shaders::WhyNotVec16(w));
  w = With(64, 64, Dtype::kBf16);
  w.style = Style::kInterleaved;
  EXPECT_TRUE(shaders::WhyNotVec16(w));
}

TEST(Pair, TakesEverythingUpToItsIndices) {
  EXPECT_FALSE(shaders::WhyNotPair(With(2, 2, Dtype::kFp16)));
  EXPECT_FALSE(shaders::WhyNotPair(With(6, 6, Dtype::kBf16)));
  EXPECT_FALSE(shaders::WhyNotPair(With(262'142, 262'142, Dtype::kBf16)));
  EXPECT_TRUE(shaders::WhyNotPair(With(262'146, 262'146, Dtype::kBf16)));
  RopeWorkload w = With(128, 128, Dtype::kFp32);
  w.seq = 1 << 20;
  EXPECT_TRUE(shaders::WhyNotPair(w));
}

TEST(Shaders, LaunchGroupsOfWholeWarps) {
  RopeWorkload w = With(80, 80, Dtype::kBf16);
  CopyParams copy{};
  copy.q_vectors = 12345;
  for (const ShaderVariant& variant : ShaderVariants()) {
    KernelParams params;
    if (variant.variant.role == KernelRole::kRope) params = RopeParams{};
    if (variant.variant.role == KernelRole::kCopy) params = copy;
    const ShaderLaunch launch = variant.select(w, params);
    EXPECT_EQ(launch.group_size % 32, 0u) << variant.variant.name;
    EXPECT_EQ(launch.spirv[0], 0x07230203u) << variant.variant.name;
    for (const ShaderConstant& constant : launch.constants) EXPECT_GE(constant.id, 1u);
  }
}

}  // namespace
}  // namespace ropebench
