#include "benchmarks/build_facts.h"

#include <fmt/format.h>

#include <cstdlib>  // defines __GLIBC__ and __GLIBCXX__ where they apply

#include "ropebench_build.h"
#include "ropebench_kernel_sources.h"
#include "ropebench_revision.h"

namespace ropebench {

BuildRecord DescribeBuild() {
  BuildRecord record;
  record.version = kVersion;
  record.revision = {kRepository, kCommit, kDirty};
  record.compilers["cpp"] = {kCompiler, kCxxOptions};
  if (*kCudaToolkit != '\0') record.compilers["cuda"] = {kCudaToolkit, kCudaOptions};
  if (*kGlslCompiler != '\0') record.compilers["glsl"] = {kGlslCompiler, kGlslOptions};
  for (const LinkedPackage& package : kLinkedPackages) {
    record.packages[package.name] = package.version;
  }
#ifdef __GLIBC__
  record.packages["glibc"] = fmt::format("{}.{}", __GLIBC__, __GLIBC_MINOR__);
#endif
#ifdef __GLIBCXX__
  record.packages["libstdcxx"] = fmt::format("{} ({})", _GLIBCXX_RELEASE, __GLIBCXX__);
#endif
  record.kernel_sources = kKernelSourcesDigest;
  return record;
}

}  // namespace ropebench
