# The Vulkan backend's part of ropebench_backends.
list(APPEND sources
  vulkan/command_list.cc
  vulkan/launch_limits.cc
  vulkan/memory_types.cc
  vulkan/physical_device.cc
  vulkan/timestamps.cc
  vulkan/transfer.cc
  vulkan/validation_log.cc
  vulkan/vulkan_backend.cc
  vulkan/vulkan_buffer.cc
  vulkan/vulkan_case.cc
  vulkan/vulkan_device.cc
  vulkan/vulkan_error.cc
  vulkan/vulkan_instance.cc
  vulkan/vulkan_sampler.cc)
list(APPEND links ropebench_shaders Vulkan::Vulkan)
