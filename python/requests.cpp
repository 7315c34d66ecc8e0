// SPDX-License-Identifier: BSD-2-Clause
// Searches for Python, on the C interface: requests, and what comes of them, while other threads run.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "c/tandem_motion.h"
#include "machine/errors.h"
#include "me/fields/formats.h"
#include "me/motion_field.h"
#include "python/module.h"
#include "python/one_process.h"
#include "python/params.h"
#include "python/pictures.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

struct EndEstimator {
    void operator()(tandem_estimator* estimator) const { tandem_estimator_destroy(estimator); }
};
struct EndField {
    void operator()(tandem_field* field) const { tandem_field_destroy(field); }
};
struct EndTicket {
    void operator()(tandem_ticket* ticket) const { tandem_ticket_free(ticket); }
};
using FieldHandle = std::unique_ptr<tandem_field, EndField>;

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

/// The answer to a request.
class Ticket {
  public:
    explicit Ticket(tandem_ticket* owned) : ticket_(owned) {}
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket() {
        if (!process_.is_here()) static_cast<void>(ticket_.release());
    }

    /// Whether it is there within so many seconds; none: however long it takes. Signals are answered meanwhile.
    bool wait(std::optional<double> seconds) {
        process_.refuse_elsewhere("this request");
        constexpr double longest = 0.05;
        double left = seconds.value_or(longest) > 0 ? seconds.value_or(longest) : 0; // Of no number, too.
        while (true) {
            const double now = std::min(left, longest);
            if (is_ready_within(static_cast<std::int32_t>(now * 1000))) return true;
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (seconds && (left -= now) <= 0) return false;
        }
    }

    /// The arrays of each block size, once the answer is there.
    py::list fields() {
        process_.refuse_elsewhere("this request");
        std::vector<FieldHandle> found;
        call(
            mutex_,
            [&] {
                tandem_status status = tandem_ticket_wait(ticket_.get());
                for (std::size_t i = 0; status == TANDEM_OK && i < tandem_ticket_fields(ticket_.get()); ++i) {
                    tandem_field* field = nullptr;
                    status = tandem_ticket_take_field(ticket_.get(), i, &field);
                    found.emplace_back(field);
                }
                return status;
            },
            [&] { return tandem_ticket_message(ticket_.get()); });
        py::list arrays;
        for (const FieldHandle& field : found)
            arrays.append(arrays_of(field.get()));
        return arrays;
    }

    /// Who answered, once fields() was called.
    std::string device() {
        const OthersRun others_run;
        const std::scoped_lock one_at_a_time(mutex_);
        return tandem_ticket_device(ticket_.get());
    }

  private:
    bool is_ready_within(std::int32_t milliseconds) {
        const OthersRun others_run;
        const std::scoped_lock one_at_a_time(mutex_);
        return tandem_ticket_ready_within(ticket_.get(), milliseconds) != 0;
    }

    std::unique_ptr<tandem_ticket, EndTicket> ticket_;
    std::mutex mutex_; ///< Guards the ticket.
    const OfOneProcess process_;
};

