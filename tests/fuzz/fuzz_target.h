// What both fuzz targets look for: any end but a value or one line of ConfigError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "benchmarks/config_error.h"

namespace ropebench {

// Calls parse(text) and aborts where its error is not one line with a place.
inline int Probe(const std::function<void(std::string_view)>& parse, const std::uint8_t* data,
                 std::size_t size) {
  try {
    parse({reinterpret_cast<const char*>(data), size});
  } catch (const ConfigError& error) {
    const std::string_view what = error.what();
    if (what.find('\n') != what.npos || what.size() > 400) abort();
    if (what.starts_with("x.yaml:0:") || what.starts_with("c.json:0:")) abort();
  }
  return 0;
}

int FuzzSuiteConfig(const std::uint8_t* data, std::size_t size);
int FuzzModelConfig(const std::uint8_t* data, std::size_t size);
int FuzzManifest(const std::uint8_t* data, std::size_t size);
int FuzzLigerCsv(const std::uint8_t* data, std::size_t size);

}  // namespace ropebench
