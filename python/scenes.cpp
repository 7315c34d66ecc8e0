// SPDX-License-Identifier: BSD-2-Clause
// Scenes whose motion is known, for Python.
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "c/c_handles.h"
#include "python/module.h"
#include "python/pictures.h"
#include "sequences/scene.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// Takes what is given of a name out of a dict.
template <class Value> std::optional<Value> taken(py::dict& given, const char* name) {
    if (!given.contains(name)) return std::nullopt;
    const py::object value = given.attr("pop")(name);
    if (value.is_none()) return std::nullopt;
    try {
        return py::cast<Value>(value);
    } catch (const py::cast_error&) {
        throw py::value_error(std::string(name) + ": " + std::string(py::repr(value)) + " is no number in its range");
    }
}

template <class Value> void take(py::dict& given, const char* name, Value& to) {
    if (const auto value = taken<Value>(given, name)) to = *value;
}

SceneParams scene_params_of(const py::dict& wanted) {
    py::dict given = wanted.attr("copy")();
    SceneParams params;
    const std::string kind = taken<std::string>(given, "scene").value_or("pan");
    const auto known = scene_kind_by_name(kind);
    if (!known) throw py::value_error("scene: '" + kind + "' is no scene that `tandem synth` draws");
    params.kind = *known;
    if (const auto size = taken<std::pair<int, int>>(given, "size")) std::tie(params.width, params.height) = *size;
    if (const auto speed = taken<std::pair<double, double>>(given, "speed"))
        params.speed = {speed->first, speed->second};
    take(given, "frames", params.frames);
    take(given, "seed", params.seed);
    params.zoom = taken<double>(given, "zoom");
    params.rotation = taken<double>(given, "rotate");
    params.objects = taken<int>(given, "objects");
    params.object_speed = taken<double>(given, "object_speed");
    params.noise = taken<double>(given, "noise");
    params.blur = taken<double>(given, "blur");
    params.repeat = taken<int>(given, "repeat");
    for (const auto& [name, value] : given)
        throw py::type_error("there is no parameter '" + std::string(py::str(name)) + "' of a scene");
    return params;
}

class DrawnScene {
  public:
    explicit DrawnScene(const py::dict& given) : scene_(scene_params_of(given)) {}

    std::int64_t frames() const { return scene_.frames(); }
    std::pair<int, int> size() const { return {scene_.width(), scene_.height()}; }

    std::unique_ptr<Picture> picture(std::int64_t index) const {
        auto handle = std::make_unique<tandem_picture_handle>();
        {
            const OthersRun others_run;
            handle->frame = scene_.render(index);
        }
        handle->has_chroma = true;
        return std::make_unique<Picture>(handle.release());
    }

    /// rows x columns x 2, in pels. `hidden`: as --hidden of the command.
    py::array_t<float> truth(std::int64_t index, int block, const std::string& hidden) const {
        if (hidden != "unknown" && hidden != "counted")
            throw py::value_error("hidden: '" + hidden + "' is none of unknown, counted");
        const HiddenPels wanted = hidden == "counted" ? HiddenPels::counted : HiddenPels::unknown;
        const std::vector<Scene::Motion> motion = [&] {
            const OthersRun others_run;
            return scene_.motion(index, block, wanted);
        }();
        const auto blocks = [block](int side) { return py::ssize_t{(side + block - 1) / block}; };
        py::array_t<float> made({blocks(scene_.height()), blocks(scene_.width()), py::ssize_t{2}});
        float* component = made.mutable_data();
        for (const Scene::Motion& vector : motion) {
            *component++ = vector.x;
            *component++ = vector.y;
        }
        return made;
    }

  private:
    Scene scene_;
};

} // namespace

void add_scenes(py::module_& module) {
    py::class_<DrawnScene>(module, "Scene")
        .def(py::init<const py::dict&>(), py::arg("given"))
        .def_property_readonly("frames", made_first(&DrawnScene::frames))
        .def_property_readonly("size", made_first(&DrawnScene::size))
        .def("picture", made_first(&DrawnScene::picture), py::arg("index"))
        .def("truth", made_first(&DrawnScene::truth), py::arg("index"), py::arg("block"), py::arg("hidden"));
}

} // namespace tandem::python
