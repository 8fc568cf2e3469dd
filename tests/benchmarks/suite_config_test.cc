#include "benchmarks/suite_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "benchmarks/protocols.h"
#include "tests/benchmarks/config_documents.h"

namespace ropebench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using namespace std::string_literals;

std::string ErrorOf(const std::function<void()>& load) {
  try {
    load();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string ErrorOf(const std::string& text) {
  return ErrorOf([&] { ParseSuiteConfig(text, "x.yaml"); });
}

std::vector<RopeWorkload> WorkloadsOf(std::string_view keys) {
  return ParseSuiteConfig(Sweep(keys), "x.yaml").sweeps.at(0).workloads;
}

template <typename Field>
std::vector<std::int64_t> FieldOf(std::string_view keys, Field field) {
  std::vector<std::int64_t> values;
  for (const RopeWorkload& workload : WorkloadsOf(keys)) values.push_back(workload.*field);
  return values;
}

TEST(BadDocuments, AreRefusedInOneLineAtTheirPlace) {
  for (const BadDocumentGroup& group : BadDocuments()) {
    for (const BadDocument& bad : group.documents) {
      SCOPED_TRACE(group.name + ": " + bad.text.substr(0, 200));
      const std::string error = ErrorOf(bad.text);
      EXPECT_THAT(error, StartsWith("x.yaml:" + std::string(bad.position) + ": "));
      EXPECT_THAT(error, HasSubstr(std::string(bad.message)));
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
      EXPECT_LT(error.size(), 250u) << error;
    }
  }
}

TEST(GoodDocuments, AreAccepted) {
  for (const std::string& good : GoodDocuments()) EXPECT_EQ(ErrorOf(good), "no error") << good;
}

TEST(LoadSuiteConfig, NamesTheFileThatItCannotRead) {
  const std::string missing = testing::TempDir() + "no_such_config.yaml";
  EXPECT_EQ(ErrorOf([&] { LoadSuiteConfig(missing); }),
            missing + ":1:1: cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOf([] { LoadSuiteConfig("/"); }), "/:1:1: cannot be read: it is a directory");
  EXPECT_EQ(ErrorOf([] { LoadSuiteConfig("/dev/null"); }), "/dev/null:1:1: the document is empty");
  EXPECT_THAT(ErrorOf([] { LoadSuiteConfig("/dev/zero"); }),
              StartsWith("/dev/zero:1:1: the document has more than"));

  const std::string path = testing::TempDir() + "bad_config.yaml";
  std::ofstream(path) << Sweep("sqe: 1");
  EXPECT_EQ(ErrorOf([&] { LoadSuiteConfig(path); }),
            path + ":2:5: unknown key 'sqe' in a sweep; did you mean seq?");
  std::filesystem::remove(path);
}

TEST(ParseSuiteConfig, AByteOrderMarkCrlfAndCommentsAreFine) {
  const SuiteConfig config = ParseSuiteConfig(
      "\xef\xbb\xbf# a\tcomm\xc3\xa9nt\r\n---\r\nsweeps:\r\n  - seq: 7 # x\r\n...\r\n", "x.yaml");
  EXPECT_EQ(config.path, "x.yaml");
  ASSERT_EQ(config.sweeps.size(), 1u);
  EXPECT_EQ(config.sweeps[0].workloads.at(0).seq, 7);
  EXPECT_EQ(config.sweeps[0].where, "x.yaml:4:5");
  EXPECT_EQ(config.sweeps[0].name, "sweep1");
}

TEST(ParseSuiteConfig, AnEmptySweepIsTheReferenceWorkload) {
  const SuiteConfig config = ParseSuiteConfig("sweeps: [{}]", "x.yaml");
  EXPECT_THAT(config.sweeps.at(0).workloads, ElementsAre(RopeWorkload{}));
  EXPECT_EQ(config.sweeps[0].identity, Identity::kStrict);
  EXPECT_THAT(config.sweeps[0].protocols, IsEmpty());
  EXPECT_THAT(config.sweeps[0].backends, IsEmpty());
  EXPECT_THAT(config.sweeps[0].variants, IsEmpty());
}

TEST(ParseSuiteConfig, EveryKeyReachesItsField) {
  const SuiteConfig config = ParseSuiteConfig(
      Sweep("{name: all, pass: full, seq: 3, head_dim: 24, q_heads: 5, kv_heads: 7, dtype: fp16, "
            "batch: 2, rotary_dim: 8, table_dtype: fp32, style: interleaved, layout: bhsd, "
            "placement: out_of_place, theta: 1.5e6, position_offset: 9, identity: strict, "
            "protocol: [cold, do_bench], backends: cpu, variants: [fp32, 'x-1']}"),
      "x.yaml");
  RopeWorkload expected;
  expected.pass = Pass::kFull;
  expected.batch = 2;
  expected.seq = 3;
  expected.q_heads = 5;
  expected.kv_heads = 7;
  expected.head_dim = 24;
  expected.rotary_dim = 8;
  expected.dtype = Dtype::kFp16;
  expected.table_dtype = Dtype::kFp32;
  expected.style = Style::kInterleaved;
  expected.layout = Layout::kBhsd;
  expected.placement = Placement::kOutOfPlace;
  expected.theta = 1.5e6;
  expected.position_offset = 9;
  const SweepConfig& sweep = config.sweeps.at(0);
  EXPECT_THAT(sweep.workloads, ElementsAre(expected));
  EXPECT_EQ(sweep.name, "all");
  EXPECT_THAT(sweep.protocols, ElementsAre("cold", "do_bench"));
  EXPECT_THAT(sweep.backends, ElementsAre("cpu"));
  EXPECT_THAT(sweep.variants, ElementsAre("fp32", "x-1"));
}

TEST(ParseSuiteConfig, EveryScalingReachesTheWorkload) {
  const std::string context = ", original_max_position_embeddings: 4096";
  const std::string lists = context + ", short_factor: [1, 1.5], long_factor: [2, 3]";
  const std::pair<std::string, const char*> cases[] = {
      {"none", "none"},
      {"{type: linear, factor: 2.5}", "linear~2.5"},
      {"{type: dynamic, factor: 2" + context + "}", "dynamic~2~4096"},
      {"{type: yarn, factor: 40" + context + "}", "yarn~40~4096~1.3688879454113936~32~1~1"},
      {"{type: yarn, factor: 1" + context + "}", "yarn~1~4096~1~32~1~1"},
      {"{type: yarn, factor: 40, mscale: 1.0, mscale_all_dim: 1.0" + context + "}",
       "yarn~40~4096~1~32~1~1"},
      {"{type: yarn, factor: 2, attention_factor: 1.5, beta_fast: 16, beta_slow: 2, "
       "truncate: false" +
           context + "}",
       "yarn~2~4096~1.5~16~2~0"},
      {"{type: llama3, factor: 8, low_freq_factor: 1, high_freq_factor: 4" + context + "}",
       "llama3~8~4096~1~4"},
      {"{type: longrope, attention_factor: 1" + lists + "}", "longrope~4096~1~1~1.5~2~3"},
      {"{type: su, factor: 1" + lists + "}", "longrope~4096~1~1~1.5~2~3"},
      {"{type: su, factor: 4096" + lists + "}", "longrope~4096~1.4142135623730951~1~1.5~2~3"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(CanonicalText(WorkloadsOf("head_dim: 4\n    scaling: " + text).at(0).scaling),
              expected);
  }
  const auto workloads = WorkloadsOf(
      "seq: [1, 2]\n    scaling: [none, {type: linear, factor: 2}]\n"
      "    exclude: [{seq: 1, scaling: {type: linear, factor: 2.0}}]");
  ASSERT_EQ(workloads.size(), 3u);
  EXPECT_EQ(workloads[1].scaling.kind, ScalingKind::kNone);
  EXPECT_EQ(workloads[2].scaling.kind, ScalingKind::kLinear);
}

TEST(ParseSuiteConfig, AxesTakeAValueAListOrARange) {
  EXPECT_THAT(FieldOf("seq: 5", &RopeWorkload::seq), ElementsAre(5));
  EXPECT_THAT(FieldOf("seq: [5, 3, 4]", &RopeWorkload::seq), ElementsAre(5, 3, 4));
  EXPECT_THAT(FieldOf("seq: {from: 3, to: 9, step: 3}", &RopeWorkload::seq), ElementsAre(3, 6, 9));
  EXPECT_THAT(FieldOf("seq: {from: 3, to: 8, step: 3}", &RopeWorkload::seq), ElementsAre(3, 6));
  EXPECT_THAT(FieldOf("seq: {from: 3, to: 30, factor: 3}", &RopeWorkload::seq),
              ElementsAre(3, 9, 27));
  EXPECT_THAT(FieldOf("seq: {from: 5, to: 5, factor: 2147483647}", &RopeWorkload::seq),
              ElementsAre(5));
  EXPECT_THAT(FieldOf("position_offset: {from: 0, to: 2, step: 1}", &RopeWorkload::position_offset),
              ElementsAre(0, 1, 2));
}

TEST(ParseSuiteConfig, WhatFollowsFromOtherKeys) {
  EXPECT_THAT(FieldOf("hidden: [512, 2048]", &RopeWorkload::head_dim), ElementsAre(16, 64));
  EXPECT_THAT(FieldOf("hidden: [512, 2048]", &RopeWorkload::rotary_dim), ElementsAre(16, 64));
  EXPECT_THAT(FieldOf("q_heads: [8, 16]", &RopeWorkload::head_dim), ElementsAre(64, 32));
  for (const RopeWorkload& workload : WorkloadsOf("dtype: [fp32, fp16, bf16]")) {
    EXPECT_EQ(workload.table_dtype, workload.dtype);
  }
}

TEST(ParseSuiteConfig, TheLastAxisVariesFastest) {
  const auto workloads =
      WorkloadsOf("placement: [out_of_place, in_place]\n    pass: [full, forward]");
  ASSERT_EQ(workloads.size(), 4u);
  EXPECT_EQ(workloads[0].pass, Pass::kFull);
  EXPECT_EQ(workloads[0].placement, Placement::kOutOfPlace);
  EXPECT_EQ(workloads[1].pass, Pass::kFull);
  EXPECT_EQ(workloads[1].placement, Placement::kInPlace);
  EXPECT_EQ(workloads[2].pass, Pass::kForward);
}

TEST(ParseSuiteConfig, SweepsReplaceDefaults) {
  const SuiteConfig config = ParseSuiteConfig(
      "defaults: {seq: 9, hidden: 2048, identity: liger, backends: cpu}\n"
      "sweeps:\n  - {}\n  - {seq: 8, head_dim: 8, identity: strict, backends: [cuda]}\n",
      "x.yaml");
  EXPECT_EQ(config.sweeps[0].workloads.at(0).seq, 9);
  EXPECT_EQ(config.sweeps[0].workloads.at(0).head_dim, 64);
  EXPECT_EQ(config.sweeps[0].identity, Identity::kLiger);
  EXPECT_THAT(config.sweeps[0].backends, ElementsAre("cpu"));
  EXPECT_EQ(config.sweeps[1].workloads.at(0).seq, 8);
  EXPECT_EQ(config.sweeps[1].workloads.at(0).head_dim, 8);
  EXPECT_EQ(config.sweeps[1].identity, Identity::kStrict);
  EXPECT_THAT(config.sweeps[1].backends, ElementsAre("cuda"));
}

TEST(ParseSuiteConfig, ExcludeDropsWhatMatchesEveryKeyOfARule) {
  EXPECT_THAT(FieldOf("seq: [1, 2, 3, 4]\n    exclude: [{seq: [1, 3]}, {seq: 4, dtype: bf16}]",
                      &RopeWorkload::seq),
              ElementsAre(2));
  EXPECT_THAT(FieldOf("seq: [1, 2]\n    hidden: [64, 128]\n    exclude: [{seq: 1, head_dim: 4}]",
                      &RopeWorkload::seq),
              ElementsAre(1, 2, 2));
  EXPECT_THAT(FieldOf("seq: [1, 2, 3, 4]\n    exclude: [{seq: {from: 2, to: 4, factor: 2}}]",
                      &RopeWorkload::seq),
              ElementsAre(1, 3));
  EXPECT_THAT(FieldOf("theta: [1e4, 2e4]\n    position_offset: [0, 1]\n"
                      "    exclude: [{theta: 10000.0}]",
                      &RopeWorkload::position_offset),
              ElementsAre(0, 1));
}

TEST(ParseSuiteConfig, ExcludeSavesWorkloadsThatWouldBreakARule) {
  EXPECT_THAT(FieldOf("hidden: [512, 100]\n    exclude: [{hidden: 100}]", &RopeWorkload::head_dim),
              ElementsAre(16));
  EXPECT_THAT(FieldOf("hidden: [128, 512]\n    rotary_dim: [4, 16]\n"
                      "    exclude: [{head_dim: 4, rotary_dim: 16}]",
                      &RopeWorkload::rotary_dim),
              ElementsAre(4, 4, 16));
}

TEST(ParseSuiteConfig, AnInheritedRuleMayExcludeNothing) {
  const SuiteConfig config = ParseSuiteConfig(
      "defaults: {exclude: [{seq: 1}]}\nsweeps: [{seq: [1, 2]}, {seq: 3}]\n", "x.yaml");
  EXPECT_EQ(config.sweeps[0].workloads.size(), 1u);
  EXPECT_EQ(config.sweeps[1].workloads.size(), 1u);
}

TEST(ParseSuiteConfig, LimitsAreReachedWithoutAnError) {
  EXPECT_EQ(WorkloadsOf("seq: {from: 1, to: 100000, step: 1}").size(), 100'000u);
  // Depth 32: the sweeps' map and list, the sweep, then 29 lists.
  EXPECT_THAT(ErrorOf(Sweep("seq: " + Repeat("[", 29) + Repeat("]", 29))), HasSubstr("got a list"));
  EXPECT_THAT(ErrorOf(Sweep("seq: " + Repeat("[", 30) + Repeat("]", 30))),
              HasSubstr("more than 32"));
  std::string text = Sweep("seq: 1") + "#";
  text.append((std::size_t{1} << 20) - text.size(), 'x');
  EXPECT_EQ(ErrorOf(text), "no error");
  EXPECT_THAT(ErrorOf(text + "x"), HasSubstr("more than 1048576 bytes"));
}

SuiteConfig Shipped(const char* file) {
  return LoadSuiteConfig(std::string(ROPEBENCH_SOURCE_DIR "/configs/") + file);
}

CaseRequest OnCpu() { return {{{"cpu", 0, {"fp32", "float64"}}}, {}, {}}; }

TEST(ShippedConfigs, ReferenceIsOneLigerCase) {
  const SuiteConfig config = Shipped("reference.yaml");
  ASSERT_EQ(config.sweeps.size(), 1u);
  EXPECT_THAT(config.sweeps[0].workloads, ElementsAre(RopeWorkload{}));
  EXPECT_EQ(config.sweeps[0].identity, Identity::kLiger);
}

TEST(ShippedConfigs, LigerIsSevenWorkloadsInThreePasses) {
  const std::vector<SuiteConfig> configs = {Shipped("liger.yaml")};
  CaseRequest request = OnCpu();
  request.variants = {"fp32"};
  const CaseExpansion expansion = ExpandCases(configs, request);
  EXPECT_EQ(expansion.cases.size(), 21u);
  EXPECT_THAT(expansion.skipped, IsEmpty());
  std::set<std::pair<std::int64_t, std::int64_t>> shapes;
  for (const BenchCase& bench_case : expansion.cases) {
    EXPECT_EQ(bench_case.identity, Identity::kLiger);
    shapes.emplace(bench_case.workload.seq, bench_case.workload.hidden());
  }
  const std::set<std::pair<std::int64_t, std::int64_t>> published = {
      {2048, 512},  {2048, 2048}, {2048, 8192},  {1024, 8192},
      {4096, 8192}, {8192, 8192}, {16384, 8192},
  };
  EXPECT_EQ(shapes, published);
}

TEST(ShippedConfigs, QuickIsSmallAndStrict) {
  const std::vector<SuiteConfig> configs = {Shipped("quick.yaml")};
  const CaseExpansion expansion = ExpandCases(configs, OnCpu());
  EXPECT_GE(expansion.cases.size(), 10u);
  EXPECT_LE(expansion.cases.size(), 40u);
  for (const BenchCase& bench_case : expansion.cases) {
    EXPECT_EQ(bench_case.identity, Identity::kStrict);
    EXPECT_LE(MinTrafficBytes(bench_case.workload), 1u << 20);
  }
}

TEST(ShippedConfigs, ModelsAreThoseThatWereReleased) {
  struct Expected {
    const char* name;
    std::int64_t q_heads, kv_heads, head_dim, rotary_dim;
    Style style;
    double theta;
    Dtype dtype;
    std::string scaling;
  };
  const Expected models[] = {
      {"llama-3-8b", 32, 8, 128, 128, Style::kHalf, 5e5, Dtype::kBf16, "none"},
      {"llama-3-70b", 64, 8, 128, 128, Style::kHalf, 5e5, Dtype::kBf16, "none"},
      {"llama-3.1-8b", 32, 8, 128, 128, Style::kHalf, 5e5, Dtype::kBf16, "llama3~8~8192~1~4"},
      {"mistral-7b", 32, 8, 128, 128, Style::kHalf, 1e4, Dtype::kBf16, "none"},
      {"qwen2.5-7b", 28, 4, 128, 128, Style::kHalf, 1e6, Dtype::kBf16, "none"},
      {"qwen3-8b", 32, 8, 128, 128, Style::kHalf, 1e6, Dtype::kBf16, "none"},
      {"gemma-2-9b", 16, 8, 256, 256, Style::kHalf, 1e4, Dtype::kBf16, "none"},
      {"phi-2", 32, 32, 80, 32, Style::kHalf, 1e4, Dtype::kFp16, "none"},
      {"phi-3-mini-128k", 32, 32, 96, 96, Style::kHalf, 1e4, Dtype::kBf16, "longrope"},
      {"gpt-neox-20b", 64, 64, 96, 24, Style::kHalf, 1e4, Dtype::kFp16, "none"},
      {"gpt-j-6b", 16, 16, 256, 64, Style::kInterleaved, 1e4, Dtype::kFp16, "none"},
      {"deepseek-v3", 128, 1, 64, 64, Style::kInterleaved, 1e4, Dtype::kBf16,
       "yarn~40~4096~1~32~1~1"},
  };
  const SuiteConfig config = Shipped("models.yaml");
  ASSERT_EQ(config.sweeps.size(), std::size(models));
  for (std::size_t i = 0; i < std::size(models); ++i) {
    const Expected& model = models[i];
    SCOPED_TRACE(model.name);
    EXPECT_EQ(config.sweeps[i].name, model.name);
    for (const RopeWorkload& workload : config.sweeps[i].workloads) {
      EXPECT_EQ(workload.q_heads, model.q_heads);
      EXPECT_EQ(workload.kv_heads, model.kv_heads);
      EXPECT_EQ(workload.head_dim, model.head_dim);
      EXPECT_EQ(workload.rotary_dim, model.rotary_dim);
      EXPECT_EQ(workload.style, model.style);
      EXPECT_EQ(workload.theta, model.theta);
      EXPECT_EQ(workload.dtype, model.dtype);
      EXPECT_THAT(CanonicalText(workload.scaling), StartsWith(model.scaling));
    }
  }
  // The same factors as in a config.json of the shape of the model's own.
  const SuiteConfig from_json = ParseSuiteConfig(
      "sweeps: [{seq: [4096, 8192], model: tests/benchmarks/models/phi3_longrope.json}]",
      ROPEBENCH_SOURCE_DIR "/x.yaml");
  EXPECT_EQ(from_json.sweeps[0].workloads, config.sweeps[8].workloads);
}

std::vector<std::string> IdsOf(const CaseExpansion& expansion) {
  std::vector<std::string> ids;
  for (const BenchCase& bench_case : expansion.cases) ids.push_back(CaseId(bench_case));
  return ids;
}

std::vector<std::string> SkippedOf(const CaseExpansion& expansion) {
  std::vector<std::string> lines;
  for (const SkippedCase& skipped : expansion.skipped) {
    lines.push_back(skipped.what + ": " + skipped.reason);
  }
  return lines;
}

CaseExpansion Expand(const std::string& text, const CaseRequest& request) {
  const std::vector<SuiteConfig> configs = {ParseSuiteConfig(text, "x.yaml")};
  return ExpandCases(configs, request);
}

TEST(ExpandCases, GroupsWhatIsCompared) {
  const CaseRequest request = {{{"cuda", 0, {"pair", "vec16"}}, {"cpu", 1, {"fp32"}}}, {}, {}};
  EXPECT_THAT(
      IdsOf(Expand("sweeps: [{seq: [1, 2]}]", request)),
      ElementsAre(
          "rope/forward/cuda/pair/seq:1/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold",
          "rope/forward/cuda/vec16/seq:1/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold",
          "rope/forward/cpu/fp32/seq:1/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold/"
          "device:1",
          "rope/forward/cuda/pair/seq:2/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold",
          "rope/forward/cuda/vec16/seq:2/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold",
          "rope/forward/cpu/fp32/seq:2/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold/"
          "device:1"));
}

TEST(ExpandCases, AllOfACaseIsFilledIn) {
  const CaseExpansion expansion =
      Expand("sweeps: [{pass: full, identity: liger}]", {{{"vulkan", 2, {"vec16"}}}, {}, {}});
  ASSERT_EQ(expansion.cases.size(), 1u);
  const BenchCase& bench_case = expansion.cases[0];
  EXPECT_EQ(bench_case.backend, "vulkan");
  EXPECT_EQ(bench_case.device, 2);
  EXPECT_EQ(bench_case.variant, "vec16");
  EXPECT_EQ(bench_case.identity, Identity::kLiger);
  EXPECT_EQ(bench_case.workload.pass, Pass::kFull);
  EXPECT_EQ(bench_case.protocol,
            std::get<Protocol>(ResolveProtocol("cold", "vulkan", Pass::kFull)));
}

TEST(ExpandCases, SharedCasesRunOnceAtTheirFirstPlace) {
  const std::vector<SuiteConfig> configs = {
      ParseSuiteConfig("sweeps: [{seq: [2, 1]}, {seq: [1, 3]}, {seq: 3, identity: liger}]", "a"),
      ParseSuiteConfig("sweeps: [{seq: [2, 4], name: again}]", "b"),
  };
  CaseRequest request = OnCpu();
  request.variants = {"fp32"};
  std::vector<std::int64_t> seqs;
  for (const BenchCase& bench_case : ExpandCases(configs, request).cases) {
    seqs.push_back(bench_case.workload.seq);
  }
  // An identity makes a case of its own.
  EXPECT_THAT(seqs, ElementsAre(2, 1, 3, 3, 4));
}

TEST(ExpandCases, TheRequestReplacesProtocolsAndRestrictsVariants) {
  const std::string text = "sweeps: [{protocol: do_bench, variants: [pair, vec16]}]";
  CaseRequest request = {{{"cuda", 0, {"pair", "flat16", "vec16"}}}, {}, {}};
  const auto names = [&] {
    std::vector<std::string> list;
    for (const BenchCase& c : Expand(text, request).cases) {
      list.push_back(c.variant + " " + c.protocol.name);
    }
    return list;
  };
  EXPECT_THAT(names(), ElementsAre("pair do_bench", "vec16 do_bench"));
  request.protocols = {"cold", "cold_events"};
  request.variants = {"vec16", "flat16"};
  EXPECT_THAT(names(), ElementsAre("vec16 cold", "vec16 cold_events"));
}

TEST(ExpandCases, AutoIsTheVariantThatTheDeviceChoosesByShape) {
  const std::string text = "sweeps: [{seq: [1, 4096], variants: [auto, pair]}]";
  CaseRequest request = {{{"cuda", 0, {"pair", "flat16", "vec16"}}}, {}, {}};
  request.devices[0].auto_variant = [](const RopeWorkload& w) {
    return w.seq > 1 ? "vec16" : "pair";
  };
  const auto names = [&] {
    std::vector<std::string> list;
    for (const BenchCase& c : Expand(text, request).cases) {
      list.push_back(fmt::format("{} {}", c.workload.seq, c.variant));
    }
    return list;
  };
  EXPECT_THAT(names(), ElementsAre("1 pair", "4096 pair", "4096 vec16"));
  request.variants = {"auto"};
  EXPECT_THAT(names(), ElementsAre("1 pair", "4096 vec16"));
}

TEST(ExpandCases, NothingVanishesWithoutAReason) {
  const CaseExpansion expansion = Expand(
      "sweeps:\n"
      "  - {name: a, backends: [cuda, vulkan]}\n"
      "  - {name: b, variants: [fp23, fp32]}\n"
      "  - {name: c, protocol: do_bench, variants: fp32}\n"
      "  - {name: d, protocol: do_bench, variants: fp32}\n",
      OnCpu());
  EXPECT_THAT(IdsOf(expansion), ElementsAre(HasSubstr("/cpu/fp32/")));
  EXPECT_THAT(
      SkippedOf(expansion),
      ElementsAre("x.yaml:2:5: a: is for cuda, vulkan only",
                  "x.yaml:3:5: b: no chosen device has a variant fp23; did you mean fp32?",
                  "rope/forward/cpu/fp32/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/"
                  "protocol:do_bench: protocol do_bench does not exist on cpu"));
}

TEST(ExpandCases, AHundredThousandCasesStaySmallAndFast) {
  const auto begin = std::chrono::steady_clock::now();
  CaseRequest request = OnCpu();
  request.variants = {"fp32"};
  const CaseExpansion expansion = Expand(
      "sweeps: [{seq: {from: 1, to: 1000, step: 1}, hidden: {from: 64, to: 6400, step: 64}}]",
      request);
  EXPECT_EQ(expansion.cases.size(), 100'000u);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(elapsed.count(), 10.0);  // a loaded machine and a sanitizer included
  RecordProperty("milliseconds", static_cast<int>(elapsed.count() * 1e3));
}

}  // namespace
}  // namespace ropebench
