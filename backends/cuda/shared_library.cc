#include "backends/cuda/shared_library.h"

#include <dlfcn.h>

namespace ropebench {

std::optional<SharedLibrary> SharedLibrary::Open(std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle);
  }
  return std::nullopt;
}

void* SharedLibrary::FindSymbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace ropebench
