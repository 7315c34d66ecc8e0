# A room is a static library that says which rooms below it it may use; the linker and scripts/check_includes hold it to that.
find_package(Threads REQUIRED)

# Floating-point operations are rounded one by one: fused multiply-adds, which compilers make where the processor has
# them in all its models (ARM, RISC-V), would give other numbers than x86-64.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# tandem_room(NAME SOURCES ... [USES room ...] [AVX2 file ...] [AVX512 file ...])
# AVX2 and AVX512 name the sources that hold one instruction set each; they are left out where TANDEM_SIMD is off.
function(tandem_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;AVX2;AVX512" ${ARGN})
  add_library(tandem_${name} STATIC ${ROOM_SOURCES})
  add_library(tandem::${name} ALIAS tandem_${name})
  target_include_directories(tandem_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tandem>)
  target_compile_features(tandem_${name} PUBLIC cxx_std_20)
  # Kernels are compiled alone, whatever stands beside them: each has its own table and its own instruction set.
  list(FILTER ROOM_SOURCES INCLUDE REGEX "(^|/)kernels/.*\\.cpp$")
  set_source_files_properties(${ROOM_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(tandem_${name} PROPERTIES EXPORT_NAME ${name})
  tandem_warnings(tandem_${name})
  target_link_libraries(tandem_${name} PUBLIC Threads::Threads)
  foreach(below ${ROOM_USES})
    target_link_libraries(tandem_${name} PUBLIC tandem_${below})
  endforeach()
  if(TANDEM_SIMD)
    target_sources(tandem_${name} PRIVATE ${ROOM_AVX2} ${ROOM_AVX512})
    target_compile_definitions(tandem_${name} PRIVATE TANDEM_SIMD=1)
    set_source_files_properties(${ROOM_AVX2} PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;-mpopcnt")
    set_source_files_properties(${ROOM_AVX512} PROPERTIES
      COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;-mpopcnt;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12's own AVX-512 headers start from an undefined vector on purpose (GCC bug 105593).
      set_property(SOURCE ${ROOM_AVX512} APPEND PROPERTY COMPILE_OPTIONS -Wno-maybe-uninitialized -Wno-uninitialized)
    endif()
  endif()
endfunction()

function(tandem_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wundef>)
  # GCC 12 sees overlapping copies in std::string's operator+ that are not there (GCC bug 105651).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  # In a unity build a file's own names are seen by the files after it.
  if(TANDEM_UNITY)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-shadow -Wshadow=local -Wno-subobject-linkage>
      $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-shadow>)
  endif()
  # GCC tells on ARM of every function that GCC 9 would have called otherwise.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-psabi>)
  if(TANDEM_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
endfunction()

if(TANDEM_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TANDEM_SANITIZE}> $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  if(TANDEM_SANITIZE MATCHES "undefined")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
  endif()
  add_link_options(-fsanitize=${TANDEM_SANITIZE})
endif()
