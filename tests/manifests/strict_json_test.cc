#include "manifests/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kLimit = 1 << 20;

std::string ErrorOf(std::string_view text) {
  try {
    ParseStrictJson(text, kLimit);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "no JsonError";
}

std::string Nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ParseStrictJson, ReadsWhatEveryReaderReadsAlike) {
  EXPECT_EQ(ParseStrictJson(" {\"a\" : [1, 2.5, true, null, \"\\u00e9\"]}\n", kLimit),
            nlohmann::json::parse("{\"a\":[1,2.5,true,null,\"é\"]}"));
  EXPECT_EQ(ParseStrictJson(Nested(kMaxJsonDepth), kLimit).size(), 1u);
  EXPECT_EQ(ParseStrictJson(R"({"a":{"x":1},"b":{"x":1}})", kLimit).size(), 2u);
}

TEST(ParseStrictJson, RefusesTheRestInOneLine) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "unexpected end of input"},
      {"{} {}", "expected end of input"},
      {"{\"a\":1,}", "syntax error"},
      {"[1 /* comment */]", "syntax error"},
      {"{\"a\":1,\"a\":2}", "names the key \"a\" twice"},
      {"{\"a\":1,\"\\u0061\":2}", "names the key \"a\" twice"},
      {"[{\"b\":[],\"a\":1,\"b\":2}]", "names the key \"b\" twice"},
      {"NaN", "invalid literal"},
      {"[Infinity]", "invalid literal"},
      {"1e999", "number overflow"},
      {"01", "expected end of input"},
      {"'a'", "invalid literal"},
      {"\"\xff\"", "ill-formed UTF-8"},
      {"\"\\ud800\"", "surrogate"},
      {"\"line\nbreak\"", "control character"},
      {"\xEF\xBB\xBF{}", "byte order mark"},
      {Nested(kMaxJsonDepth + 1), "deeper than 32 levels"},
      {Nested(400'000), "deeper than 32 levels"},
      {std::string(kLimit + 1, ' '), "at most 1048576 are read"},
  };
  for (const auto& [text, reason] : cases) {
    const std::string error = ErrorOf(text);
    EXPECT_THAT(error, HasSubstr(reason)) << text.substr(0, 40);
    EXPECT_THAT(error, Not(HasSubstr("\n")));
    EXPECT_THAT(error, Not(HasSubstr("json.exception")));
  }
}

}  // namespace
}  // namespace ropebench
