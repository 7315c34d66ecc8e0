# SPDX-License-Identifier: BSD-2-Clause
# Fails where PROGRAM, built to run on another machine (TANDEM_PORTABLE), needs a shared library that is not the C library's.
find_program(READELF readelf REQUIRED)
execute_process(COMMAND ${READELF} -d ${PROGRAM} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${sections}")
if(NOT needed)
  message(FATAL_ERROR "${PROGRAM}: readelf names no library")
endif()
foreach(library ${needed})
  # Before 2.34 the C library was in several pieces.
  if(NOT library MATCHES "\\[(libc|libm|libstdc\\+\\+|libgcc_s|libdl|librt|libpthread|ld-linux[^.]*)\\.so")
    message(FATAL_ERROR "${PROGRAM} needs ${library}")
  endif()
endforeach()
