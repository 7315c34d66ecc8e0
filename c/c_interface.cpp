// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c/c_params.h"
#include "c/tandem_motion.h"
#include "machine/errors.h"
#include "machine/workers.h"
#include "me/estimator.h"
#include "me/fields/formats.h"
#include "me/samples/compensation.h"
#include "me/search.h"

#define TANDEM_TEXT_OF(number) #number
#define TANDEM_VERSION_TEXT(major, minor, patch)                                                                       \
    TANDEM_TEXT_OF(major) "." TANDEM_TEXT_OF(minor) "." TANDEM_TEXT_OF(patch)

struct tandem_estimator {
    std::string message;
    std::vector<std::unique_ptr<tandem::Estimator>> backends; ///< In the order in which they are tried.
    std::unique_ptr<tandem::Workers> workers;                 ///< For compensation.
    bool falls_back = false; ///< A backend that fails is dropped, and the next one tries.
};

struct tandem_field {
    std::shared_ptr<const tandem::MotionField> field;
};

namespace tandem {
namespace {

/// Runs `body`; whatever it throws becomes a status and the estimator's message.
template <class Body> tandem_status guarded(tandem_estimator* estimator, const Body& body) noexcept {
    if (estimator == nullptr) return TANDEM_BAD_INPUT;
    const auto say = [estimator](const char* text) {
        try {
            estimator->message = text;
        } catch (const std::bad_alloc&) {
            estimator->message.clear(); // no memory for the words; the status still tells
        }
    };
    try {
        estimator->message.clear();
        body();
        return TANDEM_OK;
    } catch (const InputError& error) {
        say(error.what());
        return TANDEM_BAD_INPUT;
    } catch (const std::bad_alloc&) {
        say("not enough memory");
    } catch (const std::exception& error) {
        say(error.what());
    } catch (...) {
        say("an error without a message");
    }
    return TANDEM_FAILED;
}

/// Whether rows may lie so far apart: not on one another, and none where addresses end.
bool is_distance(std::ptrdiff_t stride, int width) {
    constexpr std::ptrdiff_t most = PTRDIFF_MAX / largest_field_side;
    return (stride >= width && stride <= most) || (stride <= -width && stride >= -most);
}

PlaneView checked(const std::string& what, const tandem_plane& plane) {
    if (plane.data == nullptr) throw InputError(what + ": the samples are NULL");
    if (plane.width < 1 || plane.height < 1 || plane.width > largest_field_side || plane.height > largest_field_side) {
        throw InputError(what + ": " + std::to_string(plane.width) + "x" + std::to_string(plane.height) +
                         " samples; sides are 1 to " + std::to_string(largest_field_side));
    }
    if (!is_distance(plane.stride, plane.width)) {
        throw InputError(what + ": rows of " + std::to_string(plane.width) + " samples at a distance of " +
                         std::to_string(plane.stride));
    }
    return {plane.data, plane.width, plane.height, plane.stride};
}

bool has_chroma(const tandem_picture& picture) { return picture.cb.data != nullptr || picture.cr.data != nullptr; }

FramePtr frame_of(const std::string& what, const tandem_picture* picture) {
    if (picture == nullptr) throw InputError(what + ": the picture is NULL");
    const PlaneView luma = checked(what + ", luma", picture->luma);
    auto frame = std::make_shared<Frame>(luma.width, luma.height);
    copy_and_extend(luma, frame->plane(0).view());
    const std::array chroma{std::pair{", Cb", &picture->cb}, std::pair{", Cr", &picture->cr}};
    for (int index = 1; index <= 2; ++index) {
        const MutablePlaneView to = frame->plane(index).view();
        if (!has_chroma(*picture)) {
            constexpr std::uint8_t grey = 128;
            frame->plane(index).fill(grey);
            continue;
        }
        const auto& [name, plane] = chroma[static_cast<std::size_t>(index - 1)];
        const PlaneView from = checked(what + name, *plane);
        if (from.width != to.width || from.height != to.height) {
            throw InputError(what + name + ": " + std::to_string(from.width) + "x" + std::to_string(from.height) +
                             " samples; 4:2:0 has " + std::to_string(to.width) + "x" + std::to_string(to.height));
        }
        copy_and_extend(from, to);
    }
    return frame;
}

void check_limit(const char* what, std::int32_t value, int most) {
    if (value >= 1 && value <= most) return;
    throw InputError(std::string(what) + ": " + std::to_string(value) + "; 1 to " + std::to_string(most));
}

void open_devices(tandem_estimator& estimator, const std::string& device, int threads) {
    constexpr int most_threads = 1024;
    if (threads < 0 || threads > most_threads) {
        throw InputError("threads: " + std::to_string(threads) + "; 0 to " + std::to_string(most_threads));
    }
    const int count = threads_or_all(threads);
    const bool automatic = device == "auto";
    if (device != "cpu") {
        std::vector<int> wanted;
        if (device.starts_with("gpu:") && device.size() > 4 && device.size() < 8 &&
            device.find_first_not_of("0123456789", 4) == std::string::npos) {
            wanted.push_back(std::stoi(device.substr(4)));
        } else if (device != "gpu" && !automatic) {
            throw InputError("device: '" + device + "' is none of cpu, gpu, gpu:N, auto");
        }
        std::string why_not;
        estimator.backends = make_gpu_estimators(&why_not, wanted);
        if (estimator.backends.empty() && !automatic) throw RunError("device: '" + device + "': " + why_not);
    }
    if (automatic || device == "cpu") estimator.backends.push_back(make_cpu_estimator(count));
    estimator.falls_back = automatic;
    estimator.workers = std::make_unique<Workers>(count);
}

MotionRequest request_of(const tandem_estimator& estimator, const tandem_picture* current,
                         const tandem_picture* reference, const tandem_motion_params* params,
                         std::optional<BlockSize> block = {}) {
    if (estimator.backends.empty()) throw InputError("this estimator's device could not be opened");
    MotionRequest request;
    request.params = search_params(params, block);
    request.current = frame_of("current", current);
    request.reference = frame_of("reference", reference);
    if (request.params.planes == Planes::all && !(has_chroma(*current) && has_chroma(*reference)))
        throw InputError("planes: 'all' wants pictures with chroma");
    return request;
}

/// `block`: 0x0 where any will do.
void add_hint(const tandem_field* hint, BlockSize block, MotionRequest& request) {
    if (hint == nullptr) return;
    if (request.params.predictor == Predictor::zero && request.params.algorithm != Algorithm::given)
        throw InputError("hint: there is no use for it with the predictor 'zero'");
    agree("hint", geometry_of(*hint->field),
          {request.current->width(), request.current->height(), block.width, block.height});
    request.hint = hint->field;
}

/// Who asked for whatever there is has done nothing wrong.
[[noreturn]] void throw_no_gpu(bool automatic) {
    const char* const text = "interpolation: 'texture' is done by a GPU, and this estimator has none";
    if (automatic) throw RunError(text);
    throw InputError(text);
}

/// What search(backend) gives with the first backend that supports all parameters; where that one fails, the next.
template <class Search>
auto on_a_backend(tandem_estimator& estimator, std::span<const SearchParams> params, const Search& search) {
    const auto can = [&](const auto& backend) {
        return std::ranges::all_of(params, [&](const SearchParams& one) { return backend->supports(one); });
    };
    while (true) {
        const auto found = std::find_if(estimator.backends.begin(), estimator.backends.end(), can);
        if (found == estimator.backends.end()) {
            if (params.front().interpolation == Interpolation::texture && estimator.backends.front()->name() == "cpu")
                throw_no_gpu(estimator.falls_back);
            throw InputError("search: the device does not support '" +
                             std::string(search_row(params.front().algorithm).name) + "' with these parameters");
        }
        try {
            return search(**found);
        } catch (const RunError&) {
            if (!estimator.falls_back || estimator.backends.size() == 1) throw;
            estimator.backends.erase(found);
        }
    }
}

void check_target(PlaneView from, const tandem_target& to, const std::string& what) {
    if (to.data == nullptr) throw InputError(what + ": the samples are NULL");
    if (!is_distance(to.stride, from.width)) {
        throw InputError(what + ": rows of " + std::to_string(from.width) + " samples at a distance of " +
                         std::to_string(to.stride));
    }
}

void copy_out(PlaneView from, const tandem_target& to) {
    for (int y = 0; y < from.height; ++y)
        std::copy_n(from.row(y), from.width, to.data + y * to.stride);
}

std::unique_ptr<tandem_field> handle_of(MotionField field) {
    return std::unique_ptr<tandem_field>(new tandem_field{std::make_shared<MotionField>(std::move(field))});
}

template <class Number, class Put>
tandem_status put_all(const tandem_field* field, Number* to, std::size_t capacity, std::size_t each, const Put& put) {
    if (field == nullptr || to == nullptr || capacity < field->field->all().size() * each) return TANDEM_BAD_INPUT;
    for (const Candidate& candidate : field->field->all()) {
        put(candidate, to);
        to += each;
    }
    return TANDEM_OK;
}

} // namespace
} // namespace tandem

