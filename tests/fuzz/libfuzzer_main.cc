// libFuzzer's entry; ROPEBENCH_FUZZ_TARGET is the function of fuzz_target.h that it drives.
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ropebench::ROPEBENCH_FUZZ_TARGET(data, size);
}
