// SPDX-License-Identifier: BSD-2-Clause
// What is chosen of an encode, in Python's words.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "c/tandem_encoder.h"

namespace tandem::python {

/// The settings of a dict of texts by name. Throws ValueError for what the table of settings refuses, or where some
/// exclude each other.
class EncodeSettings {
  public:
    explicit EncodeSettings(const pybind11::dict& given);
    const tandem_encode_settings* get() const { return settings_.get(); }

  private:
    struct Free {
        void operator()(tandem_encode_settings* settings) const { tandem_encode_settings_free(settings); }
    };
    std::unique_ptr<tandem_encode_settings, Free> settings_;
};

/// A format of Python's: width, height, (pictures, seconds), (width, height) of a sample, and three code points.
tandem_encoder_format format_of(const pybind11::tuple& format);
/// The same of ours.
pybind11::tuple tuple_of(const tandem_encoder_format& format);

} // namespace tandem::python
