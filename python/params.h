// SPDX-License-Identifier: BSD-2-Clause
// Parameters of a search in Python's words.
#pragma once

#include <pybind11/pybind11.h>

#include <deque>
#include <string>

#include "c/tandem_motion.h"

namespace tandem::python {

/// The C struct from a dict; the texts that it points to live in `texts_`. Throws TypeError for a name or a kind of
/// value that is none, ValueError for a number beyond its type.
class Params {
  public:
    explicit Params(const pybind11::dict& given);
    Params(const Params&) = delete;
    Params& operator=(const Params&) = delete;
    const tandem_motion_params* get() const { return &params_; }

  private:
    void set(const std::string& name, const pybind11::handle& value);

    tandem_motion_params params_{};
    std::deque<std::string> texts_;
};

} // namespace tandem::python
