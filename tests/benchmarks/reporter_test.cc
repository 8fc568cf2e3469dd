#include "benchmarks/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <limits>

namespace ropebench {
namespace {

using testing::HasSubstr;
using testing::Not;

ReportRow Row() {
  ReportRow row;
  row.name = row.run_name = "rope/forward/cpu/fp32/seq:8";
  row.real_time = 2.85;
  row.time_unit = "us";
  row.run_digest = "sha256:1234";
  row.counters = {{"p20_ns", 2816.0},       {"p50_ns", 2850.0},   {"p80_ns", 2880.0},
                  {"samples", 30.0},        {"bytes", 5308416.0}, {"GB_per_s", 1862.6},
                  {"percent_of_copy", 94.3}};
  return row;
}

TEST(RenderJson, HasGoogleBenchmarksLayoutAndOurDigest) {
  const auto document = nlohmann::json::parse(RenderJson({{"host_name", "h"}}, {Row()}));
  EXPECT_EQ(document.at("context").at("host_name"), "h");
  const auto& entry = document.at("benchmarks").at(0);
  EXPECT_EQ(entry.at("name"), "rope/forward/cpu/fp32/seq:8");
  EXPECT_EQ(entry.at("run_type"), "iteration");
  EXPECT_EQ(entry.at("real_time"), 2.85);
  EXPECT_EQ(entry.at("time_unit"), "us");
  EXPECT_EQ(entry.at("run_digest"), "sha256:1234");
  EXPECT_EQ(entry.at("p50_ns"), 2850.0);
  EXPECT_FALSE(entry.contains("error_occurred"));
}

// google/benchmark#784: NaN and Infinity made the JSON unreadable.
TEST(RenderJson, StaysStrictWhateverTheNumbersAndNames) {
  ReportRow row = Row();
  row.counters["GB_per_s"] = std::numeric_limits<double>::infinity();
  row.counters["percent_of_copy"] = std::numeric_limits<double>::quiet_NaN();
  row.real_time = 0.0;
  row.name = "quote \" pipe | comma , newline \n bell \a bad utf-8 \xff";
  const auto document = nlohmann::json::parse(RenderJson({}, {row}));
  const auto& entry = document.at("benchmarks").at(0);
  EXPECT_FALSE(entry.contains("GB_per_s"));
  EXPECT_FALSE(entry.contains("percent_of_copy"));
  EXPECT_EQ(entry.at("real_time"), 0.0);
  EXPECT_THAT(entry.at("name").get<std::string>(), HasSubstr("quote \" pipe | comma , newline \n"));
}

TEST(RenderJson, DoesNotFollowTheLocale) {
  for (const char* locale : {"de_DE.UTF-8", "C"}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;
    EXPECT_EQ(nlohmann::json::parse(RenderJson({}, {Row()})).at("benchmarks").at(0).at("bytes"),
              5308416.0);
    EXPECT_THAT(RenderCsv({Row()}), HasSubstr("5308416"));
  }
  std::setlocale(LC_ALL, "C");
}

TEST(RenderJson, AFailedCaseHasAMessageAndNoTime) {
  ReportRow row;
  row.name = row.run_name = "rope/x";
  row.error = "incorrect_numerical: before timing";
  const auto document = nlohmann::json::parse(RenderJson({}, {row}));
  const auto& entry = document.at("benchmarks").at(0);
  EXPECT_EQ(entry.at("error_occurred"), true);
  EXPECT_EQ(entry.at("error_message"), row.error);
  EXPECT_FALSE(entry.contains("real_time"));
}

// nvbench#453: CSV without quoting.
TEST(RenderCsv, QuotesByRfc4180) {
  ReportRow row = Row();
  row.name = "a,b\"c\nd";
  const std::string csv = RenderCsv({row});
  EXPECT_THAT(csv, HasSubstr("\"a,b\"\"c\nd\","));
  EXPECT_THAT(csv, HasSubstr("name,iterations,real_time,time_unit,label,error_message,GB_per_s"));
}

TEST(ConsoleLine, PrintsColumnsOrPairsAndNoTimeForAFailure) {
  ConsoleStyle style;
  style.name_width = 30;
  const std::string tabular = ConsoleLine(Row(), style);
  EXPECT_THAT(tabular, HasSubstr("2.850 us"));
  EXPECT_THAT(tabular, HasSubstr("94.3"));
  EXPECT_EQ(tabular.size(), ConsoleHeader(style).find('\n') + 1) << "columns line up";
  style.tabular = false;
  EXPECT_THAT(ConsoleLine(Row(), style), HasSubstr("GB_per_s=1862.6"));
  ReportRow failed = Row();
  failed.error = "incorrect_numerical";
  EXPECT_THAT(ConsoleLine(failed, style), HasSubstr("FAILED incorrect_numerical"));
  EXPECT_THAT(ConsoleLine(failed, style), Not(HasSubstr("2.850")));
}

}  // namespace
}  // namespace ropebench
