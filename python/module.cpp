// SPDX-License-Identifier: BSD-2-Clause
// Searches for Python, on the C interface: arrays are read where they are, and other threads run during a search.
#include "python/module.h"

#include <pybind11/stl.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "c/tandem_motion.h"
#include "machine/errors.h"
#include "me/fields/formats.h"
#include "me/motion_field.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

struct EndEstimator {
    void operator()(tandem_estimator* estimator) const { tandem_estimator_destroy(estimator); }
};
struct EndField {
    void operator()(tandem_field* field) const { tandem_field_destroy(field); }
};
using FieldHandle = std::unique_ptr<tandem_field, EndField>;

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

/// The C struct from Python's words; the texts that it points to live in `texts`.
class Params {
  public:
    explicit Params(const py::dict& given) {
        tandem_motion_defaults(&params_);
        for (const auto& [key, value] : given)
            set(text_of(key), value);
    }
    const tandem_motion_params* get() const { return &params_; }

  private:
    using P = tandem_motion_params;
    static constexpr std::array texts{std::pair{"search", &P::search},
                                      std::pair{"metric", &P::metric},
                                      std::pair{"planes", &P::planes},
                                      std::pair{"interpolation", &P::interpolation},
                                      std::pair{"boundary", &P::boundary},
                                      std::pair{"predictor", &P::predictor},
                                      std::pair{"step_sequence", &P::step_sequence},
                                      std::pair{"block_order", &P::block_order}};
    static constexpr std::array numbers{std::pair{"block_width", &P::block_width},
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
                                        std::pair{"levels", &P::levels},
                                        std::pair{"level_candidates", &P::level_candidates},
                                        std::pair{"phase_window", &P::phase_window},
                                        std::pair{"phase_layers", &P::phase_layers},
                                        std::pair{"phase_hann", &P::phase_hann},
                                        std::pair{"phase_peaks", &P::phase_peaks}};
    static constexpr std::array amounts{std::pair{"lambda_q8", &P::lambda_q8},
                                        std::pair{"null_threshold", &P::null_threshold},
                                        std::pair{"null_level", &P::null_level},
                                        std::pair{"null_gain", &P::null_gain},
                                        std::pair{"smpuhex_converged", &P::smpuhex_converged},
                                        std::pair{"smpuhex_wide", &P::smpuhex_wide},
                                        std::pair{"smpuhex_wide_small", &P::smpuhex_wide_small}};

    /// What UTF-8 has no bytes for is in no name; it is refused by what it is written as.
    static std::string text_of(const py::handle& text) {
        return py::bytes(text.attr("encode")("utf-8", "backslashreplace"));
    }

    template <class Value> static Value integer(const std::string& name, const py::handle& value) {
        try {
            if (PyIndex_Check(value.ptr())) return py::cast<Value>(value);
            const py::int_ whole(py::reinterpret_borrow<py::object>(value)); // A float of any kind is cut here.
            if (whole.equal(value)) return py::cast<Value>(whole);
        } catch (const py::cast_error&) {        // Out of Value's range.
        } catch (const py::error_already_set&) { // No number.
        }
        throw py::value_error(name + ": " + std::string(py::repr(value)) + " is no whole number in its range");
    }

