// SPDX-License-Identifier: BSD-2-Clause
// Several requests by one launch of each kernel.
#include <algorithm>

#include "cuda/kernels.h"
#include "cuda/requests/request_task.h"
#include "cuda/requests/search_workspace.h"
#include "me/block.h"

namespace tandem::cuda {

/// The two pictures of a request, until the device is done with them.
struct SearchWorkspace::HeldPair {
    std::shared_ptr<DeviceFrame> current, reference;
    HeldWords current_words, reference_words;
};

bool SearchWorkspace::search_batch(std::span<const MotionRequest> requests, const BlockRows& band,
                                   std::span<MotionField> fields) {
    const std::size_t slots = slots_of(fields.front(), band).size();
    if (slots == 0) return true;
    const SearchParams& params = requests.front().params;
    std::vector<HeldPair> held(requests.size());
    try {
        hold_pictures(requests, held);
        SearchTask task = task_of(params, fields.front().picture_width(), fields.front().picture_height(), band);
        task.reference = held.front().reference_words.planes;
        PictureBatch batch;
        for (const HeldPair& pair : held) {
            const WordPlane& reference = pair.reference_words.planes.whole;
            if (reference.stride != task.reference.whole.stride) {
                stop();
                return false;
            }
            const WordPlane& current = pair.current_words.planes.whole;
            batch.picture[batch.count++] = {current.origin, reference.origin, current.stride};
        }
        task.predictors = queue_batch_predictors(requests, band, slots);
        task.found = found_.reserve(slots * requests.size());
        queue_batch(params, task, batch);
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
    const int border = reach_of(requests.front().params) + word_plane_margin;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const MotionRequest& request = requests[i];
        HeldPair& pair = held[i];
        pair.current = frames_->of(request.current);
        pair.reference = frames_->of(request.reference);
        pair.current_words = pair.current->words(*request.current, {word_plane_margin, 0}, ring_, upload_, compute_);
        pair.reference_words = pair.reference->words(*request.reference, {border, 0}, ring_, upload_, compute_);
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

void SearchWorkspace::queue_batch(const SearchParams& params, const SearchTask& task, const PictureBatch& batch) {
    FullSearchPlan plan = plan_batch(task, batch.count);
    place_lanes(plan);
    place_keys(task, plan);
    launch_full_sad_batch(task, plan.layout, plan.tile, batch, compute_.get());
    hand_over(compute_, finish_);
    launch_write_best(blocks_of_batch(task, batch.count), plan.layout, finish_.get());
    hand_over(finish_, compute_);
    if (params.precision > 1) launch_refine_batch(task, batch, params.precision, reach_of(params), finish_.get());
}

} // namespace tandem::cuda
