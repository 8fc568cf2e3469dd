#include "benchmarks/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

Options Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "ropebench");
  return ParseOptions(static_cast<int>(arguments.size()), arguments.data());
}

std::string ErrorOf(std::vector<const char*> arguments) {
  try {
    Parse(std::move(arguments));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ParseOptions, TakesGoogleBenchmarksFlags) {
  const Options options = Parse(
      {"--benchmark_filter=seq:2048", "--benchmark_out=a.json", "--benchmark_out_format=csv",
       "--benchmark_format=json", "--benchmark_repetitions=3",
       "--benchmark_report_aggregates_only=true", "--benchmark_counters_tabular",
       "--benchmark_color=false", "--benchmark_context=a=b,c=d=e", "--benchmark_min_time=0.5s"});
  EXPECT_EQ(options.filter, "seq:2048");
  EXPECT_EQ(options.out, "a.json");
  EXPECT_EQ(options.out_format, "csv");
  EXPECT_EQ(options.format, "json");
  EXPECT_EQ(options.repetitions, 3);
  EXPECT_TRUE(options.report_aggregates_only);
  EXPECT_TRUE(options.counters_tabular);
  EXPECT_EQ(options.color, "false");
  EXPECT_THAT(options.context, ElementsAre(Pair("a", "b"), Pair("c", "d=e")));
  EXPECT_EQ(options.min_time_s, 0.5);
  EXPECT_TRUE(Parse({"--benchmark_list_tests"}).list_tests);
  EXPECT_FALSE(Parse({"--benchmark_list_tests=false"}).list_tests);
  EXPECT_TRUE(Parse({"--dry-run"}).dry_run);
}

TEST(ParseOptions, TakesListsAndRepeats) {
  const Options options = Parse({"--config", "a.yaml", "--config", "b.yaml", "--backend=cuda,cpu",
                                 "--variant=vec16,pair", "--select=seq=4,dtype=bf16", "--device=1",
                                 "--protocol=cold,do_bench", "--out", "dir"});
  EXPECT_THAT(options.configs, ElementsAre("a.yaml", "b.yaml"));
  EXPECT_THAT(options.backends, ElementsAre("cuda", "cpu"));
  EXPECT_THAT(options.variants, ElementsAre("vec16", "pair"));
  EXPECT_THAT(options.select, ElementsAre(Pair("seq", "4"), Pair("dtype", "bf16")));
  EXPECT_THAT(options.protocols, ElementsAre("cold", "do_bench"));
  EXPECT_EQ(options.device, 1);
  EXPECT_EQ(options.out_dir, "dir");
}

struct BadUsage {
  std::vector<const char*> arguments;
  const char* message;
};

TEST(ParseOptions, RefusesInOneLineThatNamesTheArgument) {
  const BadUsage cases[] = {
      {{"--benchmark_perf_counters=CYCLES"}, "--benchmark_perf_counters is refused: "},
      {{"--benchmark_enable_random_interleaving"}, "is refused: the sampling loop"},
      {{"--benchmark_dry_run"}, "is refused: use --dry-run"},
      {{"--v=1"}, "--v is refused"},
      {{"--backnd=cpu"}, "unknown argument --backnd=cpu; did you mean --backend?"},
      {{"stray"}, "unknown argument stray"},
      {{"--config", "a.yaml", "b.yaml"}, "unknown argument b.yaml"},
      {{"--backend=metal"}, "got 'metal'"},
      {{"--device=-1"}, "--device"},
      {{"--device=x"}, "--device"},
      {{"--select=seq"}, "expected key=value"},
      {{"--benchmark_context==x"}, "expected key=value"},
      {{"--benchmark_min_time=3x"}, "a count of iterations has no meaning"},
      {{"--benchmark_min_time=nan"}, "expected seconds"},
      {{"--benchmark_min_time=-1"}, "expected seconds"},
      {{"--benchmark_min_time=1e9"}, "expected seconds"},
      {{"--benchmark_repetitions=0"}, "--benchmark_repetitions"},
      {{"--benchmark_format=xml"}, "--benchmark_format"},
      {{"--benchmark_color=maybe"}, "--benchmark_color"},
      {{"--list=everything"}, "--list"},
      {{"--config"}, "--config"},
  };
  for (const BadUsage& bad : cases) {
    const std::string error = ErrorOf(bad.arguments);
    EXPECT_THAT(error, HasSubstr(bad.message)) << bad.arguments[0];
    EXPECT_THAT(error, Not(HasSubstr("\n"))) << bad.arguments[0];
  }
}

TEST(MakeFilter, SearchesAnywhereAndNegates) {
  EXPECT_TRUE(MakeFilter("")("anything"));
  EXPECT_TRUE(MakeFilter("all")("anything"));
  EXPECT_TRUE(MakeFilter("seq:(1|2)$")("rope/seq:2"));
  EXPECT_FALSE(MakeFilter("seq:(1|2)$")("rope/seq:3"));
  EXPECT_TRUE(MakeFilter("-seq:3")("rope/seq:2"));
  EXPECT_FALSE(MakeFilter("-seq:2")("rope/seq:2"));
  EXPECT_THROW(MakeFilter("("), UsageError);
}

}  // namespace
}  // namespace ropebench
