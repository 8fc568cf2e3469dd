# What every target of this project is compiled with. Kernels must round each product and sum on
# its own, so contraction into fused multiply-adds is off everywhere (shared arithmetic contract).
# The lists are named because the build record (BuildRecord.cmake) says them too.
set(ROPEBENCH_CXX_OPTIONS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -ffp-contract=off)
set(ROPEBENCH_CUDA_OPTIONS "")
if(ROPEBENCH_WARNINGS_AS_ERRORS)
  list(APPEND ROPEBENCH_CXX_OPTIONS -Werror)
  list(APPEND ROPEBENCH_CUDA_OPTIONS -Werror=all-warnings)
endif()
if(ROPEBENCH_SANITIZE)
  list(APPEND ROPEBENCH_CXX_OPTIONS -fsanitize=${ROPEBENCH_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
endif()
# The kernels name the rounding of every operation; --fmad=false says it to the compiler as well.
set(ROPEBENCH_CUDA_KERNEL_OPTIONS --fmad=false -lineinfo)
set(ROPEBENCH_GLSL_OPTIONS -V --target-env vulkan1.1)

add_library(ropebench_options INTERFACE)
target_include_directories(ropebench_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(ropebench_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${ROPEBENCH_CXX_OPTIONS}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:${ROPEBENCH_CUDA_OPTIONS}>")
if(ROPEBENCH_SANITIZE)
  target_link_options(ropebench_options INTERFACE -fsanitize=${ROPEBENCH_SANITIZE})
endif()

# One library per room. Its headers are checked to compile alone when tests are built.
#   ropebench_room(kernels SOURCES a.cc HEADERS a.h LINKS other_room)
function(ropebench_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ropebench_options ${ARG_LINKS})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
    FILES ${ARG_HEADERS})
  if(ROPEBENCH_TESTS)
    set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
endfunction()
