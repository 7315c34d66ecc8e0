# Run by ctest with -D: SOURCE, WORK (emptied first), CC, CXX, GENERATOR. Nothing is built: what is configured tells.
file(REMOVE_RECURSE ${WORK})
unset(ENV{CMAKE_BUILD_TYPE})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/parent -B ${WORK}/build -G ${GENERATOR}
    -DTANDEM_SOURCE=${SOURCE} -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX})

execute_process(COMMAND ${CMAKE_CTEST_COMMAND} -N --test-dir ${WORK}/build OUTPUT_VARIABLE tests
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT tests MATCHES "Test #1: own\n.*Total Tests: 1\n")
  message(FATAL_ERROR "the project has other tests than its own:\n${tests}")
endif()

run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
file(GLOB_RECURSE installed RELATIVE ${WORK}/prefix ${WORK}/prefix/*)
if(NOT installed STREQUAL "own/CMakeLists.txt")
  message(FATAL_ERROR "what is installed is not the project's own file alone: ${installed}")
endif()
