#include "kernels/rope_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace ropebench {
namespace {

TEST(BuildRopeTables, FollowsTheFormula) {
  RopeWorkload w;
  w.seq = 5;
  w.head_dim = w.rotary_dim = 4;
  w.position_offset = 3;
  const RopeTables tables = BuildRopeTables(w);
  ASSERT_EQ(tables.cos.size(), 10u);
  // theta 10000, rotary_dim 4: frequencies 1 and 1/100. Row 2 stands at position 5.
  EXPECT_DOUBLE_EQ(tables.cos[4], std::cos(5.0));
  EXPECT_DOUBLE_EQ(tables.sin[4], std::sin(5.0));
  EXPECT_DOUBLE_EQ(tables.cos[5], std::cos(0.05));
  EXPECT_DOUBLE_EQ(tables.sin[5], std::sin(0.05));
}

// vLLM#863, HF#29285: angles computed in 16 bits are off by 0.83 at position 4095.
TEST(BuildRopeTables, IsExactAtLargePositions) {
  RopeWorkload w;
  w.seq = 4096;
  w.head_dim = w.rotary_dim = 128;
  w.dtype = w.table_dtype = Dtype::kBf16;
  const RopeTables tables = BuildRopeTables(w);
  for (int i = 0; i < 64; ++i) {
    const long double angle = 4095.0L * std::pow(10000.0L, -2.0L * i / 128.0L);
    const auto at = static_cast<std::size_t>(4095 * 64 + i);
    EXPECT_NEAR(tables.cos[at], static_cast<double>(std::cos(angle)), 1e-11);
    EXPECT_NEAR(tables.sin[at], static_cast<double>(std::sin(angle)), 1e-11);
  }
}

TEST(StoreRounded, RoundsOnceToNearestEven) {
  const double values[] = {1.0 + 0x1p-8 + 0x1p-40, -1.0, 0.1};
  std::byte bytes[6];
  StoreRounded(values, Dtype::kBf16, bytes);
  std::uint16_t stored[3];
  std::memcpy(stored, bytes, sizeof(stored));
  EXPECT_EQ(stored[0], 0x3f81);
  EXPECT_EQ(stored[1], 0xbf80);
  EXPECT_EQ(stored[2], 0x3dcd);
}

}  // namespace
}  // namespace ropebench
