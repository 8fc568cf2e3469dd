# ropebench_build.h in the build folder: with which options the compilers run and which versions of
# which packages are linked, as far as that is known when the build is configured.
function(ropebench_options_text variable)
  string(JOIN " " text ${ARGN})
  string(STRIP "${text}" text)
  # A path says where somebody works, not how the program is built.
  string(REGEX REPLACE "(^|[ =]|-[IL])/[^ =]*" "\\1<path>" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
ropebench_options_text(ROPEBENCH_CXX_OPTIONS_TEXT ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}
  ${CMAKE_CXX_COMPILE_OPTIONS_PIC} ${CMAKE_CXX20_STANDARD_COMPILE_OPTION} ${ROPEBENCH_CXX_OPTIONS})
set(packages
  benchmark "${benchmark_VERSION}"
  cli11 "${CLI11_VERSION}"
  fmt "${fmt_VERSION}"
  nlohmann_json "${nlohmann_json_VERSION}"
  openssl "${OPENSSL_VERSION}"
  yaml_cpp "${yaml-cpp_VERSION}")
set(ROPEBENCH_CUDA_OPTIONS_TEXT "")
if(ROPEBENCH_HAVE_CUDA)
  list(JOIN CMAKE_CUDA_ARCHITECTURES "," architectures)
  ropebench_options_text(ROPEBENCH_CUDA_OPTIONS_TEXT ${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${type}}
    ${CMAKE_CUDA20_STANDARD_COMPILE_OPTION} ${ROPEBENCH_CUDA_OPTIONS}
    ${ROPEBENCH_CUDA_KERNEL_OPTIONS} "architectures ${architectures}")
endif()
set(ROPEBENCH_GLSL_OPTIONS_TEXT "")
if(ROPEBENCH_HAVE_VULKAN)
  ropebench_options_text(ROPEBENCH_GLSL_OPTIONS_TEXT ${ROPEBENCH_GLSL_OPTIONS})
  list(APPEND packages vulkan_headers "${Vulkan_VERSION}")
endif()

set(ROPEBENCH_PACKAGES "")
while(packages)
  list(POP_FRONT packages name version)
  if(version STREQUAL "")
    set(version unknown)
  endif()
  string(APPEND ROPEBENCH_PACKAGES "    {\"${name}\", \"${version}\"},\n")
endwhile()
configure_file(${PROJECT_SOURCE_DIR}/cmake/ropebench_build.h.in ropebench_build.h @ONLY)
