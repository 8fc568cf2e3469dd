#include "manifests/jcs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace ropebench {
namespace {

using nlohmann::json;

double FromBits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

struct NumberCase {
  std::uint64_t bits;
  const char* text;
};

TEST(CanonicalJson, LaysOutNumbersAsTheRfcLists) {
  const NumberCase cases[] = {
      // RFC 8785, appendix B
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const NumberCase& c : cases) EXPECT_EQ(CanonicalJson(FromBits(c.bits)), c.text);
}

TEST(CanonicalJson, LaysOutNumbersWherePlainFormattersDiffer) {
  const std::pair<double, const char*> cases[] = {
      {1e-5, "0.00001"}, {1e-7, "1e-7"},
      {1.0, "1"},        {-0.0, "0"},
      {1e21, "1e+21"},   {1e20, "100000000000000000000"},
      {100.0, "100"},    {0.1, "0.1"},
      {-1.5, "-1.5"},    {123456.789, "123456.789"},
      {1e100, "1e+100"}, {1.25e-9, "1.25e-9"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(CanonicalJson(value), text);
}

TEST(CanonicalJson, WritesIntegersThatDoublesHoldAndRefusesOthers) {
  EXPECT_EQ(CanonicalJson(json::parse("9007199254740992")), "9007199254740992");
  EXPECT_EQ(CanonicalJson(json::parse("-9007199254740994")), "-9007199254740994");
  EXPECT_EQ(CanonicalJson(json::parse("10000000000000000")), "10000000000000000");
  EXPECT_EQ(CanonicalJson(std::numeric_limits<std::int64_t>::min()), "-9223372036854776000");
  EXPECT_EQ(CanonicalJson(0), "0");
  EXPECT_EQ(CanonicalJson(-7), "-7");
  for (const char* text : {"9007199254740993", "-9007199254740993", "18446744073709551615"}) {
    EXPECT_THROW(CanonicalJson(json::parse(text)), std::invalid_argument) << text;
  }
}

TEST(CanonicalJson, RefusesNanAndInfinity) {
  for (const double value : {std::nan(""), FromBits(0x7ff0000000000000), -HUGE_VAL}) {
    EXPECT_THROW(CanonicalJson(value), std::invalid_argument);
    EXPECT_THROW(ReadableJson(json{{"deep", {1, value}}}), std::invalid_argument);
  }
}

TEST(CanonicalJson, WritesTheRfcSample) {  // RFC 8785, section 3.2.2
  const json value = json::parse(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })");
  EXPECT_EQ(CanonicalJson(value), R"({"literals":[null,true,false],)"
                                  R"("numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
                                  R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

TEST(CanonicalJson, SortsKeysByUtf16CodeUnit) {  // RFC 8785, section 3.2.3
  const json value = json::parse(R"({
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  })");
  const std::string text = CanonicalJson(value);
  std::size_t last = 0;
  for (const char* expected :
       {"Carriage Return", "One", "Control", "Latin Small", "Euro Sign", "Emoji", "Hebrew"}) {
    const std::size_t at = text.find(expected);
    EXPECT_GT(at, last) << expected << " in " << text;
    last = at;
  }
}

TEST(CanonicalJson, SortsNestedAndPrefixKeys) {
  EXPECT_EQ(CanonicalJson(json::parse(R"({"b":{"z":1,"aa":2,"a":3,"":4},"a":[]})")),
            R"({"a":[],"b":{"":4,"a":3,"aa":2,"z":1}})");
}

TEST(CanonicalJson, EscapesControlCharactersQuotesAndBackslashesOnly) {
  for (int c = 0; c < 0x80; ++c) {
    std::string expected(1, static_cast<char>(c));
    const char* const short_forms[] = {"\\b", "\\t", "\\n", nullptr, "\\f", "\\r"};
    if (c >= 8 && c <= 13 && c != 11) {
      expected = short_forms[c - 8];
    } else if (c < 0x20) {
      expected = fmt::format("\\u{:04x}", c);
    } else if (c == '"' || c == '\\') {
      expected = fmt::format("\\{:c}", c);
    }
    EXPECT_EQ(CanonicalJson(std::string(1, static_cast<char>(c))), fmt::format("\"{}\"", expected))
        << c;
  }
  EXPECT_EQ(CanonicalJson("Dürer €\xF0\x9F\x98\x80\xE2\x80\xA8"),
            "\"Dürer €\xF0\x9F\x98\x80\xE2\x80\xA8\"");
}

TEST(CanonicalJson, RefusesInvalidUtf8) {
  for (const char* text :
       {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80"}) {
    EXPECT_THROW(CanonicalJson(text), std::invalid_argument);
    EXPECT_THROW(CanonicalJson(json{{text, 1}}), std::invalid_argument);
  }
}

TEST(ReadableJson, IsTheSameValueOverLines) {
  const json value = json::parse(R"({"b":[1.0,{"c":[]}],"a":{},"d":1e-7})");
  EXPECT_EQ(ReadableJson(value), R"({
  "a": {},
  "b": [
    1,
    {
      "c": []
    }
  ],
  "d": 1e-7
}
)");
  EXPECT_EQ(CanonicalJson(json::parse(ReadableJson(value))), CanonicalJson(value));
}

// Bit patterns of random doubles, of short decimals and of powers of ten with their neighbours.
std::vector<std::uint64_t> DoublesToCompare() {
  std::mt19937_64 random(20200627);
  std::vector<std::uint64_t> bits;
  const auto add = [&](double x) {
    if (std::isfinite(x)) bits.push_back(std::bit_cast<std::uint64_t>(x));
  };
  for (int i = 0; i < 150'000; ++i) add(FromBits(random()));
  for (int i = 0; i < 50'000; ++i) {
    add(static_cast<double>(static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000) *
        std::pow(10.0, static_cast<double>(random() % 40) - 25.0));
  }
  for (int e = -323; e <= 308; ++e) {
    const double power = std::strtod(fmt::format("1e{}", e).c_str(), nullptr);
    add(power);
    add(std::nextafter(power, 0.0));
    add(std::nextafter(power, HUGE_VAL));
  }
  return bits;
}

TEST(CanonicalJson, AgreesWithNodeOnRandomDoubles) {
  if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "node is not installed";
  const std::vector<std::uint64_t> bits = DoublesToCompare();
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("ropebench_jcs_test.{}", ::getpid());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bits.data()),
             static_cast<std::streamsize>(bits.size() * sizeof(bits[0])));
  const std::string command = fmt::format(
      "node -e 'const b = require(\"fs\").readFileSync(\"{}\"); let t = \"\";"
      " for (let i = 0; i < b.length; i += 8) t += JSON.stringify(b.readDoubleLE(i)) + \"\\n\";"
      " process.stdout.write(t)'",
      file.string());
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::size_t compared = 0;
  std::size_t differing = 0;
  char line[64];
  while (compared < bits.size() && std::fgets(line, sizeof(line), pipe) != nullptr) {
    const std::string ours = CanonicalJson(FromBits(bits[compared])) + "\n";
    if (ours != line && ++differing <= 10) ADD_FAILURE() << "ours " << ours << "node " << line;
    ++compared;
  }
  EXPECT_EQ(::pclose(pipe), 0);
  std::filesystem::remove(file);
  EXPECT_EQ(compared, bits.size());
  EXPECT_EQ(differing, 0u);
}

}  // namespace
}  // namespace ropebench
