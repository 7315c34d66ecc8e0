// SPDX-License-Identifier: BSD-2-Clause
// Several requests by one launch of each kernel.
#include <algorithm>
#include <optional>

#include "cuda/kernels.h"
#include "cuda/requests/device_search.h"
#include "cuda/requests/request_task.h"
#include "cuda/requests/search_workspace.h"
#include "me/block.h"

namespace tandem::cuda {

/// The two pictures of a request, until the device is done with them.
struct SearchWorkspace::HeldPair {
    std::shared_ptr<DeviceFrame> current, reference;
    HeldWords current_words, reference_words;
    HeldPyramids pyramids;
};

namespace {

struct PlanePair {
    WordPlane current, reference;
};

/// False where the references do not have one stride.
bool add(const PlanePair& pair, int stride, PictureBatch& batch) {
    batch.picture[batch.count++] = {pair.current.origin, pair.reference.origin, pair.current.stride};
    return pair.reference.stride == stride;
}

/// Of HeldPairs; none where a plane's references do not have one stride.
std::optional<BatchPlanes> planes_of(const auto& held) {
    BatchPlanes planes;
    const auto& first = held.front();
    planes.levels.resize(first.pyramids.reference.size());
    bool fits = true;
    for (const auto& pair : held) {
        fits &= add({pair.current_words.planes.whole, pair.reference_words.planes.whole},
                    first.reference_words.planes.whole.stride, planes.whole);
        for (std::size_t i = 0; i < planes.levels.size(); ++i)
            fits &= add({pair.pyramids.current[i].words, pair.pyramids.reference[i].words},
                        first.pyramids.reference[i].words.stride, planes.levels[i]);
    }
    return fits ? std::optional(planes) : std::nullopt;
}

} // namespace

bool SearchWorkspace::search_batch(std::span<const MotionRequest> requests, const BlockRows& band,
                                   std::span<MotionField> fields) {
    const std::size_t slots = slots_of(fields.front(), band).size();
    if (slots == 0) return true;
    const SearchParams& params = requests.front().params;
    std::vector<HeldPair> held(requests.size());
    try {
        hold_pictures(requests, held);
        const auto planes = planes_of(held);
        if (!planes) {
            stop();
            return false;
        }
        SearchTask task = task_of(params, fields.front().picture_width(), fields.front().picture_height(), band);
        task.reference = held.front().reference_words.planes;
        task.predictors = queue_batch_predictors(requests, band, slots / static_cast<std::size_t>(task.candidates));
        task.found = found_.reserve(slots * requests.size());
        queue_batch(params, task, held.front(), *planes);
        Candidate* results = results_.reserve(slots * requests.size());
        copy_to_host(results, task.found, slots * requests.size() * sizeof(Candidate), finish_);
        done_.record(finish_);
        done_.synchronise();
        for (MotionField& field : fields) {
            std::copy_n(results, slots, slots_of(field, band).begin());
            results += slots;
        }
    } catch (...) {
        stop();
        throw;
    }
    return true;
}

void SearchWorkspace::hold_pictures(std::span<const MotionRequest> requests, std::span<HeldPair> held) {
    const MotionRequest& first = requests.front();
    const int width = first.current->width(), height = first.current->height();
    const int reach = reach_of(first.params, width, height);
    const int levels = needs_of(first.params, width, height).levels;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const MotionRequest& request = requests[i];
        HeldPair& pair = held[i];
        pair.current = frames_->of(request.current);
        pair.reference = frames_->of(request.reference);
        pair.current_words = pair.current->words(*request.current, {word_plane_margin, 0}, ring_, upload_, compute_);
        pair.reference_words =
            pair.reference->words(*request.reference, {reach + word_plane_margin, 0}, ring_, upload_, compute_);
        if (levels == 0) continue;
        pair.pyramids.current = pair.current->levels(levels, 0, upload_, compute_);
        pair.pyramids.reference = pair.reference->levels(levels, reach, upload_, compute_);
    }
}

const Mv* SearchWorkspace::queue_batch_predictors(std::span<const MotionRequest> requests, const BlockRows& band,
                                                  std::size_t blocks) {
    const auto has_hint = [](const MotionRequest& request) { return request.hint != nullptr; };
    if (requests.front().params.predictor == Predictor::zero || std::ranges::none_of(requests, has_hint))
        return nullptr;
    const std::size_t count = blocks * requests.size();
    Mv* staged = predictor_staging_.reserve(count);
    for (std::size_t i = 0; i < requests.size(); ++i)
        copy_predictors(requests[i].hint.get(), band, {staged + i * blocks, blocks});
    Mv* predictors = predictors_.reserve(count);
    copy_to_device(predictors, staged, count * sizeof(Mv), compute_);
    return predictors;
}

void SearchWorkspace::queue_batch(const SearchParams& params, const SearchTask& task, const HeldPair& first,
                                  const BatchPlanes& planes) {
    const DeviceSearch& search = *device_search(params);
    const bool refines = params.precision > params.grid;
    if (search.queue_batch == nullptr) {
        queue_full_batch(task, planes.whole);
    } else {
        SearchTask whole = task;
        if (refines) whole.null_gain = 0; // The refined vector is the one that must gain enough.
        search.queue_batch(params, whole, first.pyramids, planes, memory_, compute_);
        hand_over(compute_, finish_);
    }
    if (refines)
        launch_refine_batch(task, planes.whole, params.precision,
                            reach_of(params, task.picture_width, task.picture_height), finish_.get());
}

void SearchWorkspace::queue_full_batch(const SearchTask& task, const PictureBatch& batch) {
    FullSearchPlan plan = plan_batch(task, batch.count);
    place_lanes(plan);
    place_keys(task, plan);
    launch_full_sad_batch(task, plan.layout, plan.tile, batch, compute_.get());
    hand_over(compute_, finish_);
    launch_write_best(blocks_of_batch(task, batch.count), plan.layout, finish_.get());
    hand_over(finish_, compute_);
}

} // namespace tandem::cuda
