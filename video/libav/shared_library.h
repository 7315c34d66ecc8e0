// SPDX-License-Identifier: BSD-2-Clause
// A library that is loaded while the program runs.
#pragma once

#include <string>

namespace tandem {

class SharedLibrary {
  public:
    /// Loads the library `name`, which stays loaded until the process ends. Throws InputError where that fails.
    explicit SharedLibrary(const std::string& name);

    /// Has `pointer` point to the library's function `name`. Throws InputError where it has none.
    template <class Function> void find(Function*& pointer, const char* name) const {
        pointer = reinterpret_cast<Function*>(address_of(name));
    }

  private:
    void* address_of(const char* name) const;

    std::string name_;
    void* handle_;
};

/// For lists of functions, FUNCTION(name) each: a pointer of the function's name and type, and what `library` has of
/// it.
#define TANDEM_POINTER(name) decltype(&::name) name;
#define TANDEM_FIND(name) library.find(functions.name, #name);

} // namespace tandem
