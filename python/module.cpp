// SPDX-License-Identifier: BSD-2-Clause
// The extension tandem._motion: the C interface for Python. The package tandem checks what users give, and asks this.
#include "python/module.h"

#include <exception>
#include <string>

#include "c/tandem_motion.h"
#include "machine/errors.h"

namespace py = pybind11;

namespace tandem::python {

void refuse(tandem_status status, const std::string& message) {
    if (status == TANDEM_BAD_INPUT) throw InputError(message);
    if (status != TANDEM_OK) throw RunError(message);
}

namespace {

/// File names in messages need not be UTF-8.
void raise(PyObject* kind, const std::string& message) {
    const auto text = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "surrogateescape"));
    if (text) PyErr_SetObject(kind, text.ptr());
}

py::tuple searches() {
    py::list names;
    for (std::size_t index = 0; tandem_motion_search_name(index) != nullptr; ++index)
        names.append(tandem_motion_search_name(index));
    return py::tuple(names);
}

} // namespace
} // namespace tandem::python

PYBIND11_MODULE(_motion, module) {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const tandem::InputError& error) {
            tandem::python::raise(PyExc_ValueError, error.what());
        } catch (const tandem::RunError& error) {
            tandem::python::raise(PyExc_RuntimeError, error.what());
        }
    });
    module.attr("__version__") = tandem_motion_version();
    module.def("searches", &tandem::python::searches);
    tandem::python::add_pictures(module);
    tandem::python::add_requests(module);
    tandem::python::add_field_files(module);
    tandem::python::add_encoder(module);
    tandem::python::add_clips(module);
    tandem::python::add_drawing(module);
    tandem::python::add_measures(module);
    tandem::python::add_scenes(module);
    tandem::python::add_search_rows(module);
}
