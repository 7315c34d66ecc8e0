// SPDX-License-Identifier: BSD-2-Clause
// Several block sizes by one launch.
#include <algorithm>

#include "cuda/kernels.h"
#include "cuda/requests/request_task.h"
#include "cuda/requests/search_workspace.h"
#include "cuda/sizes/sizes_kernels.h"
#include "me/block.h"

namespace tandem::cuda {

void SearchWorkspace::search_sizes(const MotionRequest& request, std::span<MotionField> fields) {
    std::size_t blocks = 0;
    for (const MotionField& field : fields)
        blocks += field.all().size();
    // Held until the device is done with them.
    const auto current = frames_->of(request.current), reference = frames_->of(request.reference);
    HeldWords current_words, reference_words;
    try {
        current_words = current->words(*request.current, {word_plane_margin, 0}, ring_, upload_, compute_);
        reference_words = reference->words(*request.reference, {reach_of(request.params) + word_plane_margin, 0}, ring_,
                                           upload_, compute_);
        queue_sizes(request.params, current_words.planes.whole, reference_words.planes, found_.reserve(blocks), fields);
        Candidate* results = results_.reserve(blocks);
        copy_to_host(results, found_.data(), blocks * sizeof(Candidate), finish_);
        done_.record(finish_);
        done_.synchronise();
        for (MotionField& field : fields) {
            std::copy_n(results, field.all().size(), field.all().begin());
            results += field.all().size();
        }
    } catch (...) {
        stop();
        throw;
    }
}

void SearchWorkspace::queue_sizes(const SearchParams& params, const WordPlane& current, const WordPlanes& reference,
                                  Candidate* found, std::span<const MotionField> fields) {
    const int width = fields.front().picture_width(), height = fields.front().picture_height();
    const auto task_for = [&](const BlockSize& size) {
        SearchParams one = params;
        one.block_width = size.width;
        one.block_height = size.height;
        SearchTask task = task_of(one, width, height, {0, blocks_along(height, size.height)});
        task.current = current;
        task.reference = reference;
        return task;
    };
    std::vector<SearchTask> tasks;
    std::vector<BlockSize> sizes;
    SizedFields list;
    for (const MotionField& field : fields) {
        const BlockSize size = sizes.emplace_back(field.block_width(), field.block_height());
        list.field[list.count++] = {find_shape(size)->first, field.columns(), field.rows(), found};
        tasks.push_back(task_for(size));
        tasks.back().found = found;
        found += field.all().size();
    }
    const SearchTask macroblocks = task_for({macroblock_side, macroblock_side});
    SizesPlan plan = plan_sizes(macroblocks, sizes);
    place_lanes(plan.first_thread, plan.layout.thread_count);
    plan.layout.thread_places = thread_places_.data() + plan.first_thread.size();
    const std::size_t keys =
        static_cast<std::size_t>(macroblocks.rows) * static_cast<std::size_t>(macroblocks.columns) * part_count;
    plan.layout.best = keys_.reserve(keys);
    fill(plan.layout.best, 0xFF, keys * sizeof(VectorKey), compute_);
    launch_full_sizes(macroblocks, plan.layout, plan.small_parts, compute_.get());
    hand_over(compute_, finish_);
    launch_write_sizes(macroblocks, plan.layout, list, finish_.get());
    hand_over(finish_, compute_);
    for (std::size_t i = 0; i < tasks.size() && params.precision > 1; ++i)
        launch_refine(tasks[i], params.precision, reach_of(params), finish_.get());
}

} // namespace tandem::cuda
