#include "benchmarks/node_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "benchmarks/nearest_name.h"

namespace ropebench {

std::string Describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kPlain:
      return Shown(node.text);
    case YamlNode::Kind::kQuoted:
      return "the text " + Shown(node.text);
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a map";
  }
  __builtin_unreachable();
}

const YamlNode* Find(const YamlNode& map, std::string_view key) {
  for (const YamlNode& item : map.items) {
    if (item.key == key) return &item;
  }
  return nullptr;
}

void CheckKeys(const YamlNode& map, std::span<const std::string_view> known,
               std::string_view where) {
  for (const YamlNode& item : map.items) {
    if (std::find(known.begin(), known.end(), item.key) != known.end()) continue;
    Fail(item.key_position, "unknown key {} in {}{}", Shown(item.key), where,
         DidYouMean(item.key, known));
  }
}

std::int64_t ReadInteger(const YamlNode& node, std::string_view key, std::int64_t min,
                         std::int64_t max) {
  const std::string& text = node.text;
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  if (node.kind != YamlNode::Kind::kPlain || digits.empty() ||
      digits.find_first_not_of("0123456789") != std::string_view::npos ||
      (digits.size() > 1 && digits.front() == '0')) {
    Fail(node.position, "{}: expected an integer in decimal, got {}", key, Describe(node));
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < min || value > max) {
    Fail(node.position, "{}: {} is outside {}..{}", key, Shown(text), min, max);
  }
  return value;
}

double ReadReal(const YamlNode& node, std::string_view key) {
  const std::string& text = node.text;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = node.kind == YamlNode::Kind::kPlain &&
                         error != std::errc::invalid_argument && end == text.data() + text.size();
  if (!is_number) {
    Fail(node.position, "{}: expected a number in decimal, got {}", key, Describe(node));
  }
  if (error != std::errc() || !std::isfinite(value) || value <= 0.0) {
    Fail(node.position, "{}: {} is not a positive number", key, Shown(text));
  }
  return value;
}

bool ReadBool(const YamlNode& node, std::string_view key) {
  if (node.kind != YamlNode::Kind::kPlain || (node.text != "true" && node.text != "false")) {
    Fail(node.position, "{}: expected true or false, got {}", key, Describe(node));
  }
  return node.text == "true";
}

std::size_t ReadWord(const YamlNode& node, std::string_view key,
                     std::span<const std::string_view> words) {
  if (!node.is_scalar()) {
    Fail(node.position, "{}: expected one of {}, got {}", key, fmt::join(words, ", "),
         Describe(node));
  }
  const auto found = std::find(words.begin(), words.end(), node.text);
  if (found == words.end()) {
    Fail(node.position, "{}: expected one of {}, got {}{}", key, fmt::join(words, ", "),
         Describe(node), DidYouMean(node.text, words));
  }
  return static_cast<std::size_t>(found - words.begin());
}

std::string ReadToken(const YamlNode& node, std::string_view key) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (!node.is_scalar() || node.text.empty() || node.text.size() > 64 ||
      node.text.find_first_not_of(kLetters) != std::string_view::npos) {
    Fail(node.position, "{}: expected 1 to 64 of the characters a-z A-Z 0-9 . _ -, got {}", key,
         Describe(node));
  }
  return node.text;
}

}  // namespace ropebench
