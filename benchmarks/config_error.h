// What is wrong with a configuration file, as its user reads it.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "benchmarks/yaml_reader.h"

namespace ropebench {

// what() is one line, file:line:column: message; 1:1 where the file itself is the trouble.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(const std::string& file, const YamlError& error)
      : std::runtime_error(fmt::format("{}:{}:{}: {}", file, error.position().line,
                                       error.position().column, error.what())) {}
};

}  // namespace ropebench
