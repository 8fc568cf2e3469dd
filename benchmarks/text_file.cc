#include "benchmarks/text_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "benchmarks/yaml_reader.h"

namespace ropebench {

std::string ReadTextFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw TextFileError("it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw TextFileError(errno != 0 ? std::generic_category().message(errno)
                                   : "it cannot be opened");
  }
  std::string text(kMaxYamlBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw TextFileError("reading failed");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace ropebench
