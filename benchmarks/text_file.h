// Reading a whole configuration file.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace ropebench {

// what() is the reason in words, without the path.
class TextFileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The bytes of a file by its path. Throws TextFileError.
using TextFileReader = std::function<std::string(const std::string& path)>;

// The TextFileReader of the file system. The file may be a pipe. Of one that is larger than
// kMaxYamlBytes it gives one byte more than that, which every parser of this folder refuses.
std::string ReadTextFile(const std::string& path);

}  // namespace ropebench
