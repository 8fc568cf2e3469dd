#include "benchmarks/bench_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "benchmarks/protocols.h"

namespace ropebench {
namespace {

using ::testing::HasSubstr;

constexpr char kReferenceId[] =
    "rope/forward/cuda/vec16/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold";

BenchCase Reference() {
  BenchCase bench_case;
  bench_case.backend = "cuda";
  bench_case.variant = "vec16";
  bench_case.protocol = std::get<Protocol>(ResolveProtocol("cold", "cuda", Pass::kForward));
  return bench_case;
}

struct Change {
  const char* suffix;  // that the change appends to the reference id; "" where it alters its parts
  std::function<void(BenchCase&)> apply;
};

const Change kChanges[] = {
    {"/device:1", [](BenchCase& c) { c.device = 1; }},
    {"/batch:4", [](BenchCase& c) { c.workload.batch = 4; }},
    {"/rotary_dim:8", [](BenchCase& c) { c.workload.rotary_dim = 8; }},
    {"/table_dtype:fp32", [](BenchCase& c) { c.workload.table_dtype = Dtype::kFp32; }},
    {"/style:interleaved", [](BenchCase& c) { c.workload.style = Style::kInterleaved; }},
    {"/layout:bhsd", [](BenchCase& c) { c.workload.layout = Layout::kBhsd; }},
    {"/placement:out_of_place",
     [](BenchCase& c) { c.workload.placement = Placement::kOutOfPlace; }},
    {"/theta:500000", [](BenchCase& c) { c.workload.theta = 500000.0; }},
    {"/theta:10000.5", [](BenchCase& c) { c.workload.theta = 10000.5; }},
    {"/theta:1e+300", [](BenchCase& c) { c.workload.theta = 1e300; }},
    {"/theta:0.1", [](BenchCase& c) { c.workload.theta = 0.1; }},
    {"/position_offset:7", [](BenchCase& c) { c.workload.position_offset = 7; }},
    {"/scaling:linear~2.5", [](BenchCase& c) { c.workload.scaling = *ParseScaling("linear~2.5"); }},
    {"/scaling:yarn~40~4096~1.5~32~1~0",
     [](BenchCase& c) { c.workload.scaling = *ParseScaling("yarn~40~4096~1.5~32~1~0"); }},
    {"/identity:liger", [](BenchCase& c) { c.identity = Identity::kLiger; }},
    {"", [](BenchCase& c) { c.workload.seq = 1; }},
    {"", [](BenchCase& c) { c.workload.q_heads = 3; }},
    {"", [](BenchCase& c) { c.workload.kv_heads = 40; }},
    {"", [](BenchCase& c) { c.workload.head_dim = c.workload.rotary_dim = 128; }},
    {"", [](BenchCase& c) { c.workload.dtype = c.workload.table_dtype = Dtype::kFp16; }},
    {"", [](BenchCase& c) { c.workload.pass = c.protocol.pass = Pass::kFull; }},
    {"", [](BenchCase& c) { c.variant = "pair"; }},
    {"",
     [](BenchCase& c) {
       c.protocol = std::get<Protocol>(ResolveProtocol("do_bench", "cuda", Pass::kForward));
     }},
    {"",
     [](BenchCase& c) {
       c.backend = "vulkan";
       c.protocol = std::get<Protocol>(ResolveProtocol("cold", "vulkan", Pass::kForward));
     }},
};

TEST(CaseId, ReferenceCaseHasNoDefaultsInIt) { EXPECT_EQ(CaseId(Reference()), kReferenceId); }

TEST(CaseId, WhatDiffersFromTheDefaultIsAppended) {
  for (const Change& change : kChanges) {
    if (*change.suffix == '\0') continue;
    BenchCase bench_case = Reference();
    change.apply(bench_case);
    EXPECT_EQ(CaseId(bench_case), std::string(kReferenceId) + change.suffix);
  }
}

TEST(CaseId, PartsStandInAFixedOrder) {
  BenchCase bench_case = Reference();
  for (const Change& change : kChanges) {
    if (*change.suffix != '\0' && change.suffix != std::string("/identity:liger")) {
      change.apply(bench_case);
    }
  }
  EXPECT_EQ(
      CaseId(bench_case),
      std::string(kReferenceId) +
          "/device:1/batch:4/rotary_dim:8/table_dtype:fp32/style:interleaved/layout:bhsd/"
          "placement:out_of_place/theta:0.1/position_offset:7/scaling:yarn~40~4096~1.5~32~1~0");
}

TEST(CaseId, FactorListsStandAsADigest) {
  BenchCase bench_case = Reference();
  RopeScaling& scaling = bench_case.workload.scaling;
  scaling.kind = ScalingKind::kLongrope;
  scaling.original_max_position_embeddings = 4096;
  scaling.attention_factor = 1.19;
  scaling.short_factor.assign(8, 1.0);
  scaling.long_factor.assign(8, 2.0);
  const std::string id = CaseId(bench_case);
  EXPECT_THAT(id, testing::MatchesRegex(".*/scaling:longrope~4096~1.19~[0-9a-f]{16}"));
  scaling.long_factor.back() = 2.5;
  EXPECT_NE(CaseId(bench_case), id);
  EXPECT_THAT(std::get<std::string>(ParseCaseId(id)), HasSubstr("no more than a digest"));
}

TEST(CaseId, RoundTripsAndTellsCasesApart) {
  std::set<std::string> ids = {kReferenceId};
  for (const Change& change : kChanges) {
    BenchCase bench_case = Reference();
    change.apply(bench_case);
    const std::string id = CaseId(bench_case);
    EXPECT_TRUE(ids.insert(id).second) << id;
    const auto parsed = ParseCaseId(id);
    ASSERT_TRUE(std::holds_alternative<BenchCase>(parsed)) << std::get<std::string>(parsed);
    EXPECT_EQ(std::get<BenchCase>(parsed), bench_case) << id;
  }
}

TEST(ParseCaseId, SaysWhatIsWrong) {
  const std::string base = kReferenceId;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string id = base;
    return id.replace(id.find(from), from.size(), to);
  };
  const std::pair<std::string, std::string> cases[] = {
      {"", "a case id begins with rope/"},
      {"gemm/forward", "a case id begins with rope/"},
      {"rope", "'' is no pass"},
      {"rope/forwards/cpu", "'forwards' is no pass"},
      {"rope/forward//vec16", "'' is no backend"},
      {with("seq:2048/", ""), "expected seq:... at 'hidden:512'"},
      {with("seq:2048", "seq"), "expected seq:... at 'seq'"},
      {with("seq:2048", "seq:2k"), "'2k' is no seq"},
      {with("seq:2048", "seq:"), "'' is no seq"},
      {with("seq:2048", "seq:9223372036854775808"), "'9223372036854775808' is no seq"},
      {with("seq:2048", "seq:0"), "seq: 0 < 1"},
      {with("hidden:512", "hidden:500"), "hidden:500 is no multiple of q_heads:32"},
      {with("q_heads:32", "q_heads:0"), "hidden:512 is no multiple of q_heads:0"},
      {with("dtype:bf16", "dtype:fp8"), "'fp8' is no dtype"},
      {with("protocol:cold", "protocol:colt"), "no protocol colt; did you mean cold?"},
      {with("cuda", "vulkan").replace(with("cuda", "vulkan").find("cold"), 4, "do_bench"),
       "protocol do_bench does not exist on vulkan"},
      {base + "/", "the id of this case is"},
      {base + "/device:0", "the id of this case is"},
      {base + "/device:-1", "'-1' is no device"},
      {base + "/rotary_dim:16", "the id of this case is"},
      {base + "/rotary_dim:18", "rotary_dim: 18 exceeds head_dim 16"},
      {base + "/theta:1e6", "the id of this case is"},
      {base + "/theta:nan", "theta: nan is not a positive number"},
      {base + "/scaling:none", "the id of this case is"},
      {base + "/scaling:linear~2.50", "the id of this case is"},
      {base + "/scaling:lin~2", "'lin~2' is no scaling"},
      {base + "/scaling:linear~0.5", "scaling.factor: 0.5 is outside"},
      {base + "/head_dim:16", "unexpected 'head_dim:16'"},
      {base + "/sytle:interleaved", "unexpected 'sytle:interleaved'; did you mean style?"},
      {base + "/batch:4/device:1", "unexpected 'device:1'"},
      {base + "/batch:4/batch:4", "unexpected 'batch:4'"},
  };
  for (const auto& [id, error] : cases) {
    const auto parsed = ParseCaseId(id);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << id;
    EXPECT_THAT(std::get<std::string>(parsed), HasSubstr(error)) << id;
  }
}

TEST(CaseKeys, HoldEveryKeyWithDefaults) {
  BenchCase bench_case = Reference();
  bench_case.workload.placement = Placement::kOutOfPlace;
  const auto keys = CaseKeys(bench_case);
  const std::map<std::string, std::string> map(keys.begin(), keys.end());
  EXPECT_EQ(map.size(), keys.size());
  const std::map<std::string, std::string> expected = {
      {"pass", "forward"},
      {"backend", "cuda"},
      {"variant", "vec16"},
      {"seq", "2048"},
      {"hidden", "512"},
      {"q_heads", "32"},
      {"kv_heads", "8"},
      {"dtype", "bf16"},
      {"protocol", "cold"},
      {"device", "0"},
      {"batch", "1"},
      {"head_dim", "16"},
      {"rotary_dim", "16"},
      {"table_dtype", "bf16"},
      {"style", "half"},
      {"layout", "bshd"},
      {"placement", "out_of_place"},
      {"theta", "10000"},
      {"position_offset", "0"},
      {"scaling", "none"},
      {"identity", "strict"},
      {"timer", "cupti_kernel"},
  };
  EXPECT_EQ(map, expected);
  EXPECT_EQ(CaseKeyNames().size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(CaseKeyNames()[i], keys[i].first);
}

}  // namespace
}  // namespace ropebench
