# tandem::motion, and what cmake --install takes along: the static libraries with their headers, a CMake package and two
# pkg-config files.
#   find_package(Tandem)  ->  tandem::motion (me, its C interface, cuda and video), tandem::encoder, tandem::encoder_c
#   pkg-config            ->  tandem-motion, tandem-encoder
include(CMakePackageConfigHelpers)

# The motion library as one name: the searches and, where it was built in, the GPU behind the same interface.
add_library(tandem_motion INTERFACE)
add_library(tandem::motion ALIAS tandem_motion)
set_target_properties(tandem_motion PROPERTIES EXPORT_NAME motion)
target_link_libraries(tandem_motion INTERFACE tandem_c tandem_cuda tandem_me tandem_video)

if(NOT TANDEM_INSTALL)
  return()
endif()

set(rooms machine files video me bitstream coding cuda encoder)
list(TRANSFORM rooms PREPEND tandem_ OUTPUT_VARIABLE room_targets)
install(TARGETS ${room_targets} tandem_c tandem_encoder_c tandem_motion EXPORT TandemTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Without the headers that only a room's own sources can compile: with an instruction set, or with libav's headers.
foreach(room machine files video me bitstream coding encoder c)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tandem
    FILES_MATCHING PATTERN "*.h"
    PATTERN "*avx*" EXCLUDE PATTERN "*_rectangle.h" EXCLUDE
    REGEX "/libav/(reading/|writing/)?(libav[a-z]*_|shared_libraries|copied_streams|disc_sound|filter_graph|muxer_file|picture_clock|pipe_input|promised_pictures|rotation)" EXCLUDE)
endforeach()

# What the GPU's room links of the toolkit, a user of the static libraries links too.
get_target_property(cuda_libraries tandem_cuda LINK_LIBRARIES)
set(TANDEM_NEEDS_CUDA_LIBRARIES OFF)
if(cuda_libraries MATCHES "CUDA::")
  set(TANDEM_NEEDS_CUDA_LIBRARIES ON)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tandem)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TandemConfig.cmake.in ${PROJECT_BINARY_DIR}/TandemConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TandemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TandemConfig.cmake ${PROJECT_BINARY_DIR}/TandemConfigVersion.cmake
  DESTINATION ${package_folder})
install(EXPORT TandemTargets NAMESPACE tandem:: DESTINATION ${package_folder})

# The libraries are static, so whatever they need stands in Libs: a plain `pkg-config --libs` must do.
# Not the module of the Fourier transform: KissFFT's Cflags would change how the user's own sources are compiled.
list(JOIN TANDEM_FOURIER_LDFLAGS " " TANDEM_PC_LIBS)
string(APPEND TANDEM_PC_LIBS " -lstdc++ -lm -pthread")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND TANDEM_PC_LIBS " -l${library}")
endforeach()
if(TANDEM_NEEDS_CUDA_LIBRARIES)
  set(TANDEM_PC_LIBS "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static ${TANDEM_PC_LIBS} -lrt")
endif()
# The sysroot of a cross build is the builder's: a user's pkg-config puts the user's own before folders.
foreach(sysroot IN ITEMS "${CMAKE_SYSROOT}" "$ENV{PKG_CONFIG_SYSROOT_DIR}")
  string(REPLACE "-L${sysroot}/" "-L/" TANDEM_PC_LIBS "${TANDEM_PC_LIBS}")
endforeach()
# The files find their prefix from where they lie, so an installed tree can be moved.
file(RELATIVE_PATH TANDEM_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" TANDEM_PC_TO_PREFIX ${TANDEM_PC_TO_PREFIX})
# Folders that are given as absolute ones stay so.
cmake_path(APPEND TANDEM_PC_LIBDIR "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND TANDEM_PC_INCLUDEDIR "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(package tandem-motion tandem-encoder)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
