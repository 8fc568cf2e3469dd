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

namespace ropebench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using namespace std::string_literals;

// One sweep with these keys; the first one stands in line 2 at column 5.
std::string Sweep(std::string_view keys) { return "sweeps:\n  - " + std::string(keys) + "\n"; }

std::string Repeat(std::string_view text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

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

struct BadDocument {
  std::string text;
  std::string_view position;
  std::string_view message;  // a part of it
};

void ExpectErrors(const std::vector<BadDocument>& documents) {
  for (const BadDocument& bad : documents) {
    const std::string error = ErrorOf(bad.text);
    SCOPED_TRACE(bad.text.substr(0, 200));
    EXPECT_THAT(error, StartsWith("x.yaml:" + std::string(bad.position) + ": "));
    EXPECT_THAT(error, HasSubstr(std::string(bad.message)));
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    EXPECT_LT(error.size(), 250u) << error;
  }
}

TEST(BadDocuments, Encodings) {
  ExpectErrors({
      {"\xff\xfes\0w\0"s, "1:1", "UTF-16"},
      {"\xfe\xff\0s\0w"s, "1:1", "UTF-16"},
      {"s\0w\0e\0"s, "1:1", "UTF-16"},
      {"\0\0\xfe\xff\0\0\0s"s, "1:1", "UTF-32"},
      {"sweeps:\n  - name: a\0b"s, "2:12", "control character"},
      {"sweeps:\n  - name: caf\xe9\n", "2:14", "not UTF-8"},
      {"sweeps:\n  - name: \xc0\xaf\n", "2:11", "not UTF-8"},
      {"sweeps:\n  - name: \xed\xa0\x80\n", "2:11", "not UTF-8"},
      {"sweeps:\n  - name: \xf4\x90\x80\x80\n", "2:11", "not UTF-8"},
      {"# \xe2\x82", "1:3", "not UTF-8"},
      {"sweeps:\r  - seq: 1\r", "1:8", "carriage return"},
      {"sweeps:\n  - seq: \x1b[31m1\n", "2:10", "control character"},
      {"sweeps:\n\t- seq: 1\n", "2:1", "a tab"},
      {"sweeps:\n  - seq:\t1\n", "2:9", "a tab"},
      {"\xef\xbb\xbfsweeps:\n  - sqe: 1\n", "2:5", "'sqe'"},
      {"sweeps:\r\n  - sqe: 1\r\n", "2:5", "'sqe'"},
  });
}

TEST(BadDocuments, NotYamlOrMoreThanIsRead) {
  ExpectErrors({
      {"", "1:1", "the document is empty"},
      {"\n\n# nothing\n", "1:1", "the document is empty"},
      {"---\n...\n", "1:1", "the document is empty"},
      {"sweeps:\n  - {seq: 1\n", "2:5", "is a bracket not closed?"},
      {"sweeps:\n  - seq: [1, 2\n", "3:1", "not YAML"},
      {"sweeps:\n  - seq: 1]\n", "2:10", "got '1]'"},
      {"sweeps:\n  - seq: \"\\q\"\n", "2:13", "not YAML"},
      {"sweeps:\n  - seq: 1\n hidden: 2\n", "3:2", "not YAML"},
      {"sweeps:\n  - seq: 1\n---\nsweeps:\n  - seq: 2\n", "3:1", "more than one document"},
      {Sweep("&a {seq: 1}"), "2:5", "anchors and aliases"},
      {Sweep("seq: *a"), "2:10", "not YAML"},
      {"defaults: {seq: &s 1}\n" + Sweep("seq: *s"), "1:17", "anchors and aliases"},
      {"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "1:4", "anchors and aliases"},
      {Sweep("seq: !!int 1"), "2:10", "tags"},
      {Sweep("!sweep {seq: 1}"), "2:5", "tags"},
      {Sweep("? [seq]\n    : 1"), "2:7", "a key must be a word"},
      {Sweep("{[seq]: 1}"), "2:6", "a key must be a word"},
      {Sweep("{: 1}"), "2:6", "a key must be a word"},
      {"sweeps: " + Repeat("[", 100'000) + Repeat("]", 100'000), "1:40", "more than 32"},
      {"sweeps: " + Repeat("[", 100'000), "1:10", "bracket not closed"},
      {"sweeps: " + Repeat("{a: ", 100'000), "1:133", "more than 32"},
      {"sweeps:\n" + Repeat("- ", 100'000), "2:63", "more than 32"},
      {Repeat("? ", 100'000), "1:3", "a key must be a word"},
      {"sweeps: \n#" + Repeat("x", 1 << 20), "1:1", "more than 1048576 bytes"},
  });
}

TEST(BadDocuments, KeysAtEveryLevel) {
  ExpectErrors({
      {"- seq: 1\n", "1:1", "expected a map with the key sweeps, got a list"},
      {"seq\n", "1:1", "got 'seq'"},
      {"defaults: {seq: 1}\n", "1:1", "the key sweeps is missing"},
      {"sweeps:\n", "1:1", "expected a list of maps, got nothing"},
      {"sweeps: {}\n", "1:9", "expected a list of maps, got a map"},
      {"sweeps: []\n", "1:9", "the list is empty"},
      {"sweeps: [1]\n", "1:10", "a sweep: expected a map, got '1'"},
      {"sweeps:\n  -\n", "3:1", "expected a map, got nothing"},
      {"sweep:\n  - seq: 1\n", "1:1", "unknown key 'sweep' in a config; did you mean sweeps?"},
      {Sweep("seq: 1") + "models: []\n", "3:1", "unknown key 'models' in a config"},
      {Sweep("sqe: 1"), "2:5", "unknown key 'sqe' in a sweep; did you mean seq?"},
      {Sweep("Seq: 1"), "2:5", "did you mean seq?"},
      {Sweep("seq: 1\n    head-dim: 8"), "3:5", "did you mean head_dim?"},
      {Sweep("backend: cpu"), "2:5", "did you mean backends?"},
      {Sweep("kernel: vec16"), "2:5", "unknown key 'kernel' in a sweep"},
      {Sweep("<<: {seq: 1}"), "2:5", "unknown key '<<'"},
      {Sweep("\"a\\nb\": 1"), "2:5", "unknown key 'a\\x0ab'"},
      {Sweep(Repeat("k", 1000) + ": 1"), "2:5", "kkk...'"},
      {"defaults: {sytle: half}\n" + Sweep("seq: 1"), "1:12", "in defaults; did you mean style?"},
      {"defaults: {name: a}\n" + Sweep("seq: 1"), "1:12", "unknown key 'name' in defaults"},
      {"defaults: [1]\n" + Sweep("seq: 1"), "1:11", "defaults: expected a map, got a list"},
      {"defaults:\n" + Sweep("seq: 1"), "1:1", "defaults: expected a map, got nothing"},
      {Sweep("seq: {from: 1, to: 2, stepp: 1}"), "2:27", "in a range; did you mean step?"},
      {Sweep("exclude: [{sequ: 1}]"), "2:16", "in exclude; did you mean seq?"},
      {Sweep("exclude: [{backends: cpu}]"), "2:16", "unknown key 'backends' in exclude"},
      {Sweep("seq: 1") + "sweeps: []\n", "3:1", "key 'sweeps' stands twice"},
      {"defaults: {seq: 1, seq: 2}\n" + Sweep("seq: 1"), "1:20", "key 'seq' stands twice"},
      {Sweep("seq: 1\n    seq: 1"), "3:5", "key 'seq' stands twice"},
      {Sweep("seq: {from: 1, to: 2, to: 3, step: 1}"), "2:27", "key 'to' stands twice"},
      {Sweep("exclude: [{seq: 1, seq: 2}]"), "2:24", "key 'seq' stands twice"},
  });
}

TEST(BadDocuments, Integers) {
  ExpectErrors({
      {Sweep("seq:"), "2:5", "seq: has no value"},
      {Sweep("seq: ~"), "2:5", "seq: has no value"},
      {Sweep("seq: null"), "2:5", "seq: has no value"},
      {Sweep("seq: 2048.0"), "2:10", "seq: expected an integer in decimal, got '2048.0'"},
      {Sweep("seq: 1e3"), "2:10", "expected an integer"},
      {Sweep("seq: 0x800"), "2:10", "expected an integer"},
      {Sweep("seq: 0o17"), "2:10", "expected an integer"},
      {Sweep("seq: 010"), "2:10", "expected an integer"},
      {Sweep("seq: +5"), "2:10", "expected an integer"},
      {Sweep("seq: 1_000"), "2:10", "expected an integer"},
      {Sweep("seq: 2k"), "2:10", "expected an integer"},
      {Sweep("seq: \"2048\""), "2:10", "got the text '2048'"},
      {Sweep("seq: '2048'"), "2:10", "got the text '2048'"},
      {Sweep("seq: true"), "2:10", "got 'true'"},
      {Sweep("seq: .nan"), "2:10", "got '.nan'"},
      {Sweep("seq: -"), "2:10", "not YAML"},
      {Sweep("seq: 1 2"), "2:10", "got '1 2'"},
      {Sweep("seq: |\n      2048"), "2:10", "got the text"},
      {Sweep("seq: -1"), "2:10", "seq: '-1' is outside 1..2147483647"},
      {Sweep("seq: 0"), "2:10", "is outside 1..2147483647"},
      {Sweep("seq: 2147483648"), "2:10", "is outside"},
      {Sweep("seq: 9223372036854775808"), "2:10", "'9223372036854775808' is outside"},
      {Sweep("seq: -9223372036854775809"), "2:10", "is outside"},
      {Sweep("seq: " + Repeat("9", 5000)), "2:10", "is outside"},
      {Sweep("position_offset: -1"), "2:22", "is outside 0..2147483647"},
      {Sweep("hidden: 1099511627777"), "2:13", "is outside 1..1099511627776"},
      {Sweep("batch: []"), "2:12", "batch: the list is empty"},
      {Sweep("batch: [1, ]\n    seq: [1, , 2]"), "3:14", "got nothing"},
      {Sweep("q_heads: [1, two]"), "2:18", "q_heads: expected an integer in decimal, got 'two'"},
      {Sweep("q_heads: [1, [2]]"), "2:18", "got a list"},
      {Sweep("q_heads: [1, {from: 2, to: 4, step: 1}]"), "2:18", "got a map"},
      {Sweep("q_heads:\n      - 8\n      - 8"), "4:9", "q_heads: '8' stands twice"},
  });
}

TEST(BadDocuments, Ranges) {
  ExpectErrors({
      {Sweep("seq: {}"), "2:10", "either factor or step"},
      {Sweep("seq: {from: 1, to: 2}"), "2:10", "either factor or step"},
      {Sweep("seq: {from: 1, to: 2, factor: 2, step: 1}"), "2:38", "either factor or step"},
      {Sweep("seq: {to: 2, step: 1}"), "2:10", "a range needs the key from"},
      {Sweep("seq: {from: 2, step: 1}"), "2:10", "a range needs the key to"},
      {Sweep("seq: {from: 4, to: 2, step: 1}"), "2:24", "seq: to 2 is below from 4"},
      {Sweep("seq: {from: 1, to: 2, step: 0}"), "2:33", "seq.step: '0' is outside"},
      {Sweep("seq: {from: 1, to: 2, step: -1}"), "2:33", "seq.step: '-1' is outside"},
      {Sweep("seq: {from: 1, to: 2, factor: 1}"), "2:35", "seq.factor: '1' is outside 2.."},
      {Sweep("seq: {from: 1, to: 8, factor: 1.5}"), "2:35", "seq.factor: expected an integer"},
      {Sweep("seq: {from: 0, to: 8, step: 1}"), "2:17", "seq.from: '0' is outside 1.."},
      {Sweep("seq: {from: 1, to: , step: 1}"), "2:20", "seq.to: expected an integer"},
      {Sweep("position_offset: {from: 0, to: 8, factor: 2}"), "2:29", "'0' is outside 1.."},
      {Sweep("seq: {from: 1, to: 100001, step: 1}"), "2:10", "more than 100000 values"},
      {Sweep("theta: {from: 1, to: 2, step: 1}"), "2:12", "theta: takes a value or a list"},
      {Sweep("dtype: {from: fp16, to: fp32, step: 1}"), "2:12", "dtype: takes a value or a list"},
  });
}

TEST(BadDocuments, WordsAndNumbers) {
  ExpectErrors({
      {Sweep("pass: forwards"), "2:11",
       "pass: expected one of forward, backward, full, got 'forwards'; did you mean forward?"},
      {Sweep("pass: [forward, up]"), "2:21", "got 'up'"},
      {Sweep("dtype: bf61"), "2:12", "did you mean bf16?"},
      {Sweep("dtype: 16"), "2:12", "got '16'"},
      {Sweep("dtype: [bf16, fp32, bf16]"), "2:25", "dtype: 'bf16' stands twice"},
      {Sweep("table_dtype: fp8"), "2:18", "expected one of fp32, fp16, bf16"},
      {Sweep("style: neox"), "2:12", "expected one of half, interleaved"},
      {Sweep("layout: [[bshd]]"), "2:14", "got a list"},
      {Sweep("placement: inplace"), "2:16", "did you mean in_place?"},
      {Sweep("theta: 0"), "2:12", "theta: '0' is not a positive number"},
      {Sweep("theta: -1.5"), "2:12", "is not a positive number"},
      {Sweep("theta: .inf"), "2:12", "expected a number"},
      {Sweep("theta: inf"), "2:12", "is not a positive number"},
      {Sweep("theta: nan"), "2:12", "is not a positive number"},
      {Sweep("theta: 1e400"), "2:12", "is not a positive number"},
      {Sweep("theta: 0x10"), "2:12", "expected a number"},
      {Sweep("theta: '10000'"), "2:12", "got the text '10000'"},
      {Sweep("theta: [1e4, 10000]"), "2:18", "theta: '10000' stands twice"},
      {Sweep("identity: lieger"), "2:15", "did you mean liger?"},
      {Sweep("identity: [liger]"), "2:15", "got a list"},
      {Sweep("protocol: warm"), "2:15", "expected one of cold, cold_events, do_bench, got 'warm'"},
      {Sweep("protocol: dobench"), "2:15", "did you mean do_bench?"},
      {Sweep("protocol: [cold, cold]"), "2:22", "stands twice"},
      {Sweep("protocol: []"), "2:15", "the list is empty"},
      {Sweep("protocol:"), "2:5", "protocol: has no value"},
      {Sweep("backends: [cuda, metal]"), "2:22", "expected one of cuda, vulkan, cpu"},
      {Sweep("backends: auto"), "2:15", "got 'auto'"},
      {Sweep("variants: [vec16, a/b]"), "2:23", "expected 1 to 64 of the characters"},
      {Sweep("variants: ''"), "2:15", "got the text ''"},
      {Sweep("name: a b"), "2:11", "name: expected 1 to 64"},
      {Sweep("name: [a]"), "2:11", "name: expected 1 to 64"},
      {Sweep("name: a") + "  - name: a\n", "3:11", "name: 'a' stands twice"},
      {Sweep("name: sweep2") + "  - seq: 1\n", "3:5", "name: 'sweep2' stands twice"},
  });
}

TEST(BadDocuments, WorkloadsThatBreakARule) {
  ExpectErrors({
      {Sweep("hidden: 512\n    head_dim: 16"), "3:5", "head_dim: give either hidden or head_dim"},
      {Sweep("head_dim: 16\n    hidden: 512"), "3:5", "hidden: give either hidden or head_dim"},
      {Sweep("hidden: [512, 100]"), "2:19", "hidden: 100 is no multiple of q_heads 32"},
      {Sweep("q_heads: 3"), "2:14", "hidden: 512 is no multiple of q_heads 3"},
      {"defaults: {q_heads: 3}\n" + Sweep("seq: 1"), "1:21", "is no multiple of q_heads 3"},
      {Sweep("hidden: 480"), "2:13", "hidden: 480 over 32 q_heads gives head_dim 15 is odd"},
      {Sweep("head_dim: [16, 15]"), "2:20", "head_dim: 15 is odd"},
      {Sweep("rotary_dim: 7"), "2:17", "rotary_dim: 7 is odd"},
      {Sweep("rotary_dim: [8, 18]"), "2:21", "rotary_dim: 18 exceeds head_dim 16"},
      {Sweep("hidden: 1099511627776\n    q_heads: 1"), "2:13", "does not fit 31 bits"},
      {Sweep("seq: 2147483647\n    q_heads: 2147483647\n    head_dim: 2"), "3:14",
       "q_heads: the tensor exceeds 2^40 elements"},
      {Sweep("seq: 2147483647\n    batch: 1000"), "2:5", "q_heads: the tensor exceeds"},
      {Sweep("style: interleaved\n    identity: liger"), "3:15", "style half only"},
      {Sweep("batch: [1, 2]\n    identity: liger"), "3:15", "identity liger has batch 1 only"},
      {"defaults: {identity: liger}\n" + Sweep("theta: 5e5"), "1:22", "theta 10000 only"},
  });
}

TEST(BadDocuments, ExcludeAndLimits) {
  const std::string ten_thousand = "{from: 1, to: 10000, step: 1}";
  ExpectErrors({
      {Sweep("exclude:"), "2:5", "exclude: expected a list of maps, got nothing"},
      {Sweep("exclude: {seq: 1}"), "2:14", "expected a list of maps, got a map"},
      {Sweep("exclude: []"), "2:14", "exclude: the list is empty"},
      {Sweep("exclude: [{}]"), "2:15", "got an empty one"},
      {Sweep("exclude: [seq]"), "2:15", "got 'seq'"},
      {Sweep("exclude: [{seq: }]"), "2:16", "seq: has no value"},
      {Sweep("exclude: [{seq: 1}]"), "2:15", "the rule excludes nothing"},
      {Sweep("seq: 1\n    exclude: [{seq: 1}]"), "2:5", "exclude: leaves no case"},
      {Sweep("seq: " + ten_thousand + "\n    batch: {from: 1, to: 11, step: 1}"), "2:5",
       "more than 100000 cases"},
      {Sweep("seq: " + ten_thousand + "\n    batch: " + ten_thousand + "\n    kv_heads: " +
             ten_thousand + "\n    head_dim: " + ten_thousand + "\n    q_heads: " + ten_thousand),
       "2:5", "more than 100000 cases"},
      {Sweep("seq: {from: 1, to: 99999, step: 1}") + "  - seq: [1, 2]\n", "3:5",
       "more than 100000 cases"},
      {Sweep("seq: {from: 1, to: 60000, step: 1}\n    protocol: [cold, do_bench]"), "2:5",
       "more than 100000 cases"},
  });
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
