// CSV by RFC 4180, from outside: quoted fields with doubled quotes and line breaks, CRLF or LF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ropebench {

inline constexpr std::size_t kMaxCsvFieldBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxCsvFields = 256;

struct CsvRow {
  int line = 0;  // its first, counted from 1
  std::vector<std::string> fields;
  std::string error;  // what is wrong; then there are no fields
};

// Every row but empty lines. A row that breaks a rule or a limit is one with an error, and reading
// goes on at the line after the one that it began on. A byte order mark at the beginning is
// skipped.
std::vector<CsvRow> ReadCsv(std::string_view text);

}  // namespace ropebench
