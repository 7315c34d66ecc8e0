// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/requests/search_workspace.h"

#include <algorithm>

#include "cuda/kernels.h"
#include "cuda/requests/queue_search.h"
#include "cuda/requests/request_task.h"
#include "me/block.h"
#include "me/search.h"

namespace tandem::cuda {

namespace {

/// 256 MiB of keys.
constexpr std::size_t most_keys = std::size_t{1} << 25;

} // namespace

SearchWorkspace::SearchWorkspace(std::shared_ptr<DeviceFrames> frames) : frames_(std::move(frames)) {}

void SearchWorkspace::search(const MotionRequest& request, const BlockRows& band, MotionField& field) {
    const std::span<Candidate> slots = slots_of(field, band);
    if (slots.empty()) return;
    // Held until the device is done with them.
    const auto current = frames_->of(request.current), reference = frames_->of(request.reference);
    HeldWords current_words, reference_words;
    SearchPictures pictures;
    Texture texture;
    try {
        SearchTask task = task_of(request.params, field.picture_width(), field.picture_height(), band);
        const int reach = reach_of(request.params, task.picture_width, task.picture_height);
        current_words = current->words(*request.current, {word_plane_margin, 0}, ring_, upload_, compute_);
        const bool by_texture = request.params.interpolation == Interpolation::texture;
        reference_words =
            reference->words(*request.reference, {reach + word_plane_margin, by_texture ? 0 : task.grid_shift}, ring_,
                             upload_, compute_);
        task.current = current_words.planes.whole;
        task.reference = reference_words.planes;
        if (!request.start) {
            const PictureNeeds needs = needs_of(request.params, task.picture_width, task.picture_height);
            if (needs.levels > 0) {
                pictures.pyramids.current = current->levels(needs.levels, 0, upload_, compute_);
                pictures.pyramids.reference = reference->levels(needs.levels, reach, upload_, compute_);
            }
            if (needs.layers > 0) {
                pictures.layers.current = current->layers(needs.layers, upload_, compute_);
                pictures.layers.reference = reference->layers(needs.layers, upload_, compute_);
            }
        }
        if (by_texture) {
            pictures.layers.reference = reference->layers(1, upload_, compute_);
            texture = Texture(pictures.layers.reference.layers.layer[0]);
        }
        task.predictors = queue_predictors(request, band, field);
        task.found = found_.reserve(slots.size());
        Candidate* results = results_.reserve(slots.size());
        if (request.start) {
            copy_start(*request.start, band, field);
            std::ranges::copy(slots, results);
            queue_refinement(request.params, reach, task, results, slots.size());
        } else {
            queue_search(request.params, reach, task, pictures, texture);
        }
        copy_to_host(results, task.found, slots.size_bytes(), finish_);
        done_.record(finish_);
        done_.synchronise();
        std::copy_n(results, slots.size(), slots.begin());
    } catch (...) {
        stop();
        throw;
    }
}

void SearchWorkspace::stop() {
    upload_.drain();
    compute_.drain();
    finish_.drain();
    clean_blocks_ = 0;
}

void SearchWorkspace::queue_search(const SearchParams& params, int reach, const SearchTask& task,
                                   const SearchPictures& pictures, const Texture& texture) {
    SearchTask whole = task;
    const bool refines = params.precision > params.grid;
    if (refines) whole.null_gain = 0; // The refined vector is the one that must gain enough.
    const DeviceSearch& search = *device_search(params);
    if (search.queue != nullptr)
        search.queue(params, whole, pictures, memory_, compute_);
    else if (texture && params.grid > 1)
        queue_texture_search(whole, texture);
    else
        queue_full_search(whole);
    hand_over(compute_, finish_);
    if (!refines) return;
    if (texture)
        launch_texture_refine(task, params.precision, reach, texture.get(), finish_.get());
    else
        launch_refine(task, params.precision, reach, finish_.get());
}

void SearchWorkspace::queue_refinement(const SearchParams& params, int reach, const SearchTask& task,
                                       const Candidate* start, std::size_t count) {
    hand_over(compute_, finish_);
    copy_to_device(task.found, start, count * sizeof(Candidate), finish_);
    launch_refine(task, params.precision, reach, finish_.get());
}

void SearchWorkspace::queue_texture_search(const SearchTask& task, const Texture& texture) {
    const auto blocks = static_cast<std::size_t>(task.rows) * static_cast<std::size_t>(task.columns);
    VectorKey* best = best_.reserve(blocks);
    fill(best, 0xFF, blocks * sizeof(VectorKey), compute_);
    clean_blocks_ = 0;
    launch_texture_full(task, texture.get(), best, compute_.get());
}

const Mv* SearchWorkspace::queue_predictors(const MotionRequest& request, BlockRows band, const MotionField& field) {
    if (request.params.predictor == Predictor::zero || !request.hint) return nullptr;
    const int earlier = rows_searched_above(request.params, band.first);
    band.first -= earlier;
    const auto count = static_cast<std::size_t>(band.end - band.first) * static_cast<std::size_t>(field.columns());
    Mv* staged = predictor_staging_.reserve(count);
    copy_predictors(request.hint.get(), band, {staged, count});
    Mv* predictors = predictors_.reserve(count);
    copy_to_device(predictors, staged, count * sizeof(Mv), compute_);
    return predictors + static_cast<std::ptrdiff_t>(earlier) * field.columns();
}

void SearchWorkspace::hand_over(const Stream& earlier, Stream& later) {
    handed_over_.record(earlier);
    later.wait_for(handed_over_);
}

void SearchWorkspace::place_lanes(const std::vector<int>& first_thread, int thread_count) {
    if (placed_threads_ == first_thread) return;
    placed_threads_.clear();
    const std::size_t blocks = first_thread.size(), threads = static_cast<std::size_t>(thread_count);
    const std::vector<std::uint32_t> places = lane_places(first_thread);
    std::uint32_t* staged = place_staging_.reserve(blocks + threads);
    std::copy(first_thread.begin(), first_thread.end(), staged);
    std::copy(places.begin(), places.end(), staged + blocks);
    std::uint32_t* placed = thread_places_.reserve(blocks + threads);
    copy_to_device(placed, staged, (blocks + threads) * sizeof(std::uint32_t), compute_);
    placed_threads_ = first_thread;
}

void SearchWorkspace::place_lanes(FullSearchPlan& plan) {
    place_lanes(plan.first_thread, plan.layout.thread_count);
    plan.layout.first_thread = reinterpret_cast<const int*>(thread_places_.data());
    plan.layout.thread_places = thread_places_.data() + plan.first_thread.size();
}

void SearchWorkspace::place_keys(const SearchTask& task, FullSearchPlan& plan) {
    const std::size_t blocks = static_cast<std::size_t>(plan.rows_at_once) * static_cast<std::size_t>(task.columns) *
                               static_cast<std::size_t>(plan.pictures);
    FullSearchLayout& layout = plan.layout;
    if (layout.settles) {
        layout.best = best_.reserve(blocks);
        if (clean_blocks_ < blocks) {
            fill(layout.best, 0xFF, blocks * sizeof(VectorKey), compute_);
            clean_blocks_ = blocks;
        }
        return;
    }
    layout.keys = keys_.reserve(plan.keys_per_row * static_cast<std::size_t>(plan.rows_at_once));
    if (!plan.sweeps_stretches) return;
    const std::size_t stretches = blocks * static_cast<std::size_t>(task.candidates);
    layout.selected = selected_.reserve(stretches);
    layout.stretch_distortions = stretch_distortions_.reserve(stretches * most_stretch_rows);
}

void SearchWorkspace::queue_full_search(const SearchTask& task) {
    FullSearchPlan plan = plan_full_search(task, most_keys, frames_->matrices);
    place_lanes(plan);
    place_keys(task, plan);
    std::uint8_t* const correlation = correlation_.reserve(plan.correlation_bytes);
    for (int first = 0; first < task.rows; first += plan.rows_at_once) {
        const SearchTask part = part_of(task, first, std::min(plan.rows_at_once, task.rows - first));
        queue_full_sweep(part, plan, correlation, compute_);
        hand_over(compute_, finish_);
        queue_full_end(part, plan, finish_);
        hand_over(finish_, compute_);
    }
}

} // namespace tandem::cuda
