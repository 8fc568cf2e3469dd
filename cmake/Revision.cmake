# What the binary says about itself: ropebench_revision.h in the build folder. The commit comes from
# the options, else from git, else it is empty, and a manifest then names no commit.
if(ROPEBENCH_COMMIT STREQUAL "")
  find_package(Git QUIET)
  if(Git_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse HEAD
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE revision
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    execute_process(COMMAND ${GIT_EXECUTABLE} status --porcelain
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE changes ERROR_QUIET)
    execute_process(COMMAND ${GIT_EXECUTABLE} remote get-url origin
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE remote
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    # Configure again when HEAD moves, so that the binary never names an older commit.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/.git/HEAD ${PROJECT_SOURCE_DIR}/.git/index)
  endif()
  if(NOT failed AND revision MATCHES "^[0-9a-f]+$")
    set(ROPEBENCH_REVISION ${revision})
  endif()
  if(changes STREQUAL "")
    set(ROPEBENCH_IS_DIRTY 0)
  else()
    set(ROPEBENCH_IS_DIRTY 1)
  endif()
else()
  if(NOT ROPEBENCH_COMMIT MATCHES "^[0-9a-f]+$")
    message(FATAL_ERROR "ROPEBENCH_COMMIT must be a full commit of 40 hex digits")
  endif()
  set(ROPEBENCH_REVISION ${ROPEBENCH_COMMIT})
  if(ROPEBENCH_DIRTY)
    set(ROPEBENCH_IS_DIRTY 1)
  else()
    set(ROPEBENCH_IS_DIRTY 0)
  endif()
endif()
if(ROPEBENCH_REPOSITORY STREQUAL "" AND remote MATCHES "^https://")
  set(ROPEBENCH_REPOSITORY_URL ${remote})
elseif(NOT ROPEBENCH_REPOSITORY STREQUAL "")
  set(ROPEBENCH_REPOSITORY_URL ${ROPEBENCH_REPOSITORY})
else()
  # RFC 2606: a name that can never resolve says "not published" and is still a valid manifest.
  set(ROPEBENCH_REPOSITORY_URL "https://example.invalid/ropebench")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/ropebench_revision.h.in ropebench_revision.h @ONLY)
