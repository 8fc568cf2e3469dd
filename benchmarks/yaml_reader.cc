#include "benchmarks/yaml_reader.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace ropebench {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

YamlPosition PositionOf(const YAML::Mark& mark) {
  return {std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

YamlPosition PositionOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t last_break = before.rfind('\n');
  const std::size_t line_start = last_break == std::string_view::npos ? 0 : last_break + 1;
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(offset - line_start) + 1};
}

// Bytes of the well-formed UTF-8 sequence at the front (Unicode 15, table 3-7), or 0.
std::size_t Utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && second < 0xa0;
    const bool surrogate = first == 0xed && second > 0x9f;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && second < 0x90;
    const bool too_large = first == 0xf4 && second > 0x8f;
    return follows(1) && follows(2) && follows(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string_view CheckText(std::string_view text, bool allow_tabs) {
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  if (text.size() > kMaxYamlBytes) {
    throw YamlError({1, 1}, fmt::format("the document has more than {} bytes", kMaxYamlBytes));
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
      text.substr(0, 4).find('\0') != std::string_view::npos) {
    throw YamlError({1, 1}, "the document is not UTF-8 but UTF-16, UTF-32 or binary");
  }
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto fail = [&](const char* message) { throw YamlError(PositionOf(text, i), message); };
    if (c == '\n') in_comment = false;
    if (c == '#') in_comment = true;  // or inside quotes, where a tab does no harm either
    if (c == '\t' && !in_comment && !allow_tabs) fail("a tab; use spaces");
    if (c == '\r' && text.substr(i + 1, 1) != "\n") fail("a carriage return without a line feed");
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') ||
        c == 0x7f) {
      fail("a control character");
    }
    const std::size_t length = Utf8Length(text.substr(i));
    if (length == 0) fail("not UTF-8");
    i += length;
  }
  return text;
}

namespace {

// Builds the tree from the parser's events. Nothing is built deeper than kMaxYamlDepth, which also
// bounds the parser's recursion, since it reports a level before it enters it.
class TreeBuilder final : public YAML::EventHandler {
 public:
  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw YamlError(PositionOf(mark), "more than one document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Add(MakeNode(YamlNode::Kind::kNull, mark, "?", anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { RefuseAnchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const auto kind = tag == "!" ? YamlNode::Kind::kQuoted : YamlNode::Kind::kPlain;
    YamlNode node = MakeNode(kind, mark, tag, anchor);
    node.text = value;
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(MakeNode(YamlNode::Kind::kList, mark, tag, anchor));
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(MakeNode(YamlNode::Kind::kMap, mark, tag, anchor));
  }
  void OnMapEnd() override { Close(); }

 private:
  struct OpenNode {
    YamlNode node;
    bool expects_key;  // a map between two entries
    std::string key;
    YamlPosition key_position;
    std::set<std::string> keys;
  };

  [[noreturn]] static void RefuseAnchor(const YAML::Mark& mark) {
    throw YamlError(PositionOf(mark), "anchors and aliases are not accepted; write the value out");
  }

  static YamlNode MakeNode(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
                           YAML::anchor_t anchor) {
    if (anchor != 0) RefuseAnchor(mark);
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw YamlError(PositionOf(mark), "tags are not accepted");
    }
    YamlNode node;
    node.kind = kind;
    node.position = PositionOf(mark);
    return node;
  }

  void Open(YamlNode node) {
    RefuseKey(node);
    if (open_.size() == kMaxYamlDepth) {
      throw YamlError(node.position,
                      fmt::format("more than {} maps and lists inside each other", kMaxYamlDepth));
    }
    const bool is_map = node.kind == YamlNode::Kind::kMap;
    open_.push_back({std::move(node), is_map, {}, {}, {}});
  }

  void Close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    Add(std::move(node));
  }

  void Add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.expects_key) {
      RefuseKey(node);
      if (!parent.keys.insert(node.text).second) {
        throw YamlError(node.position, fmt::format("key {} stands twice", Shown(node.text)));
      }
      parent.key = std::move(node.text);
      parent.key_position = node.position;
      parent.expects_key = false;
      return;
    }
    if (parent.node.kind == YamlNode::Kind::kMap) {
      node.key = std::move(parent.key);
      node.key_position = parent.key_position;
      // The parser says where the next token stands.
      if (node.kind == YamlNode::Kind::kNull) node.position = node.key_position;
      parent.expects_key = true;
    }
    parent.node.items.push_back(std::move(node));
  }

  void RefuseKey(const YamlNode& node) const {
    if (open_.empty() || !open_.back().expects_key || node.is_scalar()) return;
    // yaml-cpp reads a bracket that is never closed as a key.
    throw YamlError(node.position, node.kind == YamlNode::Kind::kNull
                                       ? "a key must be a word"
                                       : "a key must be a word; is a bracket not closed?");
  }

  YamlNode root_;
  std::vector<OpenNode> open_;
  int documents_ = 0;
};

}  // namespace

YamlNode ReadYaml(std::string_view text) {
  text = CheckText(text, false);
  TreeBuilder builder;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw YamlError(PositionOf(error.mark), "not YAML: " + error.msg);
  }
  return builder.TakeRoot();
}

std::string Shown(std::string_view text) {
  constexpr std::size_t kMaxShown = 40;
  std::string shown = "'";
  for (const char c : text) {
    if (shown.size() > kMaxShown) {
      shown += "...";
      break;
    }
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return shown + "'";
}

}  // namespace ropebench
