#include "manifests/checked_object.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "manifests/jcs.h"

namespace ropebench {
namespace {

constexpr std::size_t kMaxNameLength = 200;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

// Every character is looked at, so a trailing newline is refused, which `$` in a regular expression
// would let pass.
template <typename First, typename Rest>
bool Matches(std::string_view text, First first, Rest rest) {
  return !text.empty() && first(text[0]) && std::all_of(text.begin() + 1, text.end(), rest);
}

// Bytes that start a character, and one more for each character outside the basic plane.
std::size_t Utf16Length(std::string_view text) {
  return static_cast<std::size_t>(
             std::count_if(text.begin(), text.end(),
                           [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; })) +
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) >= 0xF0;
         }));
}

}  // namespace

void CheckedObject::Require(bool holds, const std::string& key, std::string_view rule) const {
  if (!holds) throw ManifestError(fmt::format("{}.{}: {}", path_, key, rule));
}

void CheckedObject::CheckText(const std::string& key, std::string_view value,
                              std::size_t max_length) const {
  try {
    CanonicalJson(std::string(value));
  } catch (const std::invalid_argument&) {
    Require(false, key, "is not valid UTF-8");
  }
  const std::size_t length = Utf16Length(value);
  Require(length <= max_length, key,
          fmt::format("{} characters, at most {} are allowed", length, max_length));
}

void CheckedObject::RequireToken(const std::string& key, std::string_view value) const {
  Require(Matches(value, IsLower, [](char c) { return IsLower(c) || IsDigit(c) || c == '_'; }), key,
          fmt::format("{:?} is no token: a-z, then a-z, 0-9 and _", value));
}

void CheckedObject::CheckInteger(const std::string& key, std::int64_t value,
                                 std::int64_t least) const {
  Require(value >= least, key, fmt::format("{} is below {}", value, least));
  Require(value <= -kLeastInteger, key, fmt::format("{} exceeds 2^53 - 1", value));
}

void CheckedObject::Text(const char* key, const std::optional<std::string>& value,
                         std::size_t max_length) {
  if (!value) return;
  CheckText(key, *value, max_length);
  object_[key] = *value;
}

void CheckedObject::Token(const char* key, const std::optional<std::string>& value) {
  if (!value) return;
  RequireToken(key, *value);
  object_[key] = *value;
}

void CheckedObject::Slug(const char* key, const std::optional<std::string>& value) {
  if (!value) return;
  const auto first = [](char c) { return IsLower(c) || IsDigit(c); };
  Require(
      value->size() <= 100 && Matches(*value, first, [&](char c) { return first(c) || c == '-'; }),
      key, fmt::format("{:?} is not up to 100 of a-z, 0-9 and inner -", *value));
  object_[key] = *value;
}

void CheckedObject::Name(const char* key, const std::optional<std::string>& value) {
  if (!value) return;
  const auto first = [](char c) { return IsLower(c) || IsDigit(c); };
  const auto rest = [&](char c) { return first(c) || c == '.' || c == '_' || c == '-'; };
  Require(value->size() <= kMaxNameLength && Matches(*value, first, rest), key,
          fmt::format("{:?} is not up to 200 of a-z, 0-9 and inner . _ -", *value));
  object_[key] = *value;
}

void CheckedObject::Commit(const char* key, const std::optional<std::string>& value) {
  if (!value) return;
  Require(value->size() == 40 && Matches(*value, IsHex, IsHex), key,
          fmt::format("{:?} is not a commit of 40 lower-case hex digits", *value));
  object_[key] = *value;
}

void CheckedObject::Digest(const char* key, const std::optional<std::string>& value) {
  if (!value) return;
  Require(value->size() == 71 && value->starts_with("sha256:") &&
              Matches(value->substr(7), IsHex, IsHex),
          key, fmt::format("{:?} is not sha256: and 64 lower-case hex digits", *value));
  object_[key] = *value;
}

void CheckedObject::Choice(const char* key, const std::optional<std::string>& value,
                           std::initializer_list<std::string_view> allowed) {
  if (!value) return;
  Require(std::find(allowed.begin(), allowed.end(), *value) != allowed.end(), key,
          fmt::format("{:?} is not one of {}", *value, fmt::join(allowed, ", ")));
  object_[key] = *value;
}

void CheckedObject::Integer(const char* key, const std::optional<std::int64_t>& value,
                            std::int64_t least) {
  if (!value) return;
  CheckInteger(key, *value, least);
  object_[key] = *value;
}

void CheckedObject::Number(const char* key, const std::optional<double>& value) {
  if (!value) return;
  Require(std::isfinite(*value), key, fmt::format("{} is not a finite number", *value));
  object_[key] = *value;
}

void CheckedObject::Bool(const char* key, const std::optional<bool>& value) {
  if (value) object_[key] = *value;
}

void CheckedObject::Tokens(const char* key, const std::vector<std::string>& values) {
  for (const std::string& value : values) RequireToken(key, value);
  object_[key] = values;
}

void CheckedObject::Texts(const char* key, const std::vector<std::string>& values,
                          std::size_t max_length) {
  for (const std::string& value : values) CheckText(key, value, max_length);
  object_[key] = values;
}

void CheckedObject::Integers(const char* key, const std::vector<std::int64_t>& values,
                             std::int64_t least) {
  for (const std::int64_t value : values) CheckInteger(key, value, least);
  object_[key] = values;
}

void CheckedObject::TextMap(const char* key, const std::map<std::string, std::string>& values,
                            std::size_t max_length) {
  if (values.empty()) return;
  for (const auto& [name, value] : values) {
    RequireToken(key, name);
    CheckText(fmt::format("{}.{}", key, name), value, max_length);
  }
  object_[key] = values;
}

void CheckedObject::NumberMap(const char* key, const std::map<std::string, double>& values) {
  if (values.empty()) return;
  CheckedObject numbers = Child(key);
  for (const auto& [name, value] : values) {
    RequireToken(key, name);
    numbers.Number(name.c_str(), value);
  }
  object_[key] = std::move(numbers).Take();
}

}  // namespace ropebench
