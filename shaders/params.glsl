// The shared parameter blocks. Two of CopyParams' fields are named like GLSL keywords, so here they
// are `from` and `to`.
#define in from
#define out to
#include "kernels/launch_params.h"
#undef in
#undef out
