// A shared library that is loaded while the program runs, because a machine may lack it.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace ropebench {

// Stays loaded until the process ends: CUPTI and NVML leave threads and hooks behind.
class SharedLibrary {
 public:
  // The first of `names` that loads, each a file name for the loader's search path or a full path.
  static std::optional<SharedLibrary> Open(std::span<const std::string> names);

  // The function `name`, or null. F is a function pointer type.
  template <typename F>
  F Find(const char* name) const {
    return reinterpret_cast<F>(FindSymbol(name));
  }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* FindSymbol(const char* name) const;

  void* handle_;
};

}  // namespace ropebench
