# Tests of the Vulkan backend. Those with label vulkan run on the first Vulkan device, lavapipe
# where there is no GPU, and under the validation layer where it is installed.
ropebench_test(vulkan_memory_test SOURCES vulkan_memory_test.cc LINKS ropebench_backends)
ropebench_test(vulkan_timestamps_test SOURCES vulkan_timestamps_test.cc LINKS ropebench_backends)
ropebench_test(vulkan_shaders_test SOURCES vulkan_shaders_test.cc LINKS ropebench_backends)
ropebench_test(vulkan_backend_test SOURCES vulkan_backend_test.cc LINKS ropebench_backends
  LABELS vulkan)
