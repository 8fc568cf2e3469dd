#include "evidence/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace ropebench {
namespace {

TEST(Quantile, InterpolatesLinearlyAtQTimesNMinusOne) {
  const double sorted[] = {1, 2, 4, 8};
  EXPECT_EQ(Quantile(sorted, 0.0), 1.0);
  EXPECT_EQ(Quantile(sorted, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(Quantile(sorted, 0.2), 1.6);
  EXPECT_DOUBLE_EQ(Quantile(sorted, 0.8), 5.6);
  EXPECT_EQ(Quantile(sorted, 1.0), 8.0);
  EXPECT_THROW(Quantile({}, 0.5), std::invalid_argument);
}

TEST(MedianInterval95, UsesTheRanksOfTheBinomialTable) {
  // Ranks from published tables of the sign-test interval (for example Conover, table A3):
  // n = 6: 1, n = 10: 2, n = 20: 6, n = 30: 10, n = 100: 40.
  struct Case {
    std::size_t n;
    std::size_t rank;
  };
  for (const Case& c : {Case{6, 1}, Case{10, 2}, Case{20, 6}, Case{30, 10}, Case{100, 40}}) {
    std::vector<double> sorted(c.n);
    for (std::size_t i = 0; i < c.n; ++i) sorted[i] = static_cast<double>(i + 1);
    const auto interval = MedianInterval95(sorted);
    ASSERT_TRUE(interval) << c.n;
    EXPECT_EQ(interval->low, static_cast<double>(c.rank)) << c.n;
    EXPECT_EQ(interval->high, static_cast<double>(c.n + 1 - c.rank)) << c.n;
  }
}

TEST(MedianInterval95, DoesNotExistUnderSixSamples) {
  const double five[] = {1, 2, 3, 4, 5};
  EXPECT_FALSE(MedianInterval95(five));
}

TEST(Summarise, OrdersNothingAndDropsNothing) {
  const double samples[] = {5, 1, 3, 100, 2, 4};
  const Summary summary = Summarise(samples, 0.0);
  EXPECT_EQ(summary.samples, 6);
  EXPECT_EQ(summary.median, 3.5);
  EXPECT_EQ(summary.minimum, 1.0);
  EXPECT_EQ(summary.maximum, 100.0);
  EXPECT_DOUBLE_EQ(summary.mean, 115.0 / 6.0);
  EXPECT_EQ(summary.mad, 1.5);  // deviations 0.5 0.5 1.5 1.5 2.5 96.5
}

TEST(Summarise, NoIntervalIsNarrowerThanATick) {
  const std::vector<double> samples(50, 2848.0);
  const Summary summary = Summarise(samples, 32.0);
  EXPECT_EQ(summary.median95->low, 2832.0);
  EXPECT_EQ(summary.median95->high, 2864.0);
}

TEST(Summarise, OneSampleIsItsOwnSummary) {
  const double one[] = {7.0};
  const Summary summary = Summarise(one, 1.0);
  EXPECT_EQ(summary.median, 7.0);
  EXPECT_EQ(summary.p95, 7.0);
  EXPECT_EQ(summary.mad, 0.0);
  EXPECT_FALSE(summary.median95);
}

}  // namespace
}  // namespace ropebench
