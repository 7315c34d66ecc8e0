// SPDX-License-Identifier: BSD-2-Clause
// Pictures for searches: arrays that are read where they are, and handles that keep a copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "c/tandem_motion.h"
#include "python/module.h"

namespace tandem::python {

/// A view of an array's samples, or of a tuple's three arrays, which must outlive it. Throws TypeError or ValueError
/// for what is no picture; `name` names it.
tandem_picture picture_of(const std::string& name, const pybind11::handle& object);

/// A picture that the library keeps.
class Picture {
  public:
    Picture(const std::string& name, const pybind11::object& samples);
    explicit Picture(tandem_picture_handle* owned) : handle_(owned) {}

    const tandem_picture_handle* get() const { return handle_.get(); }
    std::pair<int, int> size() const;
    bool has_chroma() const { return tandem_picture_samples(get()).cb.data != nullptr; }
    /// Copies of its planes: one array, or three.
    pybind11::object planes() const;

  private:
    struct Free {
        void operator()(tandem_picture_handle* picture) const { tandem_picture_free(picture); }
    };
    std::unique_ptr<tandem_picture_handle, Free> handle_;
};

void add_pictures(pybind11::module_& module);

} // namespace tandem::python
