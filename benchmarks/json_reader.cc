#include "benchmarks/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ropebench {
namespace {

// An iterator over the text that tells how far the parser has read: its events carry no place.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  const char** furthest_;
};

class JsonTreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonTreeBuilder(std::string_view text, const char* const* furthest)
      : text_(text), furthest_(furthest) {}

  YamlNode TakeRoot() { return std::move(root_); }

  bool null() override {
    LiteralStart();
    return Add(MakeNode(YamlNode::Kind::kNull));
  }
  bool boolean(bool) override { return AddLiteral(); }
  bool number_integer(number_integer_t) override { return AddLiteral(); }
  bool number_unsigned(number_unsigned_t) override { return AddLiteral(); }
  bool number_float(number_float_t, const string_t&) override { return AddLiteral(); }
  bool string(string_t& value) override {
    start_ = StringStart();
    YamlNode node = MakeNode(YamlNode::Kind::kQuoted);
    node.text = std::move(value);
    return Add(std::move(node));
  }
  bool binary(binary_t&) override { return false; }  // no such thing in JSON
  bool start_object(std::size_t) override { return Open(YamlNode::Kind::kMap); }
  bool start_array(std::size_t) override { return Open(YamlNode::Kind::kList); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override {
    start_ = StringStart();
    OpenNode& parent = open_.back();
    parent.key_position = Position();
    if (!parent.keys.insert(value).second) {
      throw YamlError(parent.key_position, fmt::format("key {} stands twice", Shown(value)));
    }
    parent.key = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    start_ = std::max<std::size_t>(position, 1) - 1;  // bytes read, the end of the text included
    const bool ends = start_ >= text_.size();
    throw YamlError(Position(), error.id == 406 ? "a number that no double holds"
                                : ends          ? "not JSON: the text ends early"
                                                : "not JSON");
  }

 private:
  struct OpenNode {
    YamlNode node;
    std::string key;
    YamlPosition key_position;
    std::set<std::string> keys;
  };

  // Of start_. Tokens come in order, so no line is counted twice.
  YamlPosition Position() {
    const std::size_t end = std::min(start_, text_.size());
    for (; counted_ < end; ++counted_) {
      if (text_[counted_] != '\n') continue;
      ++line_;
      line_start_ = counted_ + 1;
    }
    return {line_, static_cast<int>(end - line_start_) + 1};
  }

  std::size_t Furthest() const { return static_cast<std::size_t>(*furthest_ - text_.data()); }

  // The parser has read a string up to its closing quote.
  std::size_t StringStart() const {
    std::size_t start = Furthest() - 1;
    while (true) {
      start = text_.rfind('"', start - 1);
      std::size_t escapes = 0;
      while (escapes < start && text_[start - 1 - escapes] == '\\') ++escapes;
      if (escapes % 2 == 0) return start;
    }
  }

  // The parser has read a number or a word, and one character more behind a number.
  std::string_view LiteralStart() {
    constexpr std::string_view kLiteral = "0123456789+-.eEtrufalsn";
    const std::size_t last = text_.find_last_of(kLiteral, Furthest() - 1);
    const std::size_t before = text_.find_last_not_of(kLiteral, last);
    start_ = before == std::string_view::npos ? 0 : before + 1;
    return text_.substr(start_, last + 1 - start_);
  }

  bool AddLiteral() {
    const std::string_view text = LiteralStart();
    YamlNode node = MakeNode(YamlNode::Kind::kPlain);
    node.text = text;
    return Add(std::move(node));
  }

  YamlNode MakeNode(YamlNode::Kind kind) {
    YamlNode node;
    node.kind = kind;
    node.position = Position();
    return node;
  }

  bool Open(YamlNode::Kind kind) {
    start_ = Furthest() - 1;
    if (open_.size() == kMaxYamlDepth) {
      throw YamlError(Position(),
                      fmt::format("more than {} maps and lists inside each other", kMaxYamlDepth));
    }
    open_.push_back({MakeNode(kind), {}, {}, {}});
    return true;
  }

  bool Close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    return Add(std::move(node));
  }

  bool Add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return true;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kMap) {
      node.key = std::move(parent.key);
      node.key_position = parent.key_position;
    }
    parent.node.items.push_back(std::move(node));
    return true;
  }

  std::string_view text_;
  const char* const* furthest_;
  std::size_t start_ = 0;  // of the token that was read last
  std::size_t counted_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  YamlNode root_;
  std::vector<OpenNode> open_;
};

}  // namespace

YamlNode ReadJson(std::string_view text) {
  text = CheckText(text, true);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw YamlError({1, 1}, "the document is empty");
  }
  const char* furthest = text.data();
  JsonTreeBuilder builder(text, &furthest);
  nlohmann::json::sax_parse(CountingIterator(text.data(), &furthest),
                            CountingIterator(text.data() + text.size(), &furthest), &builder);
  return builder.TakeRoot();
}

}  // namespace ropebench
