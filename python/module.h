// SPDX-License-Identifier: BSD-2-Clause
// The parts of the extension tandem._motion.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace tandem::python {

/// rows x columns x K, and x 2 for vectors in eighths of a pel; C order, converted where need be.
using Vectors = pybind11::array_t<std::int16_t, pybind11::array::c_style | pybind11::array::forcecast>;
using Counts = pybind11::array_t<std::uint32_t, pybind11::array::c_style | pybind11::array::forcecast>;

/// The text, which C may read up to its end. Throws ValueError for one with a NUL inside.
inline const std::string& whole_text(const char* name, const std::string& text) {
    if (text.find('\0') != std::string::npos)
        throw pybind11::value_error(std::string(name) + ": there is a NUL in the text");
    return text;
}

/// Other Python threads run while it lives. A thread that finds the interpreter ended stays for ever, since that has
/// nothing left to return to; Python itself does so from 3.14 on, and before would unwind the stack, which ends the
/// process in a destructor.
class OthersRun {
  public:
    OthersRun() : state_(PyEval_SaveThread()) {}
    OthersRun(const OthersRun&) = delete;
    OthersRun& operator=(const OthersRun&) = delete;
    ~OthersRun() {
        try {
            PyEval_RestoreThread(state_);
        } catch (...) { // The end of the thread, which must not go on.
            while (true)
                pause();
        }
    }

  private:
    PyThreadState* state_;
};

void add_field_files(pybind11::module_& module);

} // namespace tandem::python
