# Run by the build: writes OUTPUT, a C++ file that defines NAME_EXTENSION in namespace tandem for each extension among
# FILES, as declared in HEADER; files of one extension are joined in the order in which they are named.
set(extensions "")
foreach(path IN LISTS FILES)
  cmake_path(GET path EXTENSION LAST_ONLY extension)
  string(SUBSTRING "${extension}" 1 -1 extension)
  list(APPEND extensions "${extension}")
  file(READ "${path}" content)
  # A literal each: compilers limit their length; the compiler joins neighbours.
  string(APPEND text_${extension} "\n    R\"tandem(${content})tandem\"")
endforeach()
list(REMOVE_DUPLICATES extensions)
set(text "// Made by cmake/embed_text.cmake.\n#include \"${HEADER}\"\n\nnamespace tandem {\n")
foreach(extension IN LISTS extensions)
  string(APPEND text "\nconst std::string_view ${NAME}_${extension} =${text_${extension}};\n")
endforeach()
string(APPEND text "\n} // namespace tandem\n")
file(WRITE "${OUTPUT}" "${text}")
