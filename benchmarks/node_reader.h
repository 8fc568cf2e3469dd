// Typed values out of the tree that a YAML or JSON document was read into. Whatever is not as asked
// throws YamlError at its own place, in one line that begins with the key.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/yaml_reader.h"

namespace ropebench {

inline constexpr std::int64_t kMaxCount = (std::int64_t{1} << 31) - 1;

template <typename... Args>
[[noreturn]] void Fail(YamlPosition position, fmt::format_string<Args...> format, Args&&... args) {
  throw YamlError(position, fmt::format(format, std::forward<Args>(args)...));
}

// What a node is, for an error message: "nothing", "'12'", "the text '12'", "a list", "a map".
std::string Describe(const YamlNode& node);

// The item of a map with that key, or null.
const YamlNode* Find(const YamlNode& map, std::string_view key);

// Refuses every key of a map that is not among `known`, with the nearest one; `where` names the
// map.
void CheckKeys(const YamlNode& map, std::span<const std::string_view> known,
               std::string_view where);

// A plain decimal within min..max.
std::int64_t ReadInteger(const YamlNode& node, std::string_view key, std::int64_t min,
                         std::int64_t max);

// A plain decimal number above 0.
double ReadReal(const YamlNode& node, std::string_view key);

// A plain true or false.
bool ReadBool(const YamlNode& node, std::string_view key);

// The index of the word that the scalar is.
std::size_t ReadWord(const YamlNode& node, std::string_view key,
                     std::span<const std::string_view> words);

// 1 to 64 of the characters a-z A-Z 0-9 . _ -
std::string ReadToken(const YamlNode& node, std::string_view key);

// Calls read(item) for the node itself or for each item of the list that it is.
template <typename Read>
void ForEachItem(const YamlNode& node, std::string_view key, Read&& read) {
  if (node.kind == YamlNode::Kind::kNull) Fail(node.position, "{}: has no value", key);
  if (node.kind != YamlNode::Kind::kList) {
    read(node);
    return;
  }
  if (node.items.empty()) Fail(node.position, "{}: the list is empty", key);
  for (const YamlNode& item : node.items) read(item);
}

}  // namespace ropebench
