// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/full/full_search_plan.h"

#include <algorithm>
#include <bit>

#include "cuda/full/by_metric.h"
#include "cuda/full/chunks.h"
#include "me/null_rules.h"

namespace tandem::cuda {

namespace {

/// A chunk's sums and rates fit into 48 KiB of shared memory.
constexpr int most_rates_of_tile = 4096; ///< Of 8 bytes.
constexpr int most_rates_of_several = 2048;
/// Warps of several pictures that are searched together: the last round of groups of threads, which leaves part of a
/// device idle, is then one of several.
constexpr int batch_warps = 4 * wanted_warps;
/// Larger pictures fill a device alone, but each launch leaves part of it idle for some microseconds at both ends: a
/// few share them while that is still a good part of their time.
constexpr int sharing_warps = 60'000, sharing_pictures = 8;

int words_of(int width) { return width > 8 ? 4 : width > 4 ? 2 : 1; }
int rows_of(int height) { return height > 8 ? 16 : height > 4 ? 8 : 4; }

/// For blocks of several tiles that are wide: smaller tiles, which take a tenth longer, where larger ones would hang
/// over by more than that.
int rows_of_tiles(int height) {
    if (height <= 8) return rows_of(height);
    return 9 * parts(height, 16) * 16 > 10 * parts(height, 8) * 8 ? 8 : 16;
}

/// Samples of the reference that a group of threads keeps for products of matrices, beside most_rates_of_several.
constexpr int most_correlation_bytes = 28 * 1024;

/// Rows of vectors for which they suffice.
int most_correlation_rows(const SearchTask& task) {
    return (most_correlation_bytes / correlation_pitch(task) - std::max(rows_of(task.block_height), 8)) / 8 * 8;
}

bool runs_on_matrices(const SearchTask& task) {
    return task.metric == Metric::ssd && task.grid_shift == 0 && task.block_width <= 16 && task.block_height <= 16 &&
           most_correlation_rows(task) >= least_chunk_rows;
}

/// Where they are faster than sweeps, as measured (docs/measurements/motion-gpu.md): half of a matrix is of use for
/// blocks 16 samples wide, less for smaller ones, and short searches are over before the sums of squares have paid.
bool gains_by_matrices(const SearchTask& task) {
    constexpr int least_range = 24, least_blocks = 1024;
    return task.block_width > 8 && task.block_height > 8 && task.range_x >= least_range &&
           task.range_y >= least_range && task.columns * task.rows >= least_blocks;
}

/// Columns of vectors that a block at x may use.
int vector_columns(const SearchTask& task, int x) {
    int pels = 2 * task.range_x;
    if (!task.padded) {
        const int width = std::min(task.block_width, task.picture_width - x);
        pels = std::min(task.range_x, x) + std::min(task.range_x, task.picture_width - x - width);
    }
    return pels * task.grid() + 1;
}

/// Neighbouring blocks share what is made of the reference, and fill warps better. No blocks where some are cut within
/// a stretch, where they are too high, or where even one takes too much memory.
SatdGroups satd_groups(const SearchTask& task) {
    SatdGroups best;
    if ((task.block_width | task.block_height | task.picture_width | task.picture_height) % 4 != 0 ||
        task.block_height > most_satd_height)
        return best;
    const int columns = 2 * task.range_x + 1;
    const auto make = [&](int blocks, int of_column) {
        SatdGroups groups{blocks, parts(columns, of_column), of_column};
        groups.pitch = blocks * task.block_width + groups.columns - 4;
        return groups;
    };
    const auto fits = [&](const SatdGroups& groups) {
        return groups.threads() <= most_satd_threads && groups.shared_bytes(task) <= most_satd_bytes;
    };
    const auto threads_of_row = [&](const SatdGroups& groups) {
        return parts(task.columns, groups.blocks) * groups.threads();
    };
    int of_column = 1;
    while (!fits(make(1, of_column)) && of_column < columns)
        ++of_column;
    for (int blocks = 1; blocks <= (of_column > 1 ? 1 : task.columns) && fits(make(blocks, of_column)); ++blocks) {
        const SatdGroups groups = make(blocks, of_column);
        if (best.blocks == 0 || threads_of_row(groups) <= threads_of_row(best)) best = groups;
    }
    return best;
}

void choose_kernels(const SearchTask& task, Matrices matrices, FullSearchPlan& plan) {
    const bool wants_matrices =
        matrices == Matrices::everywhere || (matrices == Matrices::where_faster && gains_by_matrices(task));
    plan.tile = {words_of(task.block_width), rows_of(task.block_height)};
    const bool one_tile = task.block_width <= 16 && task.block_height <= 16;
    if (task.metric == Metric::satd) {
        plan.satd = satd_groups(task);
        plan.kind = plan.satd.blocks > 0 ? FullSearchPlan::Kind::satd : FullSearchPlan::Kind::any;
    } else if (!is_swept(task.metric)) {
        plan.kind = FullSearchPlan::Kind::any;
    } else if (wants_matrices && runs_on_matrices(task)) {
        plan.kind = FullSearchPlan::Kind::correlation;
    } else if (one_tile) {
        plan.kind = FullSearchPlan::Kind::sweep;
    } else {
        plan.kind = FullSearchPlan::Kind::sweep_tiles;
        if (task.block_width > 8) plan.tile.rows = rows_of_tiles(task.block_height);
        const int tiles = parts(task.block_width, 4 * plan.tile.words) * parts(task.block_height, plan.tile.rows);
        plan.tile_warps = std::min(tiles, several_tiles_warps);
    }
    plan.layout.settles = is_swept(task.metric) && task.candidates == 1 && !prefers_zero(task);
    plan.sweeps_stretches = is_swept(task.metric) && one_tile && task.candidates > 1;
    // One candidate needs one key per column. For more, the best stretches are searched again: small stretches mean
    // less work then, but more keys. Where warps share a group's stretches there are to be enough of them.
    const bool many = task.candidates > 1;
    plan.layout.stretch_rows = plan.kind == FullSearchPlan::Kind::sweep_tiles ? (many ? 4 : 16)
                               : !is_swept(task.metric)                       ? 16
                                                                              : (many ? 16 : 256);
}

/// `least`: the fewest columns of vectors of a block.
void place_rates(const SearchTask& task, int least, FullSearchPlan& plan) {
    FullSearchLayout& layout = plan.layout;
    const auto class_of = [](int steps) { return static_cast<int>(std::bit_width(static_cast<unsigned>(steps))); };
    if (task.predictors == nullptr) {
        layout.rate_rows = layout.rate_classes = class_of(eighths_per_pel * task.range_x >> task.rate_shift) + 1;
        return;
    }
    // From a to a + width steps there are the most lengths where a is 0; rounding adds a step.
    layout.rate_classes = class_of(((layout.key_columns - 1) * task.step() >> task.rate_shift) + 1) + 1;
    const int group = plan.kind == FullSearchPlan::Kind::sweep_tiles ? several_tiles_lanes : full_search_workspaces;
    const int blocks = plan.kind == FullSearchPlan::Kind::correlation ? correlated_blocks : group / least + 2;
    layout.rate_rows = layout.rate_classes * std::min(plan.pictures * task.columns, blocks);
}

void place_lanes(const SearchTask& task, FullSearchPlan& plan) {
    int threads = 0, least = 2 * task.range_x * task.grid() + 1;
    const int columns = plan.pictures * task.columns;
    plan.first_thread.reserve(static_cast<std::size_t>(columns) + 1);
    for (int column = 0; column < columns; ++column) {
        const int count = vector_columns(task, column % task.columns * task.block_width);
        plan.first_thread.push_back(threads);
        plan.layout.key_columns = std::max(plan.layout.key_columns, count);
        least = std::min(least, count);
        threads += count;
    }
    plan.first_thread.push_back(threads);
    plan.layout.thread_count = threads;
    place_rates(task, least, plan);
}

void place_rows(const SearchTask& task, FullSearchPlan& plan) {
    FullSearchLayout& layout = plan.layout;
    // Of one fraction, at most.
    const int rows = task.padded ? 2 * task.range_y + 1 : std::min(2 * task.range_y + 1, task.picture_height);
    const bool correlates = plan.kind == FullSearchPlan::Kind::correlation;
    const int most_wide = plan.kind == FullSearchPlan::Kind::sweep ? most_rates_of_tile : most_rates_of_several;
    const int most_rates = task.metric == Metric::sad ? 2 * most_wide : most_wide;
    int most_rows = std::clamp(most_rates / layout.rate_rows - 1, 1, most_chunk_rows);
    if (correlates) most_rows = std::min(most_rows / 8 * 8, most_correlation_rows(task));
    const std::int64_t warps_of_row =
        correlates ? task.columns : std::int64_t{parts(layout.thread_count, 32)} * plan.tile_warps * task.grid();
    const std::int64_t warps = std::max<std::int64_t>(warps_of_row * task.rows, 1);
    const int chunks = enough_chunks(parts(rows, most_rows), rows, warps);
    layout.chunk_rows = parts(rows, chunks);
    if (correlates && chunks > 1) layout.chunk_rows = parts(layout.chunk_rows, 8) * 8;
    layout.chunk_stretches = StretchRows{layout.chunk_rows, layout.stretch_rows}.stretches();
    layout.chunks = parts(rows, layout.chunk_rows);
    layout.key_rows = task.grid() * layout.chunks * layout.chunk_stretches;
}

} // namespace

SearchTask part_of(const SearchTask& task, int first, int rows) {
    SearchTask part = task;
    const auto skipped = static_cast<std::size_t>(first) * static_cast<std::size_t>(task.columns);
    part.first_row += first;
    part.rows = rows;
    if (task.predictors != nullptr) part.predictors += skipped;
    if (task.found != nullptr) part.found += skipped * static_cast<std::size_t>(task.candidates);
    return part;
}

FullSearchPlan plan_full_search(const SearchTask& task, std::size_t most_keys, Matrices matrices) {
    FullSearchPlan plan;
    choose_kernels(task, matrices, plan);
    place_lanes(task, plan);
    place_rows(task, plan);
    const auto rows = static_cast<std::size_t>(std::max(task.rows, 1));
    plan.rows_at_once = static_cast<int>(rows);
    if (!plan.layout.settles) {
        plan.keys_per_row = static_cast<std::size_t>(task.columns) * static_cast<std::size_t>(plan.layout.key_rows) *
                            static_cast<std::size_t>(plan.layout.key_columns);
        // A selected stretch is a key and its distortions.
        const std::size_t selected_stretches =
            plan.sweeps_stretches ? static_cast<std::size_t>(task.columns) * static_cast<std::size_t>(task.candidates)
                                  : 0;
        constexpr std::size_t keys_of_stretch = 1 + most_stretch_rows * sizeof(std::uint32_t) / sizeof(VectorKey);
        const std::size_t affordable =
            std::max<std::size_t>(most_keys / (plan.keys_per_row + selected_stretches * keys_of_stretch), 1);
        plan.rows_at_once = static_cast<int>(std::min(affordable, rows));
    }
    for (int first = 0; first < task.rows && plan.kind == FullSearchPlan::Kind::correlation;
         first += plan.rows_at_once) {
        const SearchTask part = part_of(task, first, std::min(plan.rows_at_once, task.rows - first));
        plan.correlation_bytes = std::max(plan.correlation_bytes, plan_correlation(part).bytes);
    }
    return plan;
}

bool can_batch(const SearchTask& task) {
    FullSearchPlan plan;
    choose_kernels(task, Matrices::none, plan);
    return plan.kind == FullSearchPlan::Kind::sweep && plan.layout.settles && task.metric == Metric::sad &&
           task.grid_shift == 0;
}

int most_pictures_of(const SearchTask& task) {
    constexpr int most_columns = 1 << (32 - place_column_bits);
    return std::clamp(most_columns / std::max(task.columns, 1), 1, most_pictures);
}

int pictures_at_once(const SearchTask& task) {
    if (!can_batch(task)) return 1;
    FullSearchPlan plan;
    place_lanes(task, plan);
    const std::int64_t warps = std::int64_t{parts(plan.layout.thread_count, 32)} * std::max(task.rows, 1);
    const std::int64_t sharing = std::min<std::int64_t>(sharing_pictures, sharing_warps / warps);
    const std::int64_t most = most_pictures_of(task);
    return static_cast<int>(std::clamp<std::int64_t>(std::max(batch_warps / warps, sharing), 1, most));
}

SearchTask blocks_of_batch(const SearchTask& task, int pictures) {
    SearchTask all = task;
    all.columns *= pictures * task.rows;
    all.first_row = 0;
    all.rows = 1;
    return all;
}

FullSearchPlan plan_batch(const SearchTask& task, int pictures) {
    FullSearchPlan plan;
    plan.pictures = pictures;
    choose_kernels(task, Matrices::none, plan);
    place_lanes(task, plan);
    place_rows(task, plan);
    plan.rows_at_once = task.rows;
    return plan;
}

namespace {

constexpr int square_margin = 64; ///< Positions beside those of vectors that matrices reach.

/// Positions first .. end - 1 along one side that whole blocks, or the cut one, may use: of blocks first_block ..
/// end_block - 1 of a side of the picture.
struct Reach {
    int size = 0, first = 0, end = 0;

