# Included where the build has CUDA.
ropebench_test(cuda_variants_test SOURCES cuda_variants_test.cc LINKS ropebench_kernels_cuda)
ropebench_test(cuda_backend_test SOURCES cuda_backend_test.cc cuda_test_kernels.cu
  LINKS ropebench_backends LABELS gpu)
# The device code calls the constexpr conversions of kernels/dtype.h, to compare with them.
set_source_files_properties(cuda_test_kernels.cu PROPERTIES
  COMPILE_OPTIONS "--expt-relaxed-constexpr;--fmad=false")
