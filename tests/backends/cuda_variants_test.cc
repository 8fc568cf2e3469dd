// What can be known of the CUDA variants without a device.
#include "kernels/cuda/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace ropebench {
namespace {

const CudaVariant& Find(std::string_view name) {
  for (const CudaVariant& variant : CudaVariants()) {
    if (variant.variant.name == name) return variant;
  }
  throw std::out_of_range("no such variant");
}

TEST(CudaVariantsTable, NamesAreUniqueAndSymbolsStandInTheirFiles) {
  std::set<std::string_view> names;
  for (const CudaVariant& entry : CudaVariants()) {
    const KernelVariant& variant = entry.variant;
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    const std::filesystem::path path =
        std::filesystem::path(ROPEBENCH_SOURCE_DIR) / variant.source_path;
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), testing::HasSubstr(std::string(variant.symbol) + "(")) << path;
    EXPECT_TRUE(variant.name.starts_with(path.stem().string())) << variant.name;
  }
}

// Shapes from one element to the largest, on both sides of every limit of a launch.
std::vector<RopeWorkload> Shapes() {
  std::vector<RopeWorkload> shapes;
  for (std::int64_t batch : {1, 3, 65535, 65536}) {
    for (std::int64_t seq : {1, 5, 2048, 1 << 20}) {
      for (std::int64_t heads : {1, 7, 32, 1000, 70000}) {
        for (std::int64_t head_dim : {2, 16, 48, 64, 128, 256, 1024, 4096, 8192}) {
          for (Dtype dtype : {Dtype::kBf16, Dtype::kFp16, Dtype::kFp32}) {
            RopeWorkload w;
            w.batch = batch;
            w.seq = seq;
            w.q_heads = heads;
            w.kv_heads = heads % 4 == 0 ? 8 : 3;
            w.head_dim = w.rotary_dim = head_dim;
            w.dtype = w.table_dtype = dtype;
            if (!Validate(w)) shapes.push_back(w);
          }
        }
      }
    }
  }
  return shapes;
}

TEST(CudaVariantsTable, EveryLaunchFitsTheDevice) {
  const std::vector<RopeWorkload> shapes = Shapes();
  ASSERT_GT(shapes.size(), 500u);
  for (const CudaVariant& entry : CudaVariants()) {
    if (entry.variant.role != KernelRole::kRope) continue;
    int supported = 0;
    for (const RopeWorkload& w : shapes) {
      if (entry.variant.why_unsupported(w)) continue;
      ++supported;
      const CudaLaunch launch = entry.select(w, RopeParams{});
      SCOPED_TRACE(std::string(entry.variant.name) + " " + CanonicalText(w));
      ASSERT_NE(launch.function, nullptr);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_GT(launch.grid[axis], 0u);
        ASSERT_GT(launch.block[axis], 0u);
        ASSERT_LE(launch.grid[axis], axis == 0 ? 0x7fffffffu : 65535u);
      }
      ASSERT_LE(launch.block[0] * launch.block[1] * launch.block[2], 1024u);
      ASSERT_LE(launch.block[2], 64u);
    }
    EXPECT_GT(supported, 50) << entry.variant.name;
  }
}

TEST(CudaVariantsTable, ACopyLaunchesAThreadForEveryVector) {
  for (std::uint32_t vectors : {1u, 127u, 128u, 1025u, 0x7fffffffu}) {
    CopyParams params{};
    params.q_vectors = vectors;
    params.k_vectors = 100;
    for (const auto& [name, per_thread] :
         {std::pair{"copy_v1_b256", 1u}, std::pair{"copy_v4_b128", 4u}}) {
      const CudaLaunch launch = Find(name).select(RopeWorkload{}, params);
      const std::uint64_t per_block = std::uint64_t{launch.block[0]} * per_thread;
      EXPECT_EQ(launch.grid[0], (vectors + per_block - 1) / per_block + 1) << name;
    }
  }
}

TEST(CudaVariantsTable, AutoFindsAVariantForEveryShape) {
  const auto best = [](const RopeWorkload& w) -> std::string_view {
    for (const CudaVariant& entry : CudaVariants()) {
      const KernelVariant& variant = entry.variant;
      if (variant.suits != nullptr && !variant.suits(w)) continue;
      if (!variant.why_unsupported(w)) return variant.name;
    }
    return "";
  };
  RopeWorkload w;  // (2048, 512): 163 840 vectors
  EXPECT_EQ(best(w), "flat16_v2");
  w.head_dim = w.rotary_dim = 64;
  EXPECT_EQ(best(w), "flat16_v4");
  w.q_heads = 30;
  EXPECT_EQ(best(w), "flat16_v2");
  w.head_dim = w.rotary_dim = 96;
  EXPECT_EQ(best(w), "vec16");
  w.style = Style::kInterleaved;
  EXPECT_EQ(best(w), "pair");
}

TEST(CudaVariantsTable, AVariantSaysWhyItCannotRunAWorkload) {
  const auto reason = [](const char* name, const RopeWorkload& w) {
    return Find(name).variant.why_unsupported(w).value_or("");
  };
  RopeWorkload w;
  EXPECT_EQ(reason("flat16_v2", w), "");
  EXPECT_EQ(reason("flat16_v4", w), "");
  EXPECT_EQ(reason("vec16", w), "");

  w = {};
  w.style = Style::kInterleaved;
  EXPECT_THAT(reason("flat16_v2", w), testing::HasSubstr("style half"));
  EXPECT_THAT(reason("vec16", w), testing::HasSubstr("style half"));

  w = {};
  w.table_dtype = Dtype::kFp16;
  EXPECT_THAT(reason("vec16", w), testing::HasSubstr("table"));

  w = {};
  w.head_dim = 32;
  w.rotary_dim = 16;
  EXPECT_THAT(reason("flat16_v2", w), testing::HasSubstr("whole heads"));
  EXPECT_EQ(reason("vec16", w), "");
  w.placement = Placement::kOutOfPlace;
  EXPECT_THAT(reason("vec16", w), testing::HasSubstr("tail"));

  w = {};
  w.head_dim = w.rotary_dim = 48;  // three vectors to a half
  EXPECT_THAT(reason("flat16_v2", w), testing::HasSubstr("1, 2, 4, 8 or 16"));
  EXPECT_EQ(reason("vec16", w), "");

  w = {};
  w.kv_heads = 6;
  EXPECT_EQ(reason("flat16_v2", w), "");
  EXPECT_THAT(reason("flat16_v4", w), testing::HasSubstr("multiples of 4"));
  w.layout = Layout::kBhsd;
  EXPECT_THAT(reason("flat16_v2", w), testing::HasSubstr("bshd"));
  EXPECT_EQ(reason("vec16", w), "");

  w = {};
  w.head_dim = w.rotary_dim = 12;
  EXPECT_THAT(reason("vec16", w), testing::HasSubstr("16-byte vectors"));
  EXPECT_EQ(reason("pair", w), "");

  w = {};
  w.head_dim = w.rotary_dim = 4096;
  EXPECT_THAT(reason("vec16", w), testing::HasSubstr("at most 128 vectors"));
}

}  // namespace
}  // namespace ropebench
