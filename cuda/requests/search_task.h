// SPDX-License-Identifier: BSD-2-Clause
// What the kernels take: plain data with addresses in device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/vector_key.h"
#include "me/search_params.h"

namespace tandem::cuda {

/// A plane in device memory where word (x, y) holds the samples x .. x + 3 of row y, the first in the lowest byte: so
/// four samples at any position are one aligned load. Edge samples replicate into a border all around.
struct WordPlane {
    const std::uint32_t* origin = nullptr; ///< Word (0, 0).
    int stride = 0;                        ///< Words from a row to the next.
};

/// Word planes of a picture at every fraction of a grid: plane (fraction_y << grid_shift) + fraction_x lies that many
/// times `plane_words` behind the first, which is the picture itself.
struct WordPlanes {
    WordPlane whole;
    std::ptrdiff_t plane_words = 0;
    int grid_shift = 0; ///< log2 of the positions per pel: 0 to 3.
};

/// What lies around a plane beyond the farthest position that a search measures: kernels load up to a tile of 16 x 16
/// samples and the next few rows, and leave out what does not count.
inline constexpr int word_plane_margin = 32;

/// A search of block rows first_row .. first_row + rows - 1.
struct SearchTask {
    WordPlane current;
    WordPlanes reference; ///< Its grid is a multiple of the search's.
    int picture_width = 0, picture_height = 0;
    int block_width = 0, block_height = 0;
    int columns = 0; ///< Blocks in a row of blocks.
    int first_row = 0, rows = 0;
    int range_x = 0, range_y = 0; ///< Pels: the longest vectors (vector_limits()).
    int grid_shift = 0;           ///< log2 of the positions per pel.
    bool padded = false;
    Metric metric = Metric::sad;
    std::uint16_t null_level = 0; ///< This and the other two as me/null_rules.h has them.
    std::uint32_t lambda_q8 = 0;
    int rate_shift = 2; ///< log2 of SearchParams::rate_unit.
    std::uint32_t null_threshold = 0, null_gain = 0;
    int candidates = 1;
    const Mv* predictors = nullptr; ///< One per block from block row first_row on; null: all zero.
    Candidate* found = nullptr;     ///< `candidates` slots per block from block row first_row on.

    TANDEM_HOST_DEVICE constexpr int grid() const { return 1 << grid_shift; }               ///< Positions per pel.
    TANDEM_HOST_DEVICE constexpr int step() const { return eighths_per_pel >> grid_shift; } ///< Eighths per position.
};
// With 8 bytes more, sweeps were compiled otherwise and took 1 to 3 % longer on an H200.
static_assert(sizeof(SearchTask) == 128);

/// Pictures that one launch searches, all by the same task but for these: their planes, by picture. Of every other
/// array of the task and the layout, whose elements belong to blocks, each picture's part follows that of the one
/// before it.
inline constexpr int most_pictures = 32;
struct PictureBatch {
    struct Picture {
        const std::uint32_t* current = nullptr; ///< Word (0, 0).
        const std::uint32_t* reference = nullptr;
        int current_stride = 0; ///< The reference's is the task's.
    };
    int count = 0;
    Picture picture[most_pictures];
};

/// A column of blocks of a batch, whose pictures stand side by side in a row of blocks.
struct BatchColumn {
    int picture, column; ///< Of the picture's own.

