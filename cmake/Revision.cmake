# What the binary says about itself: ropebench_revision.h in the build folder. The commit comes from
# the options, else from git, else it is empty, and a manifest then names no commit.
#
# Included by the build, it makes a target that asks git at every build, so that an edit after
# configuring cannot pass as clean. Run as a script (cmake -P), it writes the header if it changed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(revision_header ${PROJECT_BINARY_DIR}/ropebench_revision.h)
  set(revision_command ${CMAKE_COMMAND})
  foreach(name ROPEBENCH_COMMIT ROPEBENCH_DIRTY ROPEBENCH_REPOSITORY PROJECT_VERSION
      PROJECT_SOURCE_DIR CMAKE_CXX_COMPILER_ID CMAKE_CXX_COMPILER_VERSION CMAKE_BUILD_TYPE
      CMAKE_CXX_FLAGS ROPEBENCH_SANITIZE CUDAToolkit_VERSION ROPEBENCH_GLSLANG_VERSION)
    list(APPEND revision_command "-D${name}=${${name}}")
  endforeach()
  list(APPEND revision_command -DHEADER=${revision_header} -P ${CMAKE_CURRENT_LIST_FILE})
  execute_process(COMMAND ${revision_command} COMMAND_ERROR_IS_FATAL ANY)
  add_custom_target(ropebench_revision COMMAND ${revision_command} BYPRODUCTS ${revision_header}
    COMMENT "Asking git for the revision" VERBATIM)
  return()
endif()

function(git variable)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(output "")
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

set(ROPEBENCH_IS_DIRTY false)
set(remote "")
if(ROPEBENCH_COMMIT STREQUAL "")
  # A tree that was unpacked inside another repository has no revision of its own.
  git(top rev-parse --show-toplevel)
  file(REAL_PATH ${PROJECT_SOURCE_DIR} source)
  if(top STREQUAL source)
    git(ROPEBENCH_COMMIT rev-parse HEAD)
    git(changes status --porcelain)
    git(remote remote get-url origin)
    if(NOT changes STREQUAL "")
      set(ROPEBENCH_IS_DIRTY true)
    endif()
  endif()
else()
  string(LENGTH "${ROPEBENCH_COMMIT}" length)
  if(NOT length EQUAL 40 OR NOT ROPEBENCH_COMMIT MATCHES "^[0-9a-f]+$")
    message(FATAL_ERROR "ROPEBENCH_COMMIT must be a full commit of 40 hex digits")
  endif()
  if(ROPEBENCH_DIRTY)
    set(ROPEBENCH_IS_DIRTY true)
  endif()
endif()
if(ROPEBENCH_REPOSITORY STREQUAL "" AND remote MATCHES "^https://")
  set(ROPEBENCH_REPOSITORY ${remote})
elseif(ROPEBENCH_REPOSITORY STREQUAL "")
  # RFC 2606: a name that can never resolve says "not published" and is still a valid manifest.
  set(ROPEBENCH_REPOSITORY "https://example.invalid/ropebench")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/ropebench_revision.h.in ${HEADER} @ONLY)
