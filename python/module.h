// SPDX-License-Identifier: BSD-2-Clause
// The parts of the extension tandem._motion.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "c/tandem_motion.h"
#include "machine/errors.h"

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

/// Throws InputError (ValueError) or RunError (RuntimeError) for what is not TANDEM_OK.
void refuse(tandem_status status, const std::string& message);

/// One call of the C interface while other threads run, and one at a time of a handle, which `mutex` guards: `body()`
/// gives a status, and `message()` says why it is not TANDEM_OK, which refuse() then throws. The interpreter's lock is
/// given up before the handle's is waited for, so the two cannot block each other.
template <class Body, class Message> void call(std::mutex& mutex, const Body& body, const Message& message) {
    tandem_status status = TANDEM_OK;
    std::string words;
    {
        const OthersRun others_run;
        const std::scoped_lock one_at_a_time(mutex);
        status = body();
        words = message();
    }
    refuse(status, words);
}

/// The C++ object of a Python one. Throws TypeError for another kind of object, and for one that __new__() alone made:
/// pybind11 would take its memory as it is.
template <class Object> Object& made(const pybind11::handle& self) {
    namespace py = pybind11;
    const std::string name = py::str(py::type::of<Object>().attr("__name__"));
    if (!py::isinstance<Object>(self))
        throw py::type_error("a " + name + " is wanted, not " + std::string(py::str(py::type::of(self))));
    if (!reinterpret_cast<py::detail::instance*>(self.ptr())->get_value_and_holder().holder_constructed())
        throw py::type_error("this " + name + " was not made: its __init__() was not called");
    return py::cast<Object&>(self);
}

/// A method for Python that looks first whether its object was made.
template <class Object, class Result, class... Arguments> auto made_first(Result (Object::*method)(Arguments...)) {
    return [method](const pybind11::object& self, Arguments... arguments) -> Result {
        return (made<Object>(self).*method)(std::forward<Arguments>(arguments)...);
    };
}
template <class Object, class Result, class... Arguments>
auto made_first(Result (Object::*method)(Arguments...) const) {
    return [method](const pybind11::object& self, Arguments... arguments) -> Result {
        return (made<Object>(self).*method)(std::forward<Arguments>(arguments)...);
    };
}

void add_clips(pybind11::module_& module);
void add_drawing(pybind11::module_& module);
void add_encoder(pybind11::module_& module);
void add_field_files(pybind11::module_& module);
void add_requests(pybind11::module_& module);
void add_measures(pybind11::module_& module);
void add_pictures(pybind11::module_& module);
void add_search_rows(pybind11::module_& module);
void add_scenes(pybind11::module_& module);

} // namespace tandem::python
