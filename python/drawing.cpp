// SPDX-License-Identifier: BSD-2-Clause
// Fields as arrows over their pictures, as `tandem motion --draw` has them, for Python.
#include <cstring>
#include <optional>
#include <string>

#include "c/c_handles.h"
#include "me/drawing/field_painter.h"
#include "python/fields.h"
#include "python/module.h"
#include "python/pictures.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// rows x columns x 3. `other`: a field like the first, or None.
py::array_t<std::uint8_t> draw(const py::tuple& field, const py::object& picture, const std::string& title,
                               const py::object& other, double longest) {
    const MotionField first = motion_field_of(field);
    std::optional<MotionField> second;
    if (!other.is_none()) second.emplace(motion_field_of(py::cast<py::tuple>(other)));
    const Frame& frame = *made<Picture>(picture).get()->frame;
    const Canvas canvas = [&] {
        const OthersRun others_run;
        const FieldGeometry geometry{first.picture_width(), first.picture_height(), first.block_width(),
                                     first.block_height()};
        return FieldPainter(geometry, longest).paint(frame, title, first, second ? &*second : nullptr);
    }();
    py::array_t<std::uint8_t> made({py::ssize_t{canvas.height()}, py::ssize_t{canvas.width()}, py::ssize_t{3}});
    std::memcpy(made.mutable_data(), canvas.samples().data(), canvas.samples().size());
    return made;
}

} // namespace

void add_drawing(py::module_& module) {
    module.def("draw", &draw, py::arg("field"), py::arg("picture"), py::arg("title"), py::arg("other"),
               py::arg("longest"));
}

} // namespace tandem::python
