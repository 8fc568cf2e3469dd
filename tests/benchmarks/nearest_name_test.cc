#include "benchmarks/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ropebench {
namespace {

constexpr std::string_view kKnown[] = {"seq",      "hidden",    "head_dim", "q_heads",
                                       "kv_heads", "dtype",     "style",    "table_dtype",
                                       "layout",   "placement", "forward",  "exclude"};

TEST(NearestName, FindsWhatWasProbablyMeant) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"sqe", "seq"},
      {"seqs", "seq"},
      {"hiden", "hidden"},
      {"HIDDEN", "hidden"},
      {"head-dim", "head_dim"},
      {"headdim", "head_dim"},
      {"kvheads", "kv_heads"},
      {"q_head", "q_heads"},
      {"tabel_dtype", "table_dtype"},
      {"dype", "dtype"},
      {"excludes", "exclude"},
      {"fwd", ""},
      {"warp_size", ""},
      {"", ""},
      {"x", ""},
  };
  for (const auto& [name, nearest] : cases) EXPECT_EQ(NearestName(name, kKnown), nearest) << name;
}

TEST(NearestName, PrefersFewerEditsThenTheFirst) {
  const std::vector<std::string> known = {"vec8", "vec16", "vec18"};
  EXPECT_EQ(NearestName("vec61", known), "vec16");
  EXPECT_EQ(NearestName("vec1", known), "vec8");
  EXPECT_EQ(NearestName("vec16", known), "vec16");
}

TEST(NearestName, FindsCaseIds) {
  const std::string id =
      "rope/forward/cpu/fp32/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold";
  const std::vector<std::string> ids = {"rope/full/" + id.substr(13), id};
  EXPECT_EQ(NearestName("rope/forward/cpu/fp23" + id.substr(21), ids), id);
}

TEST(NearestName, EndlessNamesAndEmptyListsAreHarmless) {
  EXPECT_EQ(NearestName(std::string(1 << 20, 'a'), kKnown), "");
  EXPECT_EQ(NearestName("seq", std::vector<std::string>{}), "");
  EXPECT_EQ(NearestName("seq", std::vector<std::string>{std::string(1 << 20, 's')}), "");
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  EXPECT_EQ(DidYouMean("sqe", kKnown), "; did you mean seq?");
  EXPECT_EQ(DidYouMean("warp_size", kKnown), "");
}

}  // namespace
}  // namespace ropebench