    TANDEM_HOST_DEVICE constexpr BatchColumn(const SearchTask& task, int batch_column)
        : picture(batch_column / task.columns), column(batch_column - picture * task.columns) {}
    /// The number of its block in a row of blocks among all of the batch.
    TANDEM_HOST_DEVICE constexpr std::size_t block_number(const SearchTask& task, int row) const {
        const int of_picture = (row - task.first_row) * task.columns + column;
        return static_cast<std::size_t>(picture * task.rows * task.columns + of_picture);
    }
};

/// A tile of samples that one thread holds in registers.
struct SweepTile {
    int words; ///< 1, 2 or 4: of four samples.
    int rows;  ///< 4, 8 or 16.
    bool operator==(const SweepTile&) const = default;
};

/// Columns of vectors that a group of threads searches: of blocks that fit into a tile, and of larger ones, where up to
/// so many warps share the tiles.
inline constexpr int full_search_workspaces = 128;
inline constexpr int several_tiles_lanes = 32;
inline constexpr int several_tiles_warps = 8;

/// A thread's place, a column of vectors of a row of blocks: the block's column and the number of the vectors' column
/// in the block in one word, the latter in the low bits.
inline constexpr int place_column_bits = 17;

/// Room for the distortions of a stretch that is searched again; a stretch of 16 rows has at most 30.
inline constexpr int most_stretch_rows = 32;

/// How a full search is cut, and where it keeps what its kernels give one another. The rows of a column of vectors that
/// share a fraction of the grid are searched in chunks of neighbouring ones, and a chunk's keys are those of its
/// stretches. A block has `key_rows` x `key_columns` keys, of which it uses as many as it has columns of vectors and
/// stretches in them.
struct FullSearchLayout {
    const int* first_thread = nullptr;            ///< columns + 1 numbers: threads before those of each block of a row.
    const std::uint32_t* thread_places = nullptr; ///< Each thread's place.
    int thread_count = 0;
    int chunks = 1;          ///< Of each fraction, at most.
    int chunk_rows = 0;      ///< Rows of vectors in a chunk, which one thread searches: at most 255.
    int stretch_rows = 0;    ///< Rows of a stretch (StretchRows).
    int chunk_stretches = 0; ///< Stretches of a chunk, at most.
    int rate_classes = 1;    ///< Code lengths of the horizontal components of a block's vectors, at most.
    int rate_rows = 1;       ///< Those of all blocks with predictors of their own in a group of threads, at most.
    /// Addends of a row of rates; odd, so that threads with different rows read from different banks.
    TANDEM_HOST_DEVICE constexpr int rate_row_length() const { return chunk_rows | 1; }
    int key_columns = 0;
    int key_rows = 0; ///< grid * chunks * chunk_stretches
    /// One candidate is wanted and nothing can replace it: there are no keys of stretches, but `best`.
    bool settles = false;
    VectorKey* keys = nullptr;                    ///< Of stretches.
    VectorKey* best = nullptr;                    ///< One per block; no_vector_key between searches.
    VectorKey* selected = nullptr;                ///< `candidates` per block: the best stretches.
    std::uint32_t* stretch_distortions = nullptr; ///< `most_stretch_rows` per selected stretch.
};

/// Full search by SSD as |a - b|^2 = |a|^2 + |b|^2 - 2ab, whose products are matrix products: what they read of the
/// reference. Each group of threads takes `correlated_blocks` neighbouring blocks of a row, a warp each.
inline constexpr int correlated_blocks = 4;
/// Columns of vectors of a matrix, and how many matrices a warp has under way.
inline constexpr int matrix_columns = 16;
inline constexpr int matrices_at_once = 2;

/// Sums of squares of the reference under a block of a size, by position.
struct SquareSums {
    std::uint32_t* sums = nullptr; ///< Of position (first_x, first_y).
    int first_x = 0, first_y = 0, columns = 0, rows = 0;
    int stride = 0;            ///< Sums from a row to the next.
    int width = 0, height = 0; ///< Of the block.
};
struct CorrelationPlanes {
    std::uint8_t* samples = nullptr; ///< Of the reference at (first_x, first_y).
    int first_x = 0, first_y = 0;    ///< A multiple of 16, as is the pitch.
    int pitch = 0, rows = 0;
    /// By whether the picture's edge cuts the block's width (1) and height (2). Those that there are not have no rows.
    SquareSums squares[4];
};

/// Bytes of a row of the samples that a group of threads keeps: an odd multiple of 16, for the sake of shared memory's
/// banks.
TANDEM_HOST_DEVICE constexpr int correlation_pitch(const SearchTask& task) {
    const int span = matrix_columns * matrices_at_once;
    const int columns = 2 * task.range_x + matrix_columns;
    const int bytes = (correlated_blocks - 1) * task.block_width + matrix_columns - 1 + (columns + span) / span * span +
                      2 * matrix_columns;
    return ((bytes + 15) / 16 | 1) * 16;
}

/// Full search by SATD: the columns of vectors that a group of threads searches, those of one fraction of the grid of
/// `blocks` neighbouring blocks, or of one of `parts` parts of a block's columns.
inline constexpr int most_satd_threads = 192, most_satd_bytes = 48 * 1024, most_satd_height = 64;
struct SatdGroups {
    int blocks = 0;  ///< None where a group's memory does not hold one.
    int columns = 0; ///< Of each block.
    int parts = 1;
    int pitch = 0; ///< Columns of the reference, at most.

    TANDEM_HOST_DEVICE constexpr int threads() const { return (blocks * columns + 31) / 32 * 32; }
    /// 16 words for each cell of the blocks, and two times 17 for each column of the reference.
    TANDEM_HOST_DEVICE constexpr std::size_t shared_bytes(const SearchTask& task) const {
        const int words = blocks * (task.block_width * task.block_height + 1) + 34 * pitch;
        return sizeof(std::uint32_t) * static_cast<std::size_t>(words);
    }
};

/// A pass of smpuhex (search/smpuhex.cpp); thresholds are for 256 samples.
struct SmpUHexPass {
    std::uint32_t converged = 0, wide = 0, wide_small = 0;
    int range = 0;                     ///< The longer one, in pels.
    const Candidate* before = nullptr; ///< What the pass before found, one per block; null: this is the first.
    int before_first_row = 0;          ///< The row of blocks that it begins with.
};

/// The pyramids of a hierarchical search; level 0 is the pictures themselves.
struct PyramidLevel {
    WordPlane current, reference;
    int width = 0, height = 0;
};
struct PyramidLevels {
    PyramidLevel level[most_levels];
    int count = 1;
    int candidates = 1; ///< That each level hands to the next.
};

/// The levels of a wide search (me/search/levels/wide_search.h), and how far it goes on the smallest of them.
struct WideLevels {
    PyramidLevels pyramid;
    int range = 0, range_about_zero = 0; ///< Samples of that level.
};

/// A level of the coarse search (me/search/levels/coarse_motion.h) and the cells of it that are searched. Their vectors
/// are in samples of the level.
struct CoarseLevel {
    PyramidLevel pictures;
    int number = 0;
    int limit_x = 0, limit_y = 0;   ///< Samples of the level.
    int columns = 0, rows = 0;      ///< Of cells in the picture.
    int first_row = 0, end_row = 0; ///< Of those that are searched.
    Position* found = nullptr;      ///< Of all cells; those of other rows are not written.
};

/// What a coarse search found: vectors of cells of half size, in samples of it. Without cells there was none.
struct CoarseCells {
    const Position* vectors = nullptr;
    int columns = 0, rows = 0;
};

} // namespace tandem::cuda
