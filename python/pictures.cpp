// SPDX-License-Identifier: BSD-2-Clause
#include "python/pictures.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "c/c_handles.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// A view of an array's samples; the array must outlive it.
tandem_plane plane_of(const std::string& name, const py::handle& object) {
    if (!py::isinstance<py::array>(object)) {
        throw py::type_error(name + ": a numpy array is wanted, not " + std::string(py::str(py::type::of(object))));
    }
    const auto array = py::reinterpret_borrow<py::array>(object);
    if (!py::isinstance<py::array_t<std::uint8_t>>(
            array)) { // By what it holds: a pickled array has a dtype of its own.
        throw py::value_error(name + ": the samples are " + std::string(py::str(array.dtype())) + "; uint8 is wanted");
    }
    if (array.ndim() != 2) {
        throw py::value_error(name + ": the array has " + std::to_string(array.ndim()) +
                              " dimensions; 2 are wanted, rows and columns");
    }
    if (array.shape(0) < 1 || array.shape(1) < 1 || array.shape(0) > INT32_MAX || array.shape(1) > INT32_MAX) {
        throw py::value_error(name + ": an array of " + std::to_string(array.shape(0)) + " x " +
                              std::to_string(array.shape(1)));
    }
    if (array.shape(1) > 1 && array.strides(1) != 1) {
        throw py::value_error(name + ": the samples of a row lie " + std::to_string(array.strides(1)) +
                              " bytes apart; they must be neighbours (numpy.ascontiguousarray)");
    }
    // One row has no distance to the next, whatever its array says.
    const py::ssize_t stride = array.shape(0) > 1 ? array.strides(0) : array.shape(1);
    return {static_cast<const std::uint8_t*>(array.data()), stride, static_cast<std::int32_t>(array.shape(1)),
            static_cast<std::int32_t>(array.shape(0))};
}

} // namespace

/// An array is luma alone, a tuple of three is Y, Cb and Cr. Not a list: it may change, and its arrays go, while other
/// threads run.
tandem_picture picture_of(const std::string& name, const py::handle& object) {
    if (!py::isinstance<py::tuple>(object)) return {plane_of(name, object), {}, {}};
    const auto planes = py::reinterpret_borrow<py::tuple>(object);
    if (planes.size() != 3) {
        throw py::value_error(name + ": " + std::to_string(planes.size()) + " planes; Y, Cb and Cr are wanted");
    }
    return {plane_of(name + "[0]", planes[0]), plane_of(name + "[1]", planes[1]), plane_of(name + "[2]", planes[2])};
}

Picture::Picture(const std::string& name, const py::object& samples) {
    const tandem_picture picture = picture_of(name, samples);
    const OthersRun others_run;
    handle_.reset(picture_handle_of(name, &picture).release());
}

std::pair<int, int> Picture::size() const {
    const tandem_picture samples = tandem_picture_samples(get());
    return {samples.luma.width, samples.luma.height};
}

py::object Picture::planes() const {
    const tandem_picture samples = tandem_picture_samples(get());
    const auto copy = [](const tandem_plane& plane) {
        py::array_t<std::uint8_t> array({py::ssize_t{plane.height}, py::ssize_t{plane.width}});
        for (std::int32_t y = 0; y < plane.height; ++y)
            std::memcpy(array.mutable_data(y), plane.data + y * plane.stride, static_cast<std::size_t>(plane.width));
        return array;
    };
    if (!has_chroma()) return copy(samples.luma);
    return py::make_tuple(copy(samples.luma), copy(samples.cb), copy(samples.cr));
}

void add_pictures(py::module_& module) {
    py::class_<Picture>(module, "Picture")
        .def(py::init<const std::string&, const py::object&>(), py::arg("name"), py::arg("samples"))
        .def_property_readonly("size", made_first(&Picture::size))
        .def_property_readonly("has_chroma", made_first(&Picture::has_chroma))
        .def("planes", made_first(&Picture::planes));
}

} // namespace tandem::python
