#include "backends/cuda/cuda_device.h"

#include "backends/cuda/cuda_error.h"

namespace ropebench {

CudaDevice::CudaDevice(int index) : index_(index) {
  MakeCurrent();
  Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
}

CudaDevice::~CudaDevice() { cudaStreamDestroy(stream_); }

void CudaDevice::MakeCurrent() const { Check(cudaSetDevice(index_), "selecting the device"); }

void CudaDevice::Synchronize() const {
  Check(cudaStreamSynchronize(stream_), "waiting for the stream");
}

}  // namespace ropebench