    Reach(bool cut, int picture, int block, int range, int first_block, int end_block, bool padded) {
        const int whole = picture / block;
        const int begin = cut ? std::max(whole, first_block) : first_block;
        const int blocks_end = cut ? end_block : std::min(whole, end_block);
        if (begin >= blocks_end) return;
        size = cut ? picture - whole * block : block;
        first = begin * block - range;
        end = (blocks_end - 1) * block + range + 1;
        if (padded) return;
        first = std::max(first, 0);
        end = std::min(end, picture - size + 1);
    }
};

} // namespace

CorrelationMemory plan_correlation(const SearchTask& task) {
    CorrelationMemory memory;
    CorrelationPlanes& planes = memory.planes;
    const int end_row = task.first_row + task.rows, reach = task.padded ? 1 : 0;
    const auto rounded = [](int bytes) { return parts(bytes, 16) * 16; };
    planes.first_x = -rounded(reach * task.range_x);
    planes.pitch = rounded(task.picture_width + reach * task.range_x - planes.first_x + correlation_pitch(task));
    planes.first_y = std::max(task.first_row * task.block_height - task.range_y, -reach * task.range_y);
    planes.rows = std::min(end_row * task.block_height + task.range_y, task.picture_height + reach * task.range_y) +
                  24 - planes.first_y;
    memory.bytes = static_cast<std::size_t>(planes.pitch) * static_cast<std::size_t>(planes.rows);
    for (int i = 0; i < 4; ++i) {
        const Reach x((i & 1) != 0, task.picture_width, task.block_width, task.range_x, 0, task.columns, task.padded);
        const Reach y((i & 2) != 0, task.picture_height, task.block_height, task.range_y, task.first_row, end_row,
                      task.padded);
        if (x.size == 0 || y.size == 0) continue;
        SquareSums& squares = planes.squares[i];
        squares = {nullptr, x.first - 16, y.first, x.end - x.first + 16 + square_margin, y.end - y.first + 8,
                   0,       x.size,       y.size};
        squares.stride = rounded(squares.columns);
        squares.sums = reinterpret_cast<std::uint32_t*>(memory.bytes);
        memory.bytes +=
            sizeof(std::uint32_t) * static_cast<std::size_t>(squares.stride) * static_cast<std::size_t>(squares.rows);
    }
    return memory;
}

CorrelationPlanes CorrelationMemory::planes_in(void* memory) const {
    CorrelationPlanes placed = planes;
    const auto start = reinterpret_cast<std::uintptr_t>(memory);
    placed.samples = static_cast<std::uint8_t*>(memory);
    for (SquareSums& squares : placed.squares)
        squares.sums = reinterpret_cast<std::uint32_t*>(start + reinterpret_cast<std::uintptr_t>(squares.sums));
    return placed;
}

std::vector<std::uint32_t> lane_places(const std::vector<int>& first_thread) {
    std::vector<std::uint32_t> places;
    places.reserve(static_cast<std::size_t>(first_thread.back()));
    for (std::size_t block = 0; block + 1 < first_thread.size(); ++block) {
        const auto columns = static_cast<std::uint32_t>(first_thread[block + 1] - first_thread[block]);
        for (std::uint32_t column = 0; column < columns; ++column)
            places.push_back(static_cast<std::uint32_t>(block) << place_column_bits | column);
    }
    return places;
}

} // namespace tandem::cuda
