// JSON from outside, read strictly: what two readers could take for two different documents is
// refused.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string_view>

namespace ropebench {

inline constexpr std::size_t kMaxJsonDepth = 32;  // objects and lists inside each other

// What is no strict JSON, in one line.
class JsonError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The value of an RFC 8259 text of at most `max_bytes`. Throws JsonError for a longer or deeper
// one, an object that names a key twice, a byte order mark, text that is not UTF-8, NaN,
// infinities, numbers beyond a double's range, and anything after the value. Memory is bounded by
// the size.
nlohmann::json ParseStrictJson(std::string_view text, std::size_t max_bytes);

}  // namespace ropebench
