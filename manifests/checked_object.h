// CheckedObject: a JSON object that refuses a field as it is set, by the rules of the KernelIndex
// schemas and by those that the schemas forget. Used by the builders of this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropebench {

// The least integer that JSON numbers hold exactly, with all its neighbours.
inline constexpr std::int64_t kLeastInteger = -((std::int64_t{1} << 53) - 1);

// A field of a manifest breaks a rule; what() is one line, "Kind.path.field: rule".
class ManifestError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// An absent optional is left out of the object: manifests hold no null. Lengths count UTF-16 code
// units, as the index does.
class CheckedObject {
 public:
  // `path` names the object in errors, for example BenchmarkRun.timing.
  explicit CheckedObject(std::string path) : path_(std::move(path)) {}

  void Text(const char* key, const std::optional<std::string>& value, std::size_t max_length);
  void Token(const char* key, const std::optional<std::string>& value);   // ^[a-z][a-z0-9_]*$
  void Slug(const char* key, const std::optional<std::string>& value);    // ^[a-z0-9][a-z0-9-]*$
  void Name(const char* key, const std::optional<std::string>& value);    // ^[a-z0-9][a-z0-9._-]*$
  void Commit(const char* key, const std::optional<std::string>& value);  // 40 hex digits
  void Digest(const char* key, const std::optional<std::string>& value);  // sha256:, 64 hex digits
  void Choice(const char* key, const std::optional<std::string>& value,
              std::initializer_list<std::string_view> allowed);
  // An integer from `least` to 2^53 - 1.
  void Integer(const char* key, const std::optional<std::int64_t>& value, std::int64_t least);
  // A finite number.
  void Number(const char* key, const std::optional<double>& value);
  void Bool(const char* key, const std::optional<bool>& value);

  void Tokens(const char* key, const std::vector<std::string>& values);
  void Texts(const char* key, const std::vector<std::string>& values, std::size_t max_length);
  // Integers from `least` to 2^53 - 1.
  void Integers(const char* key, const std::vector<std::int64_t>& values, std::int64_t least);
  // Maps from tokens. An empty map is left out.
  void TextMap(const char* key, const std::map<std::string, std::string>& values,
               std::size_t max_length);
  void NumberMap(const char* key, const std::map<std::string, double>& values);

  // A value that is checked already, such as a nested object.
  void Set(const char* key, nlohmann::json value) { object_[key] = std::move(value); }

  // The object that `key` will hold; hand it back through Set.
  CheckedObject Child(const std::string& key) const { return CheckedObject(path_ + "." + key); }

  // Throw ManifestError for `key` unless the rule holds.
  void RequireToken(const std::string& key, std::string_view value) const;
  void Require(bool holds, const std::string& key, std::string_view rule) const;
  nlohmann::json Take() && { return std::move(object_); }

 private:
  void CheckText(const std::string& key, std::string_view value, std::size_t max_length) const;
  void CheckInteger(const std::string& key, std::int64_t value, std::int64_t least) const;

  std::string path_;
  nlohmann::json object_ = nlohmann::json::object();
};

}  // namespace ropebench