const char* tandem_motion_version(void) {
    return TANDEM_VERSION_TEXT(TANDEM_MOTION_VERSION_MAJOR, TANDEM_MOTION_VERSION_MINOR, TANDEM_MOTION_VERSION_PATCH);
}

const char* tandem_motion_search_name(size_t index) {
    const auto table = tandem::search_table();
    // The table's names are literals, so they end with a zero.
    return index < table.size() ? table[index].name.data() : nullptr;
}

tandem_status tandem_estimator_create(const char* device, int threads, tandem_estimator** estimator) {
    if (estimator == nullptr) return TANDEM_BAD_INPUT;
    *estimator = new (std::nothrow) tandem_estimator;
    if (*estimator == nullptr) return TANDEM_FAILED;
    return tandem::guarded(*estimator, [&] {
        if (device == nullptr) throw tandem::InputError("device: NULL is none of cpu, gpu, gpu:N, auto");
        tandem::open_devices(**estimator, device, threads);
    });
}

void tandem_estimator_destroy(tandem_estimator* estimator) { delete estimator; }

const char* tandem_estimator_message(const tandem_estimator* estimator) {
    return estimator != nullptr ? estimator->message.c_str() : "there is no estimator";
}

tandem_status tandem_motion_estimate(tandem_estimator* estimator, const tandem_picture* current,
                                     const tandem_picture* reference, const tandem_motion_params* params,
                                     const tandem_field* hint, tandem_field** field) {
    if (field != nullptr) *field = nullptr;
    return tandem::guarded(estimator, [&] {
        if (field == nullptr) throw tandem::InputError("field: there is no place for it");
        tandem::MotionRequest request = tandem::request_of(*estimator, current, reference, params);
        tandem::add_hint(hint, {request.params.block_width, request.params.block_height}, request);
        const auto search = [&](tandem::Estimator& backend) { return backend.estimate(request); };
        *field = tandem::handle_of(tandem::on_a_backend(*estimator, {&request.params, 1}, search)).release();
    });
}

