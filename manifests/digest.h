// SHA-256 in the form that KernelIndex uses everywhere.
#pragma once

#include <string>
#include <string_view>

namespace ropebench {

// "sha256:" and 64 lower-case hex digits.
std::string Sha256Digest(std::string_view bytes);

// The 64 hex digits of such a digest.
std::string_view HexOf(std::string_view digest);

}  // namespace ropebench
