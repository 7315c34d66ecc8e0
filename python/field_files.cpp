// SPDX-License-Identifier: BSD-2-Clause
// Motion-field files for Python.
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "machine/errors.h"
#include "me/fields/field_file.h"
#include "python/fields.h"
#include "python/module.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// Files are read and written while other Python threads run, which may be at a pipe's other end, and one at a time.
class Alone {
  public:
    explicit Alone(std::mutex& mutex) : lock_(mutex) {}

  private:
    OthersRun others_run_;
    std::lock_guard<std::mutex> lock_; ///< Waited for without the interpreter's lock.
};

class Writer {
  public:
    Writer(const std::string& path, const std::string& metric) {
        const std::string name = whole_text("path", path);
        const Alone alone(mutex_);
        file_ = create_field_file(name, metric);
    }

    void write(const Vectors& vectors, const Counts& distortions, const Counts& costs, std::pair<int, int> picture,
               std::pair<int, int> block, std::int64_t number, int reference_offset) {
        const FieldRecord record{motion_field_of(vectors, distortions, costs, picture, block), number,
                                 reference_offset};
        const Alone alone(mutex_);
        file_->write(record);
    }

    void finish() {
        const Alone alone(mutex_);
        file_->finish();
    }

  private:
    std::mutex mutex_;
    std::unique_ptr<FieldWriter> file_;
};

class Reader {
  public:
    Reader(const std::string& path, std::pair<int, int> picture, std::pair<int, int> block) {
        const std::string name = whole_text("path", path);
        const Alone alone(mutex_);
        file_ = open_field_file(name, {picture.first, picture.second, block.first, block.second});
    }

    /// (vectors, distortions, costs, picture, reference_offset), or None after the last.
    py::object read() {
        const auto record = next();
        if (!record) return py::none();
        const MotionField& field = record->field;
        const py::ssize_t rows = field.rows(), columns = field.columns(), candidates = field.candidates();
        py::array_t<std::int16_t> vectors({rows, columns, candidates, py::ssize_t{2}});
        py::array_t<std::uint32_t> distortions({rows, columns, candidates}), costs({rows, columns, candidates});
        std::int16_t* component = vectors.mutable_data();
        std::uint32_t *distortion = distortions.mutable_data(), *cost = costs.mutable_data();
        for (const Candidate& candidate : field.all()) {
            *component++ = candidate.mv.x;
            *component++ = candidate.mv.y;
            *distortion++ = candidate.distortion;
            *cost++ = candidate.cost;
        }
        return py::make_tuple(vectors, distortions, costs, record->picture, record->reference_offset);
    }

    std::pair<int, int> picture() const { return {file_->geometry().picture_width, file_->geometry().picture_height}; }
    std::pair<int, int> block() const { return {file_->geometry().block_width, file_->geometry().block_height}; }

  private:
    std::optional<FieldRecord> next() {
        const Alone alone(mutex_);
        return file_->read();
    }

    std::mutex mutex_;
    std::unique_ptr<FieldReader> file_;
};

} // namespace

void add_field_files(py::module_& module) {
    py::class_<Writer>(module, "FieldWriter")
        .def(py::init<const std::string&, const std::string&>())
        .def("write", made_first(&Writer::write))
        .def("finish", made_first(&Writer::finish));
    py::class_<Reader>(module, "FieldReader")
        .def(py::init<const std::string&, std::pair<int, int>, std::pair<int, int>>())
        .def("read", made_first(&Reader::read))
        .def_property_readonly("picture", made_first(&Reader::picture))
        .def_property_readonly("block", made_first(&Reader::block));
}

} // namespace tandem::python
