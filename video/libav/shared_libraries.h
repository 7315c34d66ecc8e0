// SPDX-License-Identifier: BSD-2-Clause
// Libraries that are loaded while the program runs.
#pragma once

#include <string>
#include <vector>

namespace tandem {

class SharedLibraries {
  public:
    /// Loads these in their order; they stay loaded until the process ends. Throws InputError where that fails.
    explicit SharedLibraries(const std::vector<std::string>& names);

    /// Has `pointer` point to the function `name` of one of them. Throws InputError where none has it.
    template <class Function> void find(Function*& pointer, const char* name) const {
        pointer = reinterpret_cast<Function*>(address_of(name));
    }

  private:
    void* address_of(const char* name) const;

    std::vector<void*> handles_;
};

/// For lists of functions, FUNCTION(name) each: a pointer of the function's name and type, and what `libraries` have of
/// it.
#define TANDEM_POINTER(name) decltype(&::name) name;
#define TANDEM_FIND(name) libraries.find(functions.name, #name);

} // namespace tandem