tandem_status tandem_motion_estimate_sizes(tandem_estimator* estimator, const tandem_picture* current,
                                           const tandem_picture* reference, const tandem_motion_params* params,
                                           const tandem_field* hint, const tandem_block_size* sizes, size_t count,
                                           tandem_field** fields) {
    constexpr std::size_t most_sizes = 64;
    const bool is_count = count >= 1 && count <= most_sizes;
    if (fields != nullptr && is_count) std::fill_n(fields, count, nullptr);
    return tandem::guarded(estimator, [&] {
        if (fields == nullptr || sizes == nullptr)
            throw tandem::InputError("sizes: they or the fields' places are NULL");
        if (!is_count) throw tandem::InputError("sizes: " + std::to_string(count) + " of them; 1 to 64");
        const tandem::BlockSize first{sizes[0].width, sizes[0].height};
        tandem::MotionRequest request = tandem::request_of(*estimator, current, reference, params, first);
        tandem::add_hint(hint, {}, request);
        std::vector<tandem::BlockSize> blocks;
        std::vector<tandem::SearchParams> each;
        for (const tandem_block_size& size : std::span(sizes, count)) {
            blocks.push_back({size.width, size.height});
            tandem::SearchParams& one = each.emplace_back(request.params);
            one.block_width = size.width;
            one.block_height = size.height;
            tandem::refuse_invalid(one);
        }
        const auto search = [&](tandem::Estimator& backend) { return backend.estimate_sizes(request, blocks); };
        std::vector<std::unique_ptr<tandem_field>> found;
        for (tandem::MotionField& field : tandem::on_a_backend(*estimator, each, search))
            found.push_back(tandem::handle_of(std::move(field)));
        for (std::size_t i = 0; i < count; ++i)
            fields[i] = found[i].release();
    });
}

