#include "benchmarks/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

TEST(ReadJson, KeepsTextAndPlaceOfEveryValue) {
  const YamlNode root = ReadJson(
      "{\n  \"a\": [1, -2.50e+1, true, false, null, \"x\\\"\\\\\"],\n\t\"b\\u0041\": "
      "{\"c\":{}}\n}");
  ASSERT_EQ(root.kind, YamlNode::Kind::kMap);
  EXPECT_EQ(root.position, (YamlPosition{1, 1}));
  ASSERT_EQ(root.items.size(), 2u);
  const YamlNode& list = root.items[0];
  EXPECT_EQ(list.key, "a");
  EXPECT_EQ(list.key_position, (YamlPosition{2, 3}));
  EXPECT_EQ(list.position, (YamlPosition{2, 8}));
  ASSERT_EQ(list.items.size(), 6u);
  const struct {
    YamlNode::Kind kind;
    const char* text;
    int column;
  } expected[] = {
      {YamlNode::Kind::kPlain, "1", 9},     {YamlNode::Kind::kPlain, "-2.50e+1", 12},
      {YamlNode::Kind::kPlain, "true", 22}, {YamlNode::Kind::kPlain, "false", 28},
      {YamlNode::Kind::kNull, "", 35},      {YamlNode::Kind::kQuoted, "x\"\\", 41},
  };
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(list.items[i].kind, expected[i].kind) << i;
    EXPECT_EQ(list.items[i].text, expected[i].text) << i;
    EXPECT_EQ(list.items[i].position, (YamlPosition{2, expected[i].column})) << i;
  }
  const YamlNode& map = root.items[1];
  EXPECT_EQ(map.key, "bA");
  EXPECT_EQ(map.key_position, (YamlPosition{3, 2}));
  EXPECT_EQ(map.items.at(0).position, (YamlPosition{3, 18}));
}

TEST(ReadJson, TakesAScalarAndAByteOrderMark) {
  EXPECT_EQ(ReadJson("7").text, "7");
  EXPECT_EQ(ReadJson("\xef\xbb\xbf  \"\"").position, (YamlPosition{1, 3}));
  EXPECT_EQ(ReadJson("9007199254740993").text, "9007199254740993");
}

TEST(ReadJson, RefusesInOneLineAtThePlace) {
  const auto repeat = [](std::string_view text, int count) {
    std::string repeated;
    for (int i = 0; i < count; ++i) repeated += text;
    return repeated;
  };
  const struct {
    std::string text;
    YamlPosition position;
    const char* message;
  } cases[] = {
      {"", {1, 1}, "empty"},
      {" \n", {1, 1}, "empty"},
      {"\xff\xfe{\0"s, {1, 1}, "UTF-16"},
      {"{\"a\": \"\xe9\"}", {1, 8}, "not UTF-8"},
      {"{\"a\": \"\n\"}", {1, 8}, "not JSON"},
      {"{\"a\": 1", {1, 8}, "the text ends early"},
      {"{\"a\": 1}}", {1, 9}, "not JSON"},
      {"{\"a\": 1,}", {1, 9}, "not JSON"},
      {"{\n\"a\" 1}", {2, 5}, "not JSON"},
      {"{a: 1}", {1, 2}, "not JSON"},
      {"[1, // no\n2]", {1, 5}, "not JSON"},
      {"[NaN]", {1, 2}, "not JSON"},
      {"[01]", {1, 3}, "not JSON"},
      {"['a']", {1, 2}, "not JSON"},
      {"[\"\\x\"]", {1, 4}, "not JSON"},
      {"[\"\\ud800\"]", {1, 9}, "not JSON"},
      {"[1e999]", {1, 6}, "a number that no double holds"},
      {"{\"a\": 1,\n \"a\": 2}", {2, 2}, "key 'a' stands twice"},
      {"{\"a\": {\"b\": 1, \"\\u0062\": 1}}", {1, 16}, "key 'b' stands twice"},
      {repeat("[", 100'000), {1, 33}, "more than 32"},
      {repeat("{\"a\":", 33), {1, 161}, "more than 32"},
      {repeat("[1],", 300'000), {1, 1}, "more than 1048576 bytes"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text.substr(0, 60));
    try {
      ReadJson(c.text);
      ADD_FAILURE() << "no error";
    } catch (const YamlError& error) {
      EXPECT_THAT(error.what(), HasSubstr(c.message));
      EXPECT_EQ(error.position().line, c.position.line);
      EXPECT_EQ(error.position().column, c.position.column);
    }
  }
}

}  // namespace
}  // namespace ropebench
