// Stands in for the CUDA backend where the build found no CUDA toolkit.
#include "backends/cuda/cuda_backend.h"

namespace ropebench {

BackendDevices OpenCudaBackend() {
  return {"cuda",
          {},
          "this build has no CUDA: configuring found no nvcc; install a CUDA toolkit, or point "
          "CUDA_HOME at one, and configure again"};
}

}  // namespace ropebench