/// Devices, which share the requests of all threads.
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
    ~Estimator() {
        if (!process_.is_here()) static_cast<void>(estimator_.release());
    }

    /// `blocks`: empty, or sizes in the place of the parameters'. `rows`: of blocks, first and end.
    std::unique_ptr<Ticket> submit(const py::object& current, const py::object& reference, const py::dict& params,
                                   const py::object& hint, const py::object& start,
                                   const std::vector<std::pair<int, int>>& blocks, std::pair<int, int> rows) {
        process_.refuse_elsewhere("this estimator");
        const Picture &of = made<Picture>(current), &from = made<Picture>(reference);
        const Params search(params);
        const FieldHandle hint_field = field_of("hint", hint, of.size()),
                          start_field = field_of("start", start, of.size());
        std::vector<tandem_block_size> sizes;
        for (const auto& [width, height] : blocks)
            sizes.push_back({width, height});
        tandem_motion_request request;
        tandem_motion_request_defaults(&request);
        request.current = of.get();
        request.reference = from.get();
        request.params = search.get();
        request.hint = hint_field.get();
        request.start = start_field.get();
        request.sizes = sizes.data();
        request.size_count = sizes.size();
        request.first_row = rows.first;
        request.end_row = rows.second;
        tandem_ticket* ticket = nullptr;
        call([&] { return tandem_motion_submit(estimator_.get(), &request, &ticket); });
        return std::make_unique<Ticket>(ticket);
    }

    py::object compensate(const Vectors& vectors, const py::object& reference, int block_width, int block_height,
                          const std::string& interpolation) {
        process_.refuse_elsewhere("this estimator");
        const tandem_picture picture = tandem_picture_samples(made<Picture>(reference).get());
        const std::string& interpolated = whole_text("interpolation", interpolation);
        const FieldHandle field =
            field_of(vectors, nullptr, {picture.luma.width, picture.luma.height}, {block_width, block_height});
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
    template <class Body> void call(const Body& body) {
        python::call(mutex_, body, [&] { return tandem_estimator_message(estimator_.get()); });
    }

    /// (vectors, distortions, width and height of a block), or None.
    FieldHandle field_of(const std::string& name, const py::object& field, std::pair<int, int> picture) {
        if (field.is_none()) return nullptr;
        const auto [vectors, distortions, width, height] = py::cast<std::tuple<Vectors, Counts, int, int>>(field);
        if (distortions.size() * 2 != vectors.size()) throw py::value_error(name + ": a distortion for each vector");
        return field_of(vectors, distortions.data(), picture, {width, height});
    }

    /// `distortions`: one for each vector, UINT32_MAX where there is none; null: all vectors are there.
    FieldHandle field_of(const Vectors& vectors, const std::uint32_t* distortions, std::pair<int, int> picture,
                         std::pair<int, int> block) {
        if (vectors.ndim() != 4 || vectors.shape(3) != 2) throw py::value_error("vectors: rows x columns x K x 2");
        const auto [width, height] = picture;
        const auto [block_width, block_height] = block;
        const auto is_side = [](int side) { return side >= 1 && side <= largest_field_side; };
        if (is_side(block_width) && is_side(block_height)) // Else the C interface names the side and its limits.
            check_blocks(vectors, blocks_along(height, block_height), blocks_along(width, block_width));
        tandem_field* field = nullptr;
        call([&, width = width, height = height, block_width = block_width, block_height = block_height] {
            return tandem_field_create(estimator_.get(), width, height, block_width, block_height,
                                       static_cast<std::int32_t>(vectors.shape(2)), vectors.data(), distortions,
                                       nullptr, &field);
        });
        return FieldHandle(field);
    }

    std::unique_ptr<tandem_estimator, EndEstimator> estimator_;
    std::mutex mutex_; ///< Guards the estimator.
    const OfOneProcess process_;
};

} // namespace

void add_requests(py::module_& module) {
    py::class_<Ticket>(module, "Ticket")
        .def("wait", made_first(&Ticket::wait), py::arg("seconds"))
        .def("fields", made_first(&Ticket::fields))
        .def("device", made_first(&Ticket::device));
    py::class_<Estimator>(module, "Estimator")
        .def(py::init<const std::string&, int>(), py::arg("device"), py::arg("threads"))
        .def("submit", made_first(&Estimator::submit), py::arg("current"), py::arg("reference"), py::arg("params"),
             py::arg("hint"), py::arg("start"), py::arg("blocks"), py::arg("rows"))
        .def("compensate", made_first(&Estimator::compensate), py::arg("vectors"), py::arg("reference"),
             py::arg("block_width"), py::arg("block_height"), py::arg("interpolation"));
}

} // namespace tandem::python
