# What every target of this project is compiled with. Kernels must round each product and sum on
# its own, so contraction into fused multiply-adds is off everywhere (shared arithmetic contract).
add_library(ropebench_options INTERFACE)
target_include_directories(ropebench_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(ropebench_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-ffp-contract=off>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ROPEBENCH_WARNINGS_AS_ERRORS}>>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${ROPEBENCH_WARNINGS_AS_ERRORS}>>:-Werror=all-warnings>)
if(ROPEBENCH_SANITIZE)
  target_compile_options(ropebench_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ROPEBENCH_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
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
