// SPDX-License-Identifier: BSD-2-Clause
#include "python/params.h"

#include <array>
#include <cstdint>
#include <utility>

#include "python/module.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

using P = tandem_motion_params;
constexpr std::array texts{std::pair{"search", &P::search},
                           std::pair{"metric", &P::metric},
                           std::pair{"planes", &P::planes},
                           std::pair{"interpolation", &P::interpolation},
                           std::pair{"boundary", &P::boundary},
                           std::pair{"predictor", &P::predictor},
                           std::pair{"step_sequence", &P::step_sequence},
                           std::pair{"block_order", &P::block_order},
                           std::pair{"me_start", &P::me_start}};
constexpr std::array numbers{std::pair{"block_width", &P::block_width},
                             std::pair{"block_height", &P::block_height},
                             std::pair{"range_x", &P::range_x},
                             std::pair{"range_y", &P::range_y},
                             std::pair{"precision", &P::precision},
                             std::pair{"grid", &P::grid},
                             std::pair{"candidates", &P::candidates},
                             std::pair{"rate_unit", &P::rate_unit},
                             std::pair{"brute_force", &P::brute_force},
                             std::pair{"first_step", &P::first_step},
                             std::pair{"passes", &P::passes},
                             std::pair{"wide_range", &P::wide_range},
                             std::pair{"levels", &P::levels},
                             std::pair{"level_candidates", &P::level_candidates},
                             std::pair{"phase_window", &P::phase_window},
                             std::pair{"phase_layers", &P::phase_layers},
                             std::pair{"phase_hann", &P::phase_hann},
                             std::pair{"phase_peaks", &P::phase_peaks}};
constexpr std::array amounts{std::pair{"lambda_q8", &P::lambda_q8},
                             std::pair{"null_threshold", &P::null_threshold},
                             std::pair{"null_level", &P::null_level},
                             std::pair{"null_gain", &P::null_gain},
                             std::pair{"smpuhex_converged", &P::smpuhex_converged},
                             std::pair{"smpuhex_wide", &P::smpuhex_wide},
                             std::pair{"smpuhex_wide_small", &P::smpuhex_wide_small}};

/// What UTF-8 has no bytes for is in no name; it is refused by what it is written as.
std::string text_of(const py::handle& text) { return py::bytes(text.attr("encode")("utf-8", "backslashreplace")); }

template <class Value> Value integer(const std::string& name, const py::handle& value) {
    try {
        if (PyIndex_Check(value.ptr())) return py::cast<Value>(value);
        const py::int_ whole(py::reinterpret_borrow<py::object>(value)); // A float of any kind is cut here.
        if (whole.equal(value)) return py::cast<Value>(whole);
    } catch (const py::cast_error&) {        // Out of Value's range.
    } catch (const py::error_already_set&) { // No number.
    }
    throw py::value_error(name + ": " + std::string(py::repr(value)) + " is no whole number in its range");
}

} // namespace

Params::Params(const py::dict& given) {
    tandem_motion_defaults(&params_);
    for (const auto& [key, value] : given)
        set(text_of(key), value);
}

void Params::set(const std::string& name, const py::handle& value) {
    for (const auto& [known, member] : texts) {
        if (name != known) continue;
        if (!py::isinstance<py::str>(value)) throw py::type_error(name + ": a text is wanted");
        params_.*member = whole_text(name.c_str(), texts_.emplace_back(text_of(value))).c_str();
        return;
    }
    for (const auto& [known, member] : numbers)
        if (name == known) return void(params_.*member = integer<std::int32_t>(name, value));
    for (const auto& [known, member] : amounts)
        if (name == known) return void(params_.*member = integer<std::uint32_t>(name, value));
    throw py::type_error("there is no parameter '" + name + "'");
}

} // namespace tandem::python
