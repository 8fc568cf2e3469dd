#include "manifests/jcs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace ropebench {
namespace {

using nlohmann::json;

// Number::toString of ECMA-262: the shortest digits that read back as `x`, as d.ddd times 10^(n-1),
// laid out by the size of n.
std::string NumberText(double x) {
  if (!std::isfinite(x)) throw std::invalid_argument(fmt::format("JSON has no number {}", x));
  if (x == 0.0) return "0";  // also for -0
  char scientific[32];
  const std::to_chars_result end = std::to_chars(std::begin(scientific), std::end(scientific),
                                                 std::abs(x), std::chars_format::scientific);
  const std::string_view text(scientific, end.ptr);
  const std::size_t e = text.find('e');
  std::string digits(text.substr(0, e));
  std::erase(digits, '.');
  int exponent = 0;  // from_chars takes no plus sign
  const std::size_t first = e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + first, end.ptr, exponent);

  const int k = static_cast<int>(digits.size());
  const int n = exponent + 1;
  const std::string_view sign = x < 0.0 ? "-" : "";
  if (k <= n && n <= 21) return fmt::format("{}{}{:0<{}}", sign, digits, "", n - k);
  if (0 < n && n <= 21) {
    return fmt::format("{}{}.{}", sign, digits.substr(0, n), digits.substr(n));
  }
  if (-6 < n && n <= 0) return fmt::format("{}0.{:0<{}}{}", sign, "", -n, digits);
  return fmt::format("{}{}{}{}e{:+}", sign, digits[0], k == 1 ? "" : ".", digits.substr(1),
                     exponent);
}

// UTF-8 bytes compare like code points. In UTF-16 the surrogates of code points from U+10000 on
// (lead bytes from 0xF0) come before U+E000..U+FFFF (lead bytes 0xEE and 0xEF).
bool Utf16Less(std::string_view a, std::string_view b) {
  const auto rank = [](char c) {
    const int byte = static_cast<unsigned char>(c);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

class Writer {
 public:
  explicit Writer(bool readable) : readable_(readable) {}

  void Value(const json& value, std::size_t depth) {
    switch (value.type()) {
      case json::value_t::object:
        return Object(value, depth);
      case json::value_t::array:
        return Array(value, depth);
      case json::value_t::string:
        return String(value);
      case json::value_t::number_float:
        text_ += NumberText(value.get<double>());
        return;
      case json::value_t::number_unsigned:
      case json::value_t::number_integer:
        return Integer(value);
      case json::value_t::boolean:
      case json::value_t::null:
        text_ += value.dump();
        return;
      case json::value_t::binary:
      case json::value_t::discarded:
        throw std::invalid_argument("not a JSON value");
    }
  }

  std::string Take() && { return std::move(text_); }

 private:
  void Object(const json& value, std::size_t depth) {
    std::vector<std::string_view> keys;
    for (const auto& item : value.items()) keys.push_back(item.key());
    std::sort(keys.begin(), keys.end(), Utf16Less);
    text_ += '{';
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0) text_ += ',';
      NewLine(depth + 1);
      String(keys[i]);
      text_ += readable_ ? ": " : ":";
      Value(value.at(std::string(keys[i])), depth + 1);
    }
    if (!keys.empty()) NewLine(depth);
    text_ += '}';
  }

  void Array(const json& value, std::size_t depth) {
    text_ += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) text_ += ',';
      NewLine(depth + 1);
      Value(value[i], depth + 1);
    }
    if (!value.empty()) NewLine(depth);
    text_ += ']';
  }

  void Integer(const json& value) {
    const bool negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
    const std::uint64_t bits = value.get<std::uint64_t>();
    const std::uint64_t magnitude = negative ? 0 - bits : bits;
    if (magnitude != 0 && std::bit_width(magnitude >> std::countr_zero(magnitude)) > 53) {
      throw std::invalid_argument(
          fmt::format("no JSON number holds the integer {} exactly", value.dump()));
    }
    text_ += NumberText(value.get<double>());
  }

  void String(const json& value) {
    try {
      text_ += value.dump();  // escapes exactly what RFC 8785 escapes, in the same form
    } catch (const json::type_error&) {
      throw std::invalid_argument("a JSON string is not valid UTF-8");
    }
  }

  void NewLine(std::size_t depth) {
    if (!readable_) return;
    text_ += '\n';
    text_.append(2 * depth, ' ');
  }

  bool readable_;
  std::string text_;
};

}  // namespace

std::string CanonicalJson(const json& value) {
  Writer writer(/*readable=*/false);
  writer.Value(value, 0);
  return std::move(writer).Take();
}

std::string ReadableJson(const json& value) {
  Writer writer(/*readable=*/true);
  writer.Value(value, 0);
  return std::move(writer).Take() + '\n';
}

}  // namespace ropebench
