# Run by the build: writes OUTPUT, a C++ file that defines NAME_SUFFIX in namespace tandem for each of FILES
# (report.css becomes report_css) as declared in HEADER.
set(text "// Made by cmake/embed_text.cmake.\n#include \"${HEADER}\"\n\nnamespace tandem {\n")
foreach(path IN LISTS FILES)
  cmake_path(GET path FILENAME name)
  string(REPLACE "." "_" name "${name}")
  file(READ "${path}" content)
  string(APPEND text "\nconst std::string_view ${name} = R\"tandem(${content})tandem\";\n")
endforeach()
string(APPEND text "\n} // namespace tandem\n")
file(WRITE "${OUTPUT}" "${text}")
