// SPDX-License-Identifier: BSD-2-Clause
#include "python/fields.h"

#include <cstdint>
#include <string>

namespace py = pybind11;

namespace tandem::python {

MotionField motion_field_of(const Vectors& vectors, const Counts& distortions, const Counts& costs,
                            std::pair<int, int> picture, std::pair<int, int> block) {
    if (vectors.ndim() != 4 || vectors.shape(3) != 2 || distortions.size() * 2 != vectors.size() ||
        costs.size() != distortions.size()) {
        throw py::value_error("a field's arrays are rows x columns x K x 2 vectors and rows x columns x K costs");
    }
    const auto [width, height] = picture;
    const auto [block_width, block_height] = block;
    if (width < 1 || height < 1 || block_width < 1 || block_height < 1) throw py::value_error("a size below 1");
    const auto candidates = static_cast<int>(vectors.shape(2));
    if (candidates < 1) throw py::value_error("a field without candidates");
    const int rows = blocks_along(height, block_height), columns = blocks_along(width, block_width);
    if (rows != vectors.shape(0) || columns != vectors.shape(1)) {
        throw py::value_error("a field of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                              " columns has other arrays");
    }
    MotionField field(width, height, block_width, block_height, candidates);
    const std::int16_t* component = vectors.data();
    const std::uint32_t *distortion = distortions.data(), *cost = costs.data();
    for (Candidate& candidate : field.all()) {
        candidate = {{component[0], component[1]}, *distortion++, *cost++};
        component += 2;
    }
    return field;
}

MotionField motion_field_of(const py::tuple& field) {
    using Size = std::pair<int, int>;
    return motion_field_of(py::cast<Vectors>(field[0]), py::cast<Counts>(field[1]), py::cast<Counts>(field[2]),
                           py::cast<Size>(field[3]), py::cast<Size>(field[4]));
}

} // namespace tandem::python
