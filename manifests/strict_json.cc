#include "manifests/strict_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ropebench {
namespace {

using nlohmann::json;

// The library's own words without its "[json.exception.parse_error.101] ".
std::string Reason(const json::exception& error) {
  const std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

}  // namespace

json ParseStrictJson(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    throw JsonError(fmt::format("{} bytes, at most {} are read", text.size(), max_bytes));
  }
  if (text.starts_with("\xEF\xBB\xBF")) throw JsonError("begins with a byte order mark");
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto check = [&](int depth, json::parse_event_t event, json& parsed) {
    if (static_cast<std::size_t>(depth) >= kMaxJsonDepth &&
        (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start)) {
      throw JsonError(fmt::format("is nested deeper than {} levels", kMaxJsonDepth));
    }
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key &&
        !keys.back().insert(parsed.get_ref<const std::string&>()).second) {
      throw JsonError(fmt::format("names the key {} twice", parsed.dump()));
    }
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::exception& error) {
    throw JsonError(Reason(error));
  }
}

}  // namespace ropebench