    void set(const std::string& name, const py::handle& value) {
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

    tandem_motion_params params_{};
    std::deque<std::string> texts_;
};

py::tuple arrays_of(const tandem_field* field) {
    const py::ssize_t rows = tandem_field_rows(field), columns = tandem_field_columns(field),
                      candidates = tandem_field_candidates(field);
    py::array_t<std::int16_t> vectors({rows, columns, candidates, py::ssize_t{2}});
    py::array_t<std::uint32_t> distortions({rows, columns, candidates}), costs({rows, columns, candidates});
    tandem_field_vectors(field, vectors.mutable_data(), static_cast<std::size_t>(vectors.size()));
    tandem_field_distortions(field, distortions.mutable_data(), static_cast<std::size_t>(distortions.size()));
    tandem_field_costs(field, costs.mutable_data(), static_cast<std::size_t>(costs.size()));
    return py::make_tuple(vectors, distortions, costs);
}

void check_blocks(const Vectors& vectors, int rows, int columns) {
    if (vectors.shape(0) == rows && vectors.shape(1) == columns) return;
    throw py::value_error("vectors: " + std::to_string(vectors.shape(0)) + " rows and " +
                          std::to_string(vectors.shape(1)) + " columns; the picture has " + std::to_string(rows) +
                          " rows and " + std::to_string(columns) + " columns of blocks");
}

/// A device; its searches run one at a time, whichever threads ask.
class Estimator {
  public:
    Estimator(const std::string& device, int threads) {
        tandem_estimator* created = nullptr;
        const std::string name = whole_text("device", device);
        const tandem_status status = [&] {
            const OthersRun others_run;
            return tandem_estimator_create(name.c_str(), threads, &created);
        }();
        estimator_.reset(created);
        refuse(status, tandem_estimator_message(created));
    }
    Estimator(const Estimator&) = delete;
    Estimator& operator=(const Estimator&) = delete;
    /// In a forked process its threads are not there to be waited for: it stays.
    ~Estimator() {
        if (getpid() != process_) static_cast<void>(estimator_.release());
    }

    py::tuple estimate(const py::object& current, const py::object& reference, const py::dict& params,
                       const py::object& hint) {
        const tandem_picture current_picture = picture_of("current", current);
        const tandem_picture reference_picture = picture_of("reference", reference);
        const Params search(params);
        const FieldHandle hint_field = hint_of(hint, current_picture);
        tandem_field* found = nullptr;
        call([&] {
            return tandem_motion_estimate(estimator_.get(), &current_picture, &reference_picture, search.get(),
                                          hint_field.get(), &found);
        });
        const FieldHandle owner(found);
        return arrays_of(found);
    }

    /// The arrays of each block size.
    py::list estimate_sizes(const py::object& current, const py::object& reference, const py::dict& params,
                            const py::object& hint, const std::vector<std::pair<int, int>>& blocks) {
        const tandem_picture current_picture = picture_of("current", current);
        const tandem_picture reference_picture = picture_of("reference", reference);
        const Params search(params);
        const FieldHandle hint_field = hint_of(hint, current_picture);
        std::vector<tandem_block_size> sizes;
        for (const auto& [width, height] : blocks)
            sizes.push_back({width, height});
        std::vector<tandem_field*> found(sizes.size());
        call([&] {
            return tandem_motion_estimate_sizes(estimator_.get(), &current_picture, &reference_picture, search.get(),
                                                hint_field.get(), sizes.data(), sizes.size(), found.data());
        });
        const std::vector<FieldHandle> owners(found.begin(), found.end());
        py::list fields;
        for (const FieldHandle& field : owners)
            fields.append(arrays_of(field.get()));
        return fields;
    }

    py::object compensate(const Vectors& vectors, const py::object& reference, int block_width, int block_height,
                          const std::string& interpolation) {
        const tandem_picture picture = picture_of("reference", reference);
        const std::string& interpolated = whole_text("interpolation", interpolation);
        const FieldHandle field =
            field_of(vectors, nullptr, picture.luma.width, picture.luma.height, block_width, block_height);
        const auto array = [](const tandem_plane& plane) {
            return py::array_t<std::uint8_t>({py::ssize_t{plane.height}, py::ssize_t{plane.width}});
        };
        std::array made{array(picture.luma), array(picture.cb), array(picture.cr)};
        std::array<tandem_target, 3> targets{};
        for (std::size_t i = 0; i < made.size(); ++i)
            targets[i] = {made[i].size() > 0 ? made[i].mutable_data() : nullptr, made[i].shape(1)};
        call([&] {
            return tandem_motion_compensate(estimator_.get(), field.get(), &picture, interpolated.c_str(), targets[0],
                                            targets[1], targets[2]);
        });
        if (picture.cb.data == nullptr) return made[0];
        return py::make_tuple(made[0], made[1], made[2]);
    }

