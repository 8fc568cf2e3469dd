// The part of YAML that configs are written in, read strictly into a tree that knows where each
// value stands. Refused: anchors and aliases, tags, several documents, duplicate keys, tabs, any
// encoding but UTF-8 (a byte order mark is skipped, CRLF is a line break).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropebench {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxYamlDepth = 32;  // maps and lists inside each other

// Counted from 1, columns in bytes. Line 0: nowhere in the text.
struct YamlPosition {
  int line = 0;
  int column = 0;
  friend bool operator==(const YamlPosition&, const YamlPosition&) = default;
};

class YamlError : public std::runtime_error {
 public:
  YamlError(YamlPosition position, const std::string& message)
      : std::runtime_error(message), position_(position) {}
  YamlPosition position() const { return position_; }

 private:
  YamlPosition position_;
};

struct YamlNode {
  // A plain scalar may be a number; a quoted one is text whatever it looks like.
  enum class Kind : std::uint8_t { kNull, kPlain, kQuoted, kList, kMap };

  Kind kind = Kind::kNull;
  YamlPosition position;        // of nothing in a map: that of its key
  std::string text;             // of a scalar
  std::vector<YamlNode> items;  // of a list or a map, in the order written
  std::string key;              // of an item of a map; unique within it
  YamlPosition key_position;

  bool is_scalar() const { return kind == Kind::kPlain || kind == Kind::kQuoted; }
};

// Throws YamlError with one line of text.
YamlNode ReadYaml(std::string_view text);

// The text without its byte order mark. Throws YamlError for what no reader takes: other encodings
// than UTF-8, control characters, a carriage return alone, and, unless they are allowed, tabs
// outside comments.
std::string_view CheckText(std::string_view text, bool allow_tabs);

// Text from a document as it may stand in an error message: quoted, on one line, shortened.
std::string Shown(std::string_view text);

}  // namespace ropebench
