# SPDX-License-Identifier: BSD-2-Clause
# Fails where PROGRAM is linked to NVIDIA's driver or to a shared CUDA runtime: it would not start without them.
find_program(READELF readelf REQUIRED)
execute_process(COMMAND ${READELF} -d ${PROGRAM} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
if(NOT sections MATCHES "NEEDED")
  message(FATAL_ERROR "${PROGRAM}: readelf names no library")
endif()
if(sections MATCHES "NEEDED[^\n]*(libcuda|libcudart|libcufft|libnvidia)[^\n]*")
  message(FATAL_ERROR "${PROGRAM} is linked to ${CMAKE_MATCH_0}")
endif()