  private:
    static void refuse(tandem_status status, const std::string& message) {
        if (status == TANDEM_BAD_INPUT) throw InputError(message);
        if (status != TANDEM_OK) throw RunError(message);
    }

    /// The interpreter's lock is given up before the estimator's is waited for, so the two cannot block each other.
    template <class Body> void call(const Body& body) {
        tandem_status status = TANDEM_OK;
        std::string message;
        {
            const OthersRun others_run;
            const std::scoped_lock one_at_a_time(mutex_);
            status = body();
            message = tandem_estimator_message(estimator_.get());
        }
        refuse(status, message);
    }

    /// (vectors, distortions, width and height of a block), or None.
    FieldHandle hint_of(const py::object& hint, const tandem_picture& picture) {
        if (hint.is_none()) return nullptr;
        const auto [vectors, distortions, width, height] = py::cast<std::tuple<Vectors, Counts, int, int>>(hint);
        if (distortions.size() * 2 != vectors.size()) throw py::value_error("hint: a distortion for each vector");
        return field_of(vectors, distortions.data(), picture.luma.width, picture.luma.height, width, height);
    }

    /// `distortions`: one for each vector, UINT32_MAX where there is none; null: all vectors are there.
    FieldHandle field_of(const Vectors& vectors, const std::uint32_t* distortions, int width, int height,
                         int block_width, int block_height) {
        if (vectors.ndim() != 4 || vectors.shape(3) != 2) throw py::value_error("vectors: rows x columns x K x 2");
        const auto is_side = [](int side) { return side >= 1 && side <= largest_field_side; };
        if (is_side(block_width) && is_side(block_height)) // Else the C interface names the side and its limits.
            check_blocks(vectors, blocks_along(height, block_height), blocks_along(width, block_width));
        tandem_field* made = nullptr;
        call([&] {
            return tandem_field_create(estimator_.get(), width, height, block_width, block_height,
                                       static_cast<std::int32_t>(vectors.shape(2)), vectors.data(), distortions,
                                       nullptr, &made);
        });
        return FieldHandle(made);
    }

    std::unique_ptr<tandem_estimator, EndEstimator> estimator_;
    std::mutex mutex_; ///< Guards the estimator.
    const pid_t process_ = getpid();
};

/// File names in messages need not be UTF-8.
void raise(PyObject* kind, const std::string& message) {
    const auto text = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "surrogateescape"));
    if (text) PyErr_SetObject(kind, text.ptr());
}

py::tuple searches() {
    py::list names;
    for (std::size_t index = 0; tandem_motion_search_name(index) != nullptr; ++index)
        names.append(tandem_motion_search_name(index));
    return py::tuple(names);
}

} // namespace
} // namespace tandem::python

PYBIND11_MODULE(_motion, module) {
    using tandem::python::Estimator;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const tandem::InputError& error) {
            tandem::python::raise(PyExc_ValueError, error.what());
        } catch (const tandem::RunError& error) {
            tandem::python::raise(PyExc_RuntimeError, error.what());
        }
    });
    module.attr("__version__") = tandem_motion_version();
    module.def("searches", &tandem::python::searches);
    py::class_<Estimator>(module, "Estimator")
        .def(py::init<const std::string&, int>(), py::arg("device"), py::arg("threads"))
        .def("estimate", &Estimator::estimate, py::arg("current"), py::arg("reference"), py::arg("params"),
             py::arg("hint"))
        .def("estimate_sizes", &Estimator::estimate_sizes, py::arg("current"), py::arg("reference"), py::arg("params"),
             py::arg("hint"), py::arg("blocks"))
        .def("compensate", &Estimator::compensate, py::arg("vectors"), py::arg("reference"), py::arg("block_width"),
             py::arg("block_height"), py::arg("interpolation"));
    tandem::python::add_field_files(module);
}
