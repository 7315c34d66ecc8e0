// SPDX-License-Identifier: BSD-2-Clause
// The parts of the extension tandem._motion.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

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

void add_field_files(pybind11::module_& module);

} // namespace tandem::python
