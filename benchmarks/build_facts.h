// How this program was built.
#pragma once

#include "evidence/build_record.h"

namespace ropebench {

// Compilers, their options and the packages as CMake found them, and the versions of the C and C++
// libraries that the headers name.
BuildRecord DescribeBuild();

}  // namespace ropebench
