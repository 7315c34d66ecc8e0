// SPDX-License-Identifier: BSD-2-Clause
#include "python/encode_settings.h"

#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <new>
#include <utility>

#include "python/module.h"

namespace py = pybind11;

namespace tandem::python {

EncodeSettings::EncodeSettings(const py::dict& given) {
    tandem_encode_settings* made = nullptr;
    if (tandem_encode_settings_create(&made) != TANDEM_OK) throw std::bad_alloc();
    settings_.reset(made);
    for (const auto& [name, value] : given) {
        const auto key = py::cast<std::string>(name), text = py::cast<std::string>(value);
        const tandem_status status = tandem_encode_settings_set(made, whole_text("settings", key).c_str(),
                                                                whole_text(key.c_str(), text).c_str());
        refuse(status, tandem_encode_settings_message(made));
    }
    const tandem_status status = tandem_encode_settings_check(made);
    refuse(status, tandem_encode_settings_message(made));
}

tandem_encoder_format format_of(const py::tuple& format) {
    using Ratio = std::pair<std::int64_t, std::int64_t>;
    tandem_encoder_format made;
    tandem_encoder_format_defaults(&made);
    made.width = py::cast<std::int32_t>(format[0]);
    made.height = py::cast<std::int32_t>(format[1]);
    std::tie(made.rate_numerator, made.rate_denominator) = py::cast<Ratio>(format[2]);
    std::tie(made.aspect_numerator, made.aspect_denominator) = py::cast<Ratio>(format[3]);
    const auto codes = py::cast<std::array<std::int32_t, 3>>(format[4]);
    made.colour_primaries = codes[0];
    made.colour_transfer = codes[1];
    made.colour_matrix = codes[2];
    return made;
}

py::tuple tuple_of(const tandem_encoder_format& format) {
    return py::make_tuple(format.width, format.height, py::make_tuple(format.rate_numerator, format.rate_denominator),
                          py::make_tuple(format.aspect_numerator, format.aspect_denominator),
                          py::make_tuple(format.colour_primaries, format.colour_transfer, format.colour_matrix));
}

} // namespace tandem::python
