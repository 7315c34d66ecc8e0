// SPDX-License-Identifier: BSD-2-Clause
// The parts of the extension tandem._motion.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>

namespace tandem::python {

/// rows x columns x K, and x 2 for vectors in eighths of a pel; C order, converted where need be.
using Vectors = pybind11::array_t<std::int16_t, pybind11::array::c_style | pybind11::array::forcecast>;
using Counts = pybind11::array_t<std::uint32_t, pybind11::array::c_style | pybind11::array::forcecast>;

void add_field_files(pybind11::module_& module);

} // namespace tandem::python
