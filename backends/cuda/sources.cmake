# The CUDA backend's part of ropebench_backends. CUPTI is loaded at run time; only its header is
# needed here, and a toolkit without it gives a build that says so when the timer is asked for.
list(APPEND sources
  cuda/blocker.cu
  cuda/cuda_backend.cc
  cuda/cuda_case.cc
  cuda/cuda_device.cc
  cuda/cuda_error.cc
  cuda/cuda_event_sampler.cc
  cuda/cuda_sampler.cc
  cuda/device_buffer.cc
  cuda/device_info.cc
  cuda/nvml.cc
  cuda/observed_tick.cc
  cuda/shared_library.cc)
list(APPEND links ropebench_kernels_cuda CUDA::cudart_static ${CMAKE_DL_LIBS})

find_path(ROPEBENCH_CUPTI_INCLUDE cupti.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_TARGET_DIR}/extras/CUPTI/include
  NO_DEFAULT_PATH)
if(ROPEBENCH_CUPTI_INCLUDE)
  list(APPEND sources cuda/cupti_library.cc cuda/cupti_sampler.cc)
  set_source_files_properties(cuda/cupti_library.cc cuda/cupti_sampler.cc PROPERTIES
    COMPILE_OPTIONS "-isystem;${ROPEBENCH_CUPTI_INCLUDE}")
else()
  list(APPEND sources cuda/cupti_not_built.cc)
  message(STATUS "CUPTI timer: left out, the CUDA toolkit has no cupti.h")
endif()
