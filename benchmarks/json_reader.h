// JSON (RFC 8259) read as strictly as YAML, into the same tree: texts are kQuoted, numbers, true
// and false kPlain as written, null kNull. Refused: duplicate keys, comments, any encoding but
// UTF-8, and what passes the limits of yaml_reader.h.
#pragma once

#include <string_view>

#include "benchmarks/yaml_reader.h"

namespace ropebench {

// Throws YamlError with one line of text.
YamlNode ReadJson(std::string_view text);

}  // namespace ropebench
