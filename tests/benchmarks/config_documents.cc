#include "tests/benchmarks/config_documents.h"

namespace ropebench {

std::string Sweep(std::string_view keys) { return "sweeps:\n  - " + std::string(keys) + "\n"; }

std::string Repeat(std::string_view text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

namespace {

using namespace std::string_literals;

std::vector<BadDocument> Encodings() {
  return {
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
  };
}

std::vector<BadDocument> NotYamlOrMoreThanIsRead() {
  return {
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
  };
}

std::vector<BadDocument> KeysAtEveryLevel() {
  return {
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
      {"defaults: {seq: 1, seq: 2}\n" + Sweep("seq: 1"), "1:20", "key 'seq' stands twice",
       RefusedBy::kLoader},
      {Sweep("seq: 1\n    seq: 1"), "3:5", "key 'seq' stands twice", RefusedBy::kLoader},
      {Sweep("seq: {from: 1, to: 2, to: 3, step: 1}"), "2:27", "key 'to' stands twice",
       RefusedBy::kLoader},
      {Sweep("exclude: [{seq: 1, seq: 2}]"), "2:24", "key 'seq' stands twice", RefusedBy::kLoader},
  };
}

std::vector<BadDocument> Integers() {
  return {
      {Sweep("seq:"), "2:5", "seq: has no value"},
      {Sweep("seq: ~"), "2:5", "seq: has no value"},
      {Sweep("seq: null"), "2:5", "seq: has no value"},
      {Sweep("seq: 2048.0"), "2:10", "seq: expected an integer in decimal, got '2048.0'",
       RefusedBy::kLoader},
      {Sweep("seq: 1e3"), "2:10", "expected an integer", RefusedBy::kLoader},
      {Sweep("seq: 0x800"), "2:10", "expected an integer", RefusedBy::kLoader},
      {Sweep("seq: 0o17"), "2:10", "expected an integer", RefusedBy::kLoader},
      {Sweep("seq: 010"), "2:10", "expected an integer", RefusedBy::kLoader},
      {Sweep("seq: +5"), "2:10", "expected an integer", RefusedBy::kLoader},
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
  };
}

std::vector<BadDocument> Ranges() {
  return {
      {Sweep("seq: {}"), "2:10", "either factor or step"},
      {Sweep("seq: {from: 1, to: 2}"), "2:10", "either factor or step"},
      {Sweep("seq: {from: 1, to: 2, factor: 2, step: 1}"), "2:38", "either factor or step"},
      {Sweep("seq: {to: 2, step: 1}"), "2:10", "a range needs the key from"},
      {Sweep("seq: {from: 2, step: 1}"), "2:10", "a range needs the key to"},
      {Sweep("seq: {from: 4, to: 2, step: 1}"), "2:24", "seq: to 2 is below from 4",
       RefusedBy::kLoader},
      {Sweep("seq: {from: 1, to: 2, step: 0}"), "2:33", "seq.step: '0' is outside"},
      {Sweep("seq: {from: 1, to: 2, step: -1}"), "2:33", "seq.step: '-1' is outside"},
      {Sweep("seq: {from: 1, to: 2, factor: 1}"), "2:35", "seq.factor: '1' is outside 2.."},
      {Sweep("seq: {from: 1, to: 8, factor: 1.5}"), "2:35", "seq.factor: expected an integer"},
      {Sweep("seq: {from: 0, to: 8, step: 1}"), "2:17", "seq.from: '0' is outside 1.."},
      {Sweep("seq: {from: 1, to: , step: 1}"), "2:20", "seq.to: expected an integer"},
      {Sweep("position_offset: {from: 0, to: 8, factor: 2}"), "2:29", "'0' is outside 1.."},
      {Sweep("seq: {from: 1, to: 100001, step: 1}"), "2:10", "more than 100000 values",
       RefusedBy::kLoader},
      {Sweep("theta: {from: 1, to: 2, step: 1}"), "2:12", "theta: takes a value or a list"},
      {Sweep("dtype: {from: fp16, to: fp32, step: 1}"), "2:12", "dtype: takes a value or a list"},
  };
}

std::vector<BadDocument> WordsAndNumbers() {
  return {
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
      {Sweep("theta: .inf"), "2:12", "expected a number", RefusedBy::kLoader},
      {Sweep("theta: inf"), "2:12", "is not a positive number"},
      {Sweep("theta: nan"), "2:12", "is not a positive number"},
      {Sweep("theta: 1e400"), "2:12", "is not a positive number", RefusedBy::kLoader},
      {Sweep("theta: 0x10"), "2:12", "expected a number", RefusedBy::kLoader},
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
      {Sweep("name: a") + "  - name: a\n", "3:11", "name: 'a' stands twice", RefusedBy::kLoader},
      {Sweep("name: sweep2") + "  - seq: 1\n", "3:5", "name: 'sweep2' stands twice",
       RefusedBy::kLoader},
  };
}

std::vector<BadDocument> WorkloadsThatBreakARule() {
  return {
      {Sweep("hidden: 512\n    head_dim: 16"), "3:5", "head_dim: give either hidden or head_dim"},
      {Sweep("head_dim: 16\n    hidden: 512"), "3:5", "hidden: give either hidden or head_dim"},
      {Sweep("hidden: [512, 100]"), "2:19", "hidden: 100 is no multiple of q_heads 32",
       RefusedBy::kLoader},
      {Sweep("q_heads: 3"), "2:14", "hidden: 512 is no multiple of q_heads 3", RefusedBy::kLoader},
      {"defaults: {q_heads: 3}\n" + Sweep("seq: 1"), "1:21", "is no multiple of q_heads 3",
       RefusedBy::kLoader},
      {Sweep("hidden: 480"), "2:13", "hidden: 480 over 32 q_heads gives head_dim 15 is odd",
       RefusedBy::kLoader},
      {Sweep("head_dim: [16, 15]"), "2:20", "head_dim: 15 is odd"},
      {Sweep("rotary_dim: 7"), "2:17", "rotary_dim: 7 is odd"},
      {Sweep("rotary_dim: [8, 18]"), "2:21", "rotary_dim: 18 exceeds head_dim 16",
       RefusedBy::kLoader},
      {Sweep("hidden: 1099511627776\n    q_heads: 1"), "2:13", "does not fit 31 bits",
       RefusedBy::kLoader},
      {Sweep("seq: 2147483647\n    q_heads: 2147483647\n    head_dim: 2"), "3:14",
       "q_heads: the tensor exceeds 2^40 elements", RefusedBy::kLoader},
      {Sweep("seq: 2147483647\n    batch: 1000"), "2:5", "q_heads: the tensor exceeds",
       RefusedBy::kLoader},
      {Sweep("style: interleaved\n    identity: liger"), "3:15", "style half only",
       RefusedBy::kLoader},
      {Sweep("batch: [1, 2]\n    identity: liger"), "3:15", "identity liger has batch 1 only",
       RefusedBy::kLoader},
      {"defaults: {identity: liger}\n" + Sweep("theta: 5e5"), "1:22", "theta 10000 only",
       RefusedBy::kLoader},
  };
}

std::vector<BadDocument> ExcludeAndLimits() {
  const std::string ten_thousand = "{from: 1, to: 10000, step: 1}";
  return {
      {Sweep("exclude:"), "2:5", "exclude: expected a list of maps, got nothing"},
      {Sweep("exclude: {seq: 1}"), "2:14", "expected a list of maps, got a map"},
      {Sweep("exclude: []"), "2:14", "exclude: the list is empty"},
      {Sweep("exclude: [{}]"), "2:15", "got an empty one"},
      {Sweep("exclude: [seq]"), "2:15", "got 'seq'"},
      {Sweep("exclude: [{seq: }]"), "2:16", "seq: has no value"},
      {Sweep("exclude: [{seq: 1}]"), "2:15", "the rule excludes nothing", RefusedBy::kLoader},
      {Sweep("seq: 1\n    exclude: [{seq: 1}]"), "2:5", "exclude: leaves no case",
       RefusedBy::kLoader},
      {Sweep("seq: " + ten_thousand + "\n    batch: {from: 1, to: 11, step: 1}"), "2:5",
       "more than 100000 cases", RefusedBy::kLoader},
      {Sweep("seq: " + ten_thousand + "\n    batch: " + ten_thousand + "\n    kv_heads: " +
             ten_thousand + "\n    head_dim: " + ten_thousand + "\n    q_heads: " + ten_thousand),
       "2:5", "more than 100000 cases", RefusedBy::kLoader},
      {Sweep("seq: {from: 1, to: 99999, step: 1}") + "  - seq: [1, 2]\n", "3:5",
       "more than 100000 cases", RefusedBy::kLoader},
      {Sweep("seq: {from: 1, to: 60000, step: 1}\n    protocol: [cold, do_bench]"), "2:5",
       "more than 100000 cases", RefusedBy::kLoader},
  };
}

std::vector<BadDocument> Scalings() {
  const std::string yarn = "scaling: {type: yarn, factor: 4, original_max_position_embeddings: 8";
  const std::string su =
      "head_dim: 4\n    scaling: {type: su, original_max_position_embeddings: 8, factor: 2, ";
  return {
      {Sweep("scaling:"), "2:5", "scaling: has no value"},
      {Sweep("scaling: []"), "2:14", "scaling: the list is empty"},
      {Sweep("scaling: yarn"), "2:14", "expected none or a map with the key type, got 'yarn'"},
      {Sweep("scaling: {}"), "2:14", "scaling: the key type is missing"},
      {Sweep("scaling: [[none]]"), "2:15", "got a list"},
      {Sweep("scaling: {factor: 2}"), "2:14", "scaling: the key type is missing"},
      {Sweep("scaling: {type: none}"), "2:21", "expected one of linear, dynamic, yarn, longrope"},
      {Sweep("scaling: {type: yran, factor: 2}"), "2:21", "did you mean yarn?"},
      {Sweep("scaling: {type: [linear], factor: 2}"), "2:21", "got a list"},
      {Sweep("scaling: {type: linear}"), "2:14", "scaling: linear needs the key factor"},
      {Sweep("scaling: {type: linear, factor: }"), "2:29", "scaling.factor: expected a number"},
      {Sweep("scaling: {type: linear, facter: 2}"), "2:29", "did you mean factor?"},
      {Sweep("scaling: {type: linear, factor: 2, beta_fast: 3}"), "2:40",
       "unknown key 'beta_fast' in scaling linear"},
      {Sweep("scaling: {type: linear, factor: 0.5}"), "2:37", "0.5 is outside 1..1000000000"},
      {Sweep("scaling: {type: linear, factor: 2e9}"), "2:37", "is outside 1..1000000000"},
      {Sweep("scaling: {type: linear, factor: '2'}"), "2:37", "got the text '2'"},
      {Sweep("scaling: {type: linear, factor: [2]}"), "2:37", "scaling.factor: expected a number"},
      {Sweep("scaling: {type: linear, factor: {from: 1, to: 2, step: 1}}"), "2:37", "got a map"},
      {Sweep("scaling: {type: linear, factor: 2, factor: 2}"), "2:40", "'factor' stands twice",
       RefusedBy::kLoader},
      {Sweep("scaling: [{type: linear, factor: 2}, {type: linear, factor: 2.0}]"), "2:42",
       "scaling: a map stands twice"},
      {Sweep("scaling: [none, none]"), "2:21", "scaling: 'none' stands twice"},
      {Sweep("scaling: {type: dynamic, factor: 2}"), "2:14",
       "dynamic needs the key original_max_position_embeddings"},
      {Sweep("scaling: {type: dynamic, factor: 2, original_max_position_embeddings: 0}"), "2:75",
       "'0' is outside 1..2147483647"},
      {Sweep("scaling: {type: dynamic, factor: 2, original_max_position_embeddings: 8.5}"), "2:75",
       "expected an integer"},
      {Sweep("head_dim: 2\n    scaling: {type: dynamic, factor: 2, "
             "original_max_position_embeddings: 8}"),
       "2:15", "rotary_dim: 2 is too few for scaling dynamic", RefusedBy::kLoader},
      {Sweep(yarn + ", beta_fast: 1, beta_slow: 1}"), "2:86",
       "scaling.beta_fast: 1 is not above beta_slow 1", RefusedBy::kLoader},
      {Sweep(yarn + ", beta_slow: 0}"), "2:86", "'0' is not a positive number"},
      {Sweep(yarn + ", truncate: 1}"), "2:85", "expected true or false, got '1'"},
      {Sweep(yarn + ", truncate: \"true\"}"), "2:85", "got the text 'true'"},
      {Sweep(yarn + ", mscale: 1}"), "2:75",
       "scaling.mscale: means nothing without mscale_all_dim"},
      {Sweep(yarn + ", mscale: 1, mscale_all_dim: 1, attention_factor: 1}"), "2:75",
       "scaling.mscale: give either attention_factor or mscale"},
      {Sweep(yarn + ", attention_factor: 1e10}"), "2:93", "is outside 1e-09..1000000000"},
      {Sweep("theta: 1\n    " + yarn + "}"), "2:12", "1 is not above 1 as scaling yarn needs",
       RefusedBy::kLoader},
      {Sweep(su + "short_factor: 1, long_factor: [1, 1]}"), "3:87",
       "scaling.short_factor: expected a list of numbers, got '1'"},
      {Sweep(su + "short_factor: [], long_factor: [1, 1]}"), "3:87", "the list is empty"},
      {Sweep(su + "short_factor: [1, 1]}"), "3:14", "longrope needs the key long_factor"},
      {Sweep(su + "short_factor: [1, 1], long_factor: [1]}"), "3:14",
       "scaling.long_factor: has 1 values, not the 2 of rotary_dim / 2", RefusedBy::kLoader},
      {Sweep(su + "short_factor: [1, 0], long_factor: [1, 1]}"), "3:91",
       "scaling.short_factor: '0' is not a positive number"},
      {Sweep(su + "attention_factor: 1, short_factor: [1, 1], long_factor: [1, 1]}"), "3:62",
       "give either attention_factor or factor"},
      {Sweep("scaling: {type: longrope, original_max_position_embeddings: 8, short_factor: [1], "
             "long_factor: [1]}"),
       "2:14", "longrope needs factor or attention_factor"},
      {Sweep("scaling: {type: llama3, factor: 8, original_max_position_embeddings: 8192, "
             "low_freq_factor: 4, high_freq_factor: 1}"),
       "2:118", "1 is not above low_freq_factor 4", RefusedBy::kLoader},
      {Sweep("scaling: {type: linear, factor: 2}\n    identity: liger"), "3:15",
       "identity liger has scaling none only, not linear", RefusedBy::kLoader},
      {Sweep("exclude: [{scaling: linear}]"), "2:25", "expected none or a map"},
      {Sweep("exclude: [{scaling: {type: linear, factor: 2}}]"), "2:15", "excludes nothing",
       RefusedBy::kLoader},
  };
}

std::vector<BadDocument> Models() {
  return {
      {Sweep("model:"), "2:5", "model: expected the path of a config.json, got nothing"},
      {Sweep("model: ''"), "2:12", "got the text ''"},
      {Sweep("model: [a.json]"), "2:12", "got a list"},
      {Sweep("model: \"a\\nb\""), "2:12", "expected the path"},
      {Sweep("model: /no/such/config.json"), "2:12",
       "model: '/no/such/config.json' cannot be read: No such file or directory",
       RefusedBy::kLoader},
      {Sweep("model: /"), "2:12", "it is a directory", RefusedBy::kLoader},
      {Sweep("exclude: [{model: a.json}]"), "2:16", "unknown key 'model' in exclude"},
  };
}

}  // namespace

std::vector<BadDocumentGroup> BadDocuments() {
  return {
      {"Encodings", Encodings(), false},
      {"NotYamlOrMoreThanIsRead", NotYamlOrMoreThanIsRead(), false},
      {"KeysAtEveryLevel", KeysAtEveryLevel()},
      {"Integers", Integers()},
      {"Ranges", Ranges()},
      {"WordsAndNumbers", WordsAndNumbers()},
      {"WorkloadsThatBreakARule", WorkloadsThatBreakARule()},
      {"ExcludeAndLimits", ExcludeAndLimits()},
      {"Scalings", Scalings()},
      {"Models", Models()},
  };
}

std::vector<std::string> GoodDocuments() {
  const std::string yarn = "scaling: {type: yarn, factor: 4, original_max_position_embeddings: 8";
  return {
      "sweeps: [{}]",
      "defaults: {seq: 9, hidden: 2048, identity: liger, backends: cpu}\n"
      "sweeps:\n  - {}\n  - {seq: 8, head_dim: 8, identity: strict, backends: [cuda]}\n",
      Sweep("{name: all, pass: full, seq: 3, head_dim: 24, q_heads: 5, kv_heads: 7, dtype: fp16, "
            "batch: 2, rotary_dim: 8, table_dtype: fp32, style: interleaved, layout: bhsd, "
            "placement: out_of_place, theta: 1.5e6, position_offset: 9, identity: strict, "
            "protocol: [cold, do_bench], backends: cpu, variants: [fp32, 'x-1']}"),
      Sweep("seq: [5, 3]\n    hidden: {from: 64, to: 640, step: 64}"),
      Sweep("seq: {from: 3, to: 30, factor: 3}\n    pass: [full, forward]"),
      Sweep("position_offset: {from: 0, to: 2, step: 1}\n    theta: [1e4, 2e4]"),
      Sweep("seq: [1, 2]\n    exclude: [{seq: 1, dtype: [bf16, fp32]}]"),
      Sweep("scaling: none"),
      Sweep("scaling: [none, {type: linear, factor: 2}, {type: linear, factor: 4}]"),
      Sweep("scaling: {type: dynamic, factor: 2, original_max_position_embeddings: 2048}"),
      Sweep(yarn + "}"),
      Sweep(yarn + ", beta_fast: 16, beta_slow: 2, truncate: false, attention_factor: 1.1}"),
      Sweep(yarn + ", mscale: 1.0, mscale_all_dim: 0.8}"),
      Sweep("head_dim: 4\n    scaling: {type: longrope, original_max_position_embeddings: 8, "
            "factor: 2, short_factor: [1, 1.5], long_factor: [2, 3]}"),
      Sweep("head_dim: 4\n    scaling: {type: su, original_max_position_embeddings: 8, "
            "attention_factor: 1, short_factor: [1, 1.5], long_factor: [2, 3]}"),
      Sweep("scaling: {type: llama3, factor: 8, original_max_position_embeddings: 8192, "
            "low_freq_factor: 1, high_freq_factor: 4}"),
      Sweep("seq: [1, 2]\n    scaling: [none, {type: linear, factor: 2}]\n"
            "    exclude: [{seq: 1, scaling: {type: linear, factor: 2.0}}]"),
      Sweep("model: " ROPEBENCH_SOURCE_DIR "/tests/benchmarks/models/llama3.json"),
      Sweep("model: " ROPEBENCH_SOURCE_DIR "/tests/benchmarks/models/llama3.json\n    seq: [1, 2]\n"
            "    dtype: fp16\n    kv_heads: 1"),
  };
}

}  // namespace ropebench
