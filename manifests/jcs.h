// JSON text by RFC 8785 (JSON Canonicalization Scheme): equal values give equal bytes, so that
// their hashes can be compared.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ropebench {

// RFC 8785 text of `value`: UTF-8, no white space, keys sorted by UTF-16 code unit, numbers as
// ECMAScript prints them. Throws std::invalid_argument for what has no such text: NaN, infinities,
// strings that are not UTF-8, and integers that no double holds exactly, such as 2^53 + 1.
std::string CanonicalJson(const nlohmann::json& value);

// The same, spread over indented lines and ended by a newline: what files hold.
std::string ReadableJson(const nlohmann::json& value);

}  // namespace ropebench
