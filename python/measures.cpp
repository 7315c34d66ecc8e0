// SPDX-License-Identifier: BSD-2-Clause
// Measures of fields and of pictures for Python.
#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c/c_handles.h"
#include "machine/threads.h"
#include "me/fields/field_measures.h"
#include "me/rows/search_names.h"
#include "me/samples/compensation.h"
#include "python/fields.h"
#include "python/module.h"
#include "python/pictures.h"
#include "video/quality/bd_rate.h"
#include "video/quality/quality.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// A column of `tandem motion --stats`.
struct Figure {
    const char* name;
    double (*value)(const FieldMeasures&);
    bool needs_chroma = false;
};

template <auto figure> double of_measures(const FieldMeasures& measures) { return (measures.*figure)(); }
template <int plane> double psnr_of(const FieldMeasures& measures) { return measures.psnr(plane); }
template <int plane> double mse_of(const FieldMeasures& measures) { return measures.mse(plane); }

constexpr std::array figures{
    Figure{"psnr_y", psnr_of<0>},
    Figure{"psnr_u", psnr_of<1>, true},
    Figure{"psnr_v", psnr_of<2>, true},
    Figure{"psnr_kelly", of_measures<&FieldMeasures::absolute_psnr>},
    Figure{"mse_y", mse_of<0>},
    Figure{"mse_u", mse_of<1>, true},
    Figure{"mse_v", mse_of<2>, true},
    Figure{"sad_per_block", of_measures<&FieldMeasures::sad_per_block>},
    Figure{"sad_per_pel", of_measures<&FieldMeasures::sad_per_pel>},
    Figure{"dfd_entropy", of_measures<&FieldMeasures::dfd_entropy>},
    Figure{"vector_entropy", of_measures<&FieldMeasures::vector_entropy>},
    Figure{"vector_step_entropy", of_measures<&FieldMeasures::vector_step_entropy>},
    Figure{"share_without_vector", of_measures<&FieldMeasures::share_without_vector>},
    Figure{"zero_share", of_measures<&FieldMeasures::zero_share>},
    Figure{"mean_length", of_measures<&FieldMeasures::mean_length>},
};

Interpolation interpolation_of(const std::string& name) {
    if (const auto known = value_named(interpolation_names, name)) return *known;
    throw InputError("interpolation: '" + name + "' is none of " + joined_names(interpolation_names, ", "));
}

/// `field`: (vectors, distortions, costs, picture, block).
py::dict measure(const py::tuple& field, const py::object& current, const py::object& reference,
                 const std::string& interpolation, int threads) {
    const MotionField searched = motion_field_of(field);
    const Picture &now = made<Picture>(current), &before = made<Picture>(reference);
    const bool has_chroma = now.has_chroma() && before.has_chroma();
    const Interpolation interpolated = interpolation_of(interpolation);
    const FieldMeasures found = [&] {
        const OthersRun others_run;
        Workers workers(threads_or_all(threads));
        const auto prediction = predict_picture(*before.get()->frame, searched, interpolated, workers);
        return measure_field(searched, *now.get()->frame, *prediction, &workers);
    }();
    py::dict told;
    for (const Figure& figure : figures)
        if (has_chroma || !figure.needs_chroma) told[figure.name] = figure.value(found);
    return told;
}

/// Squared errors of the planes that both have, their samples, and SSIM of luma.
py::tuple compare_pictures(const py::object& one, const py::object& other) {
    const Picture &a = made<Picture>(one), &b = made<Picture>(other);
    const auto [width, height] = a.size();
    if (b.size() != a.size())
        throw py::value_error("the pictures are " + std::to_string(width) + "x" + std::to_string(height) + " and " +
                              std::to_string(b.size().first) + "x" + std::to_string(b.size().second));
    const Frame &first = *a.get()->frame, &second = *b.get()->frame;
    const SquaredErrors errors = squared_errors(first, second, width, height);
    const double likeness = ssim(first.luma().view(), second.luma().view());
    py::list sums, counts;
    const std::size_t planes = a.has_chroma() && b.has_chroma() ? 3 : 1;
    for (std::size_t plane = 0; plane < planes; ++plane) {
        sums.append(errors.error[plane]);
        counts.append(errors.samples[plane]);
    }
    return py::make_tuple(sums, counts, likeness);
}

/// Per cent of rate, or the reason why there is none; points are (rate, quality).
std::pair<std::optional<double>, std::string> bd_rate_of(const std::vector<std::pair<double, double>>& anchor,
                                                         const std::vector<std::pair<double, double>>& test) {
    const auto curve = [](const std::vector<std::pair<double, double>>& points) {
        std::vector<RatePoint> made;
        for (const auto& [rate, quality] : points)
            made.push_back({rate, quality});
        return made;
    };
    BdResult result = bd_rate(curve(anchor), curve(test), CurveFit::pchip);
    if (!result.difference) return {std::nullopt, std::move(result.refusal)};
    return {result.difference->value, ""};
}

} // namespace

void add_measures(py::module_& module) {
    module.def("measure", &measure, py::arg("field"), py::arg("current"), py::arg("reference"),
               py::arg("interpolation"), py::arg("threads"));
    module.def("bd_rate", &bd_rate_of, py::arg("anchor"), py::arg("test"));
    module.def("compare_pictures", &compare_pictures, py::arg("one"), py::arg("other"));
}

} // namespace tandem::python
