# Run at each build: writes OUTPUT, a header with the revision of the sources, and leaves it untouched where nothing
# changed. Without Git, or where SOURCE is not a repository's own folder (in none, or in another project's), the revision
# is what REVISION says, or empty.
execute_process(COMMAND git rev-parse --show-prefix
  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE below OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(NOT REVISION AND NOT failed AND below STREQUAL "")
  execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(REVISION "")
  endif()
endif()
set(text "// Made by cmake/revision.cmake.\n#define TANDEM_REVISION \"${REVISION}\"\n")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
