# ropebench_kernel_sources.h in the build folder: the digest and size of every kernel's source file,
# so that a manifest names the exact text of the kernel that was timed.
# A digest over all of kernels/ and shaders/ besides says whether anything that a kernel includes, or
# the geometry that it is launched with, was the same.
file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/kernels/*
  ${PROJECT_SOURCE_DIR}/shaders/*)
set(all_digests "")
set(ROPEBENCH_KERNEL_SOURCES "")
foreach(source ${kernel_sources})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/${source})
  file(SHA256 ${PROJECT_SOURCE_DIR}/${source} digest)
  file(SIZE ${PROJECT_SOURCE_DIR}/${source} size)
  string(APPEND all_digests "${source} ${digest}\n")
  string(APPEND ROPEBENCH_KERNEL_SOURCES
    "    {\"${source}\",\n     \"sha256:${digest}\", ${size}},\n")
endforeach()
string(SHA256 ROPEBENCH_KERNEL_SOURCES_DIGEST "${all_digests}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/ropebench_kernel_sources.h.in
  ropebench_kernel_sources.h @ONLY)
