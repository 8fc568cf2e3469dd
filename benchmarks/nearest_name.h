// The known name that a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ropebench {

// The element of `known` with the fewest edits (insert, delete, replace or swap neighbours; case
// does not count) from `name`, the first of several. Empty where none is near: at most one edit per
// three characters of the longer name, and at least one is allowed.
std::string NearestName(std::string_view name, std::span<const std::string_view> known);
std::string NearestName(std::string_view name, std::span<const std::string> known);

// The end of an error message: "; did you mean X?", or empty where no known name is near.
std::string DidYouMean(std::string_view name, std::span<const std::string_view> known);
std::string DidYouMean(std::string_view name, std::span<const std::string> known);

}  // namespace ropebench
