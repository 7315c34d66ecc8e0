// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/sizes/sizes_plan.h"

#include <algorithm>
#include <bit>

#include "cuda/full/chunks.h"
#include "me/null_rules.h"

namespace tandem::cuda {

namespace {

constexpr int most_shared_bytes = 48 * 1024;

int rounded_up(int rows) { return parts(rows, rows_together) * rows_together; }

void place_lanes(const SearchTask& task, SizesPlan& plan) {
    int threads = 0, least = 2 * task.range_x + 1;
    for (int column = 0; column < task.columns; ++column) {
        const int count =
            displacements_of_macroblock(column * macroblock_side, task.picture_width, task.range_x, task.padded)
                .count();
        plan.first_thread.push_back(threads);
        least = std::min(least, count);
        threads += count;
    }
    plan.first_thread.push_back(threads);
    plan.layout.thread_count = threads;
    plan.layout.macroblocks = std::min(task.columns, sizes_lanes / least + 2);
}

void place_rows(const SearchTask& task, SizesPlan& plan) {
    SizesLayout& layout = plan.layout;
    // Of all parts of a macroblock together.
    const int rows =
        std::min(2 * task.range_y + 1, task.padded ? 2 * task.range_y + 1 : task.picture_height + macroblock_side);
    const auto fits = [&](int chunks) {
        layout.chunk_rows = rounded_up(parts(rows, chunks));
        return layout.chunk_rows <= most_chunk_rows && layout.shared_bytes() <= most_shared_bytes;
    };
    int chunks = 1;
    while (!fits(chunks))
        ++chunks;
    const std::int64_t warps = std::int64_t{parts(layout.thread_count, 32)} * std::max(task.rows, 1);
    fits(enough_chunks(chunks, rows, warps));
    layout.chunks = parts(rows, layout.chunk_rows);
}

} // namespace

const PartShape* find_shape(const BlockSize& size) {
    const auto* const found = std::ranges::find_if(
        part_shapes, [&](const PartShape& shape) { return shape.width == size.width && shape.height == size.height; });
    return found == std::end(part_shapes) ? nullptr : found;
}

bool sizes_in_one_pass(const SearchParams& params, bool has_hint, std::span<const BlockSize> sizes) {
    if (params.algorithm != Algorithm::full || params.metric != Metric::sad || params.grid != 1) return false;
    if (params.candidates != 1 || prefers_zero(params)) return false;
    if (params.interpolation != Interpolation::bilinear || params.planes != Planes::luma) return false;
    if (params.predictor == Predictor::neighbours || (params.predictor == Predictor::hint && has_hint)) return false;
    return sizes.size() >= 2 && sizes.size() <= std::size_t{most_sizes} &&
           std::ranges::all_of(sizes, [](const BlockSize& size) { return find_shape(size) != nullptr; });
}

SizesPlan plan_sizes(const SearchTask& task, std::span<const BlockSize> sizes) {
    SizesPlan plan;
    plan.small_parts =
        std::ranges::any_of(sizes, [](const BlockSize& size) { return size.width == 4 || size.height == 4; });
    place_lanes(task, plan);
    const auto steps = static_cast<unsigned>(eighths_per_pel * task.range_x >> task.rate_shift);
    plan.layout.rate_classes = static_cast<int>(std::bit_width(steps)) + 1;
    place_rows(task, plan);
    return plan;
}

} // namespace tandem::cuda
