# Run by ctest with -D: BUILD_FOLDER, WORK (emptied first), LIBDIR, INCLUDEDIR, CC, CXX, PKG_CONFIG, GENERATOR.
file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_FOLDER} --prefix ${prefix})

# Every installed header compiles with no option but the folder, and beside all others.
set(include ${prefix}/${INCLUDEDIR}/tandem)
file(GLOB_RECURSE headers RELATIVE ${include} ${include}/*)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"\n")
string(JOIN "" includes ${headers})
file(WRITE ${WORK}/headers.cpp "${includes}")
run(${CXX} -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I${include} ${WORK}/headers.cpp)

run(${CMAKE_COMMAND} -S ${consumer} -B ${WORK}/by-cmake -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/by-cmake)
run(${WORK}/by-cmake/motion)
run(${WORK}/by-cmake/motion_c)
run(${WORK}/by-cmake/encode)
run(${WORK}/by-cmake/encode_c)

run(${CMAKE_COMMAND} -S ${consumer}/in_c -B ${WORK}/in-c -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/in-c)
run(${WORK}/in-c/motion_c)
run(${WORK}/in-c/encode_c)

if(NOT PKG_CONFIG)
  message("pkg-config was not found: its files are not tried")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})
file(MAKE_DIRECTORY ${WORK}/by-pkg-config)
execute_process(COMMAND ${PKG_CONFIG} --cflags tandem-motion OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
if(flags MATCHES "kiss|fftw")
  message(FATAL_ERROR "what Tandem's Fourier transform is compiled with reaches its users: ${flags}")
endif()
foreach(pair "motion tandem-motion" "encode tandem-encoder")
  string(REPLACE " " ";" pair ${pair})
  list(GET pair 0 program)
  list(GET pair 1 package)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  run(${CXX} -std=c++20 ${consumer}/${program}.cpp -o ${WORK}/by-pkg-config/${program} ${flags})
  run(${WORK}/by-pkg-config/${program})
endforeach()

foreach(pair "motion_c tandem-motion" "encode_c tandem-encoder")
  string(REPLACE " " ";" pair ${pair})
  list(GET pair 0 program)
  list(GET pair 1 package)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  run(${CC} -std=c99 ${consumer}/${program}.c -o ${WORK}/by-pkg-config/${program} ${flags})
  run(${WORK}/by-pkg-config/${program})
endforeach()