tandem_status tandem_motion_compensate(tandem_estimator* estimator, const tandem_field* field,
                                       const tandem_picture* reference, const char* interpolation, tandem_target luma,
                                       tandem_target cb, tandem_target cr) {
    return tandem::guarded(estimator, [&] {
        if (field == nullptr) throw tandem::InputError("field: NULL");
        if (!estimator->workers) throw tandem::InputError("this estimator's device could not be opened");
        const tandem::FramePtr from = tandem::frame_of("reference", reference);
        const auto prediction = tandem::predict_picture(
            *from, *field->field, tandem::interpolation_named(interpolation), *estimator->workers);
        const tandem::Frame& found = *prediction;
        const std::array targets{std::pair{"luma", &luma}, std::pair{"cb", &cb}, std::pair{"cr", &cr}};
        const int planes = tandem::has_chroma(*reference) ? 3 : 1;
        for (int i = 0; i < planes; ++i) // All of them before the first is written.
            tandem::check_target(found.plane(i).view(), *targets[i].second, targets[i].first);
        for (int i = 0; i < planes; ++i)
            tandem::copy_out(found.plane(i).view(), *targets[i].second);
    });
}

tandem_status tandem_field_create(tandem_estimator* estimator, int32_t picture_width, int32_t picture_height,
                                  int32_t block_width, int32_t block_height, int32_t candidates, const int16_t* vectors,
                                  const uint32_t* distortions, const uint32_t* costs, tandem_field** field) {
    if (field != nullptr) *field = nullptr;
    return tandem::guarded(estimator, [&] {
        if (field == nullptr || vectors == nullptr)
            throw tandem::InputError("field: its vectors or its place are NULL");
        tandem::check_limit("picture_width", picture_width, tandem::largest_field_side);
        tandem::check_limit("picture_height", picture_height, tandem::largest_field_side);
        tandem::check_limit("block_width", block_width, tandem::largest_field_side);
        tandem::check_limit("block_height", block_height, tandem::largest_field_side);
        tandem::check_limit("candidates", candidates, tandem::most_candidates);
        tandem::MotionField made(picture_width, picture_height, block_width, block_height, candidates);
        for (std::size_t i = 0; i < made.all().size(); ++i) {
            const std::uint32_t distortion = distortions != nullptr ? distortions[i] : 0;
            if (distortion == UINT32_MAX) continue; // As it was made: no candidate.
            const tandem::Mv mv{vectors[2 * i], vectors[2 * i + 1]};
            if (mv.x == INT16_MIN || mv.y == INT16_MIN) throw tandem::InputError("vectors: -32768; -32767 to 32767");
            made.all()[i] = {mv, distortion, costs != nullptr ? costs[i] : distortion};
        }
        if (tandem::has_gap(made)) throw tandem::InputError("distortions: a candidate after an empty one");
        *field = tandem::handle_of(std::move(made)).release();
    });
}

void tandem_field_destroy(tandem_field* field) { delete field; }

int32_t tandem_field_rows(const tandem_field* field) { return field != nullptr ? field->field->rows() : 0; }
int32_t tandem_field_columns(const tandem_field* field) { return field != nullptr ? field->field->columns() : 0; }
int32_t tandem_field_candidates(const tandem_field* field) { return field != nullptr ? field->field->candidates() : 0; }

tandem_status tandem_field_vectors(const tandem_field* field, int16_t* vectors, size_t capacity) {
    return tandem::put_all(field, vectors, capacity, 2, [](const tandem::Candidate& candidate, int16_t* to) {
        to[0] = candidate.mv.x;
        to[1] = candidate.mv.y;
    });
}

tandem_status tandem_field_distortions(const tandem_field* field, uint32_t* distortions, size_t capacity) {
    return tandem::put_all(field, distortions, capacity, 1,
                           [](const tandem::Candidate& candidate, uint32_t* to) { *to = candidate.distortion; });
}

tandem_status tandem_field_costs(const tandem_field* field, uint32_t* costs, size_t capacity) {
    return tandem::put_all(field, costs, capacity, 1,
                           [](const tandem::Candidate& candidate, uint32_t* to) { *to = candidate.cost; });
}
