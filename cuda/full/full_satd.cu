// SPDX-License-Identifier: BSD-2-Clause
// Full search by SATD for blocks that cells of 4x4 samples make up. As in me/kernels/satd_rectangle.h the cells of the
// reference are transformed once, at every place, for all vectors and blocks that meet them, and
//   SATD = sum max(R, B) - 8 sum r - 8 sum b
// of the coefficients R of the reference and B of the block, and of the cells' first samples r and b. A group of
// threads searches neighbouring blocks, a column of vectors a thread, and goes down the reference: two rows of cells at
// a time, one in each half of a word, whose coefficients are raised so that none is negative.
#include "cuda/device/check.h"
#include "cuda/full/block_distortion.cuh"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

constexpr int cell_side = 4, quads = 4; ///< A cell has four times four coefficients.
constexpr std::uint32_t both_halves = 0x00010001;
constexpr int raised = 8 * 255;             ///< No coefficient but the lowest is less than minus that.
constexpr int raised_of_cell = 15 * raised; ///< The sum of 16 maxima fits 16 bits nevertheless.

/// The coefficients of two cells, in the halves of words.
struct TwoCells {
    std::uint32_t words[16];

    /// `sample(x, y)` has one of each.
    template <class Samples> __device__ explicit TwoCells(const Samples& sample) {
        int values[16]; // Sums and differences of both halves at once: the upper one lends to the lower one.
#pragma unroll
        for (int y = 0; y < cell_side; ++y) {
#pragma unroll
            for (int x = 0; x < cell_side; ++x)
                values[4 * y + x] = static_cast<int>(sample(x, y));
            hadamard4(values + 4 * y, 1);
        }
#pragma unroll
        for (int x = 0; x < cell_side; ++x)
            hadamard4(values + x, 4);
#pragma unroll
        for (int i = 0; i < 16; ++i)
            words[i] = static_cast<std::uint32_t>(values[i]) + (i > 0 ? raised * both_halves : 0);
    }
    /// To every `pitch`-th quad.
    __device__ void store(uint4* to, int pitch) const {
#pragma unroll
        for (int i = 0; i < quads; ++i)
            to[i * pitch] = make_uint4(words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]);
    }
};

__device__ std::uint32_t sample_of(std::uint32_t word, int x) { return word >> (8 * x) & 0xFF; }

/// The cells at a place of the reference and at the one below it.
__device__ TwoCells cells_of_reference(const WholeSamples& reference) {
    std::uint32_t rows[cell_side + 1];
#pragma unroll
    for (int y = 0; y <= cell_side; ++y)
        rows[y] = reference(0, y);
    return TwoCells([&](int x, int y) { return sample_of(rows[y], x) | sample_of(rows[y + 1], x) << 16; });
}

/// One group's place: neighbouring blocks, or a part of the columns of one block, at one fraction of the grid.
struct GroupPlace {
    int row, first_block, blocks; ///< Of blocks.
    int first_column, fraction;

    __device__ GroupPlace(const SearchTask& task, const SatdGroups& groups)
        : row(task.first_row + static_cast<int>(blockIdx.y)) {
        const int number = static_cast<int>(blockIdx.x);
        fraction = number & (task.grid() - 1);
        const int place = number >> task.grid_shift;
        first_block = place / groups.parts * groups.blocks;
        blocks = min(groups.blocks, task.columns - first_block);
        first_column = place % groups.parts * groups.columns;
    }
};

/// One of the group's blocks and the columns of vectors that the group searches of it.
struct PlacedBlock {
    BlockArea area;
    VectorArea vectors;
    int left;    ///< Where the first column puts the block's left edge, in the reference.
    int columns; ///< Perhaps none.

    __device__ PlacedBlock(const SearchTask& task, const SatdGroups& groups, const GroupPlace& place, int block)
        : area(block_area(task, min(place.first_block + block, task.columns - 1), place.row)),
          vectors(vector_area(task, area)), left(area.x + (vectors.min_x >> task.grid_shift) + place.first_column) {
        const int of_fraction = ((vectors.width() - place.fraction - 1) >> task.grid_shift) + 1;
        columns = block < place.blocks ? min(groups.columns, of_fraction - place.first_column) : 0;
    }
};

/// What a group of threads shares: coefficients of the blocks' cells (both halves the same), of two times two rows of
/// cells of the reference at `pitch` columns, and eight times these cells' first samples; and what each block's sums
/// have beside its SATD.
struct SharedCells {
    uint4 *blocks, *reference;
    std::uint32_t *firsts, *beside;
    int pitch, cells_across, cells_of_block;

    __device__ SharedCells(uint4* memory, const SearchTask& task, const SatdGroups& groups)
        : blocks(memory), pitch(groups.pitch), cells_across(task.block_width / cell_side),
          cells_of_block(cells_across * (task.block_height / cell_side)) {
        reference = blocks + groups.blocks * cells_of_block * quads;
        firsts = reinterpret_cast<std::uint32_t*>(reference + 2 * pitch * quads);
        beside = firsts + 2 * pitch;
    }

    __device__ void transform_blocks(const SearchTask& task, const GroupPlace& place) const {
        if (thread() < place.blocks) beside[thread()] = 0;
        __syncthreads();
        for (int i = thread(); i < place.blocks * cells_of_block; i += threads()) {
            const int block = i / cells_of_block, cell = i - block * cells_of_block;
            const int y = cell / cells_across, x = cell - y * cells_across;
            const BlockArea area = block_area(task, place.first_block + block, place.row);
            if (cell_side * x >= area.width || cell_side * y >= area.height) continue;
            const WholeSamples samples(task.current, area.x + cell_side * x, area.y + cell_side * y);
            const TwoCells cells([&](int u, int v) { return sample_of(samples(0, v), u) * both_halves; });
            cells.store(blocks + i * quads, 1);
            atomicAdd(beside + block, 8 * sample_of(samples(0, 0), 0) + raised_of_cell);
        }
    }
    /// From `samples` on, at the first `columns`: the rows of cells at 0 and 1, and at 2 and 3.
    __device__ void transform_reference(const WholeSamples& samples, int columns) const {
        for (int i = thread(); i < 2 * columns; i += threads()) {
            const int odd = i >= columns ? 1 : 0, x = i - odd * columns;
            const WholeSamples here(samples.origin + 2 * odd * samples.stride + x, samples.stride);
            cells_of_reference(here).store(reference + odd * quads * pitch + x, pitch);
            firsts[odd * pitch + x] = 8 * (sample_of(here(0, 0), 0) | sample_of(here(0, 1), 0) << 16);
        }
    }

  private:
    static __device__ int thread() { return static_cast<int>(threadIdx.x); }
    static __device__ int threads() { return static_cast<int>(blockDim.x); }
};

__device__ std::uint32_t sum_of_larger(const uint4& a, const uint4& b) {
    return __vmaxu2(a.x, b.x) + __vmaxu2(a.y, b.y) + __vmaxu2(a.z, b.z) + __vmaxu2(a.w, b.w);
}

/// Sums of two rows of vectors.
struct TwoSums {
    std::uint32_t upper = 0, lower = 0;
    __device__ void add(std::uint32_t halves) {
        upper += halves & 0xFFFF;
        lower += halves >> 16;
    }
};

/// Sums of a column of vectors for blocks of at most `most_down` rows of cells, four rows of vectors a slot. These meet
/// four rows of the reference's cells a turn: what has met the first y rows of the block stands in the y-th slot from
/// that for new ones on, and in the last slot it is complete.
template <int most_down> struct SlidingSums {
    TwoSums sums[2][most_down];

    /// A column of the reference's cells, at `there`, and a column of the block's, with slot 0's in the first row.
    __device__ void add(const SharedCells& shared, int there, const uint4* block, std::uint32_t wanted) {
        uint4 reference[2][quads];
        std::uint32_t firsts[2];
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
            for (int i = 0; i < quads; ++i)
                reference[odd][i] = shared.reference[(odd * quads + i) * shared.pitch + there];
            firsts[odd] = shared.firsts[odd * shared.pitch + there];
        }
#pragma unroll
        for (int slot = 0; slot < most_down; ++slot) {
            if ((wanted >> slot & 1) == 0) continue;
            std::uint32_t halves[2] = {};
#pragma unroll
            for (int i = 0; i < quads; ++i) {
                const uint4 quad = block[slot * shared.cells_across * quads + i];
                halves[0] += sum_of_larger(reference[0][i], quad);
                halves[1] += sum_of_larger(reference[1][i], quad);
            }
            sums[0][slot].add(halves[0] - firsts[0]);
            sums[1][slot].add(halves[1] - firsts[1]);
        }
    }
    /// Of the last slot's four rows.
    __device__ std::uint32_t complete(int row) const {
        const TwoSums& two = sums[row / 2][most_down - 1];
        return row % 2 == 0 ? two.upper : two.lower;
    }
    __device__ void move_up() {
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
            for (int slot = most_down - 1; slot > 0; --slot)
                sums[odd][slot] = sums[odd][slot - 1];
            sums[odd][0] = TwoSums{};
        }
    }
};

/// The keys of a column of vectors, cell by cell of its rows, which come one after another.
struct ColumnOfKeys {
    VectorKey* next; ///< Of the cell that is under way.
    int end = 0;     ///< Of its rows.
    int cell = -1;
    VectorKey best = no_vector_key;

    __device__ void see(int row, VectorKey key, const StretchRows& cells, int step) {
        if (row >= end) end += cells.rows_of(++cell);
        best = min(best, key);
        if (row + 1 < end) return;
        *next = best;
        next += step;
        best = no_vector_key;
    }
};

/// Groups of threads on a multiprocessor, by what their registers hold; fewer where the larger of two halves is
/// emulated.
constexpr int resident_groups(int most_down) {
#if __CUDA_ARCH__ >= 900
    return most_down > 8 ? 1 : most_down > 4 ? 2 : 3;
#else
    return most_down > 8 ? 1 : 2;
#endif
}

template <int most_down>
__global__ void __launch_bounds__(most_satd_threads, resident_groups(most_down))
    full_satd(const SearchTask task, const FullSearchLayout layout, const SatdGroups groups) {
    extern __shared__ uint4 memory[];
    const SharedCells shared(memory, task, groups);
    const GroupPlace place(task, groups);
    const PlacedBlock first(task, groups, place, 0), last(task, groups, place, place.blocks - 1);
    const RowRun chunk = chunk_of(task, layout, first.vectors, static_cast<int>(blockIdx.z));
    if (chunk.count <= 0) return;
    shared.transform_blocks(task, place);

    const int block = static_cast<int>(threadIdx.x) / groups.columns;
    const int column = static_cast<int>(threadIdx.x) - block * groups.columns;
    const PlacedBlock own(task, groups, place, block);
    const bool searches = column < own.columns;
    const int across = searches ? own.area.width / cell_side : 0, down = own.area.height / cell_side;
    const int block_column = min(place.first_block + block, task.columns - 1);
    const int key_column = ((place.first_column + column) << task.grid_shift) + place.fraction;
    const Mv predictor = predictor_of(task, block_column, place.row);
    const uint4* const slot_0 =
        shared.blocks + (block * shared.cells_of_block - (most_down - down) * shared.cells_across) * quads;
    ColumnOfKeys keys{keys_of(task, layout, block_column, place.row) + key_column +
                      static_cast<std::size_t>(blockIdx.z) * layout.chunk_stretches * layout.key_columns};

    WholeSamples reference(reference_at(task, first.left, first.area.y, {place.fraction, chunk.first_y}),
                           task.reference.whole.stride);
    const int span = last.left + last.columns + last.area.width - cell_side - first.left;
    const int last_four = (chunk.count - 1) / 4;
    SlidingSums<most_down> sums;
    for (int turn = 0; turn < last_four + down; ++turn, reference.origin += 4 * reference.stride) {
        __syncthreads();
        shared.transform_reference(reference, span);
        __syncthreads();
        std::uint32_t wanted = 0; // Slots.
#pragma unroll
        for (int slot = 0; slot < most_down; ++slot) {
            const int y = slot - (most_down - down), four = turn - y;
            wanted |= (y >= 0 && four >= 0 && four <= last_four ? 1u : 0u) << slot;
        }
        for (int x = 0; x < across; ++x)
            sums.add(shared, own.left - first.left + column + cell_side * x, slot_0 + x * quads, wanted);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int row = 4 * (turn - down + 1) + i;
            if (!searches || row < 0 || row >= chunk.count) continue;
            const Position position{own.vectors.min_x + key_column, chunk.first_y + (row << task.grid_shift)};
            std::uint32_t cost = sums.complete(i) - shared.beside[block];
            if (task.lambda_q8 != 0) cost = candidate_of(task, mv_of(task, position), predictor, cost).cost;
            keys.see(row, vector_key(cost, position.x, position.y), {chunk.count, layout.stretch_rows},
                     layout.key_columns);
        }
        sums.move_up();
    }
}

} // namespace

void launch_full_satd(const SearchTask& task, const FullSearchLayout& layout, const SatdGroups& groups,
                      cudaStream_t stream) {
    const int of_row = (task.columns + groups.blocks - 1) / groups.blocks * groups.parts * task.grid();
    const dim3 grid(static_cast<unsigned>(of_row), static_cast<unsigned>(task.rows),
                    static_cast<unsigned>(task.grid() * layout.chunks));
    const int down = task.block_height / cell_side;
    auto* const kernel = down > 8   ? full_satd<16>
                         : down > 4 ? full_satd<8>
                         : down > 2 ? full_satd<4>
                         : down > 1 ? full_satd<2>
                                    : full_satd<1>;
    kernel<<<grid, static_cast<unsigned>(groups.threads()), groups.shared_bytes(task), stream>>>(task, layout, groups);
    check_launch("full search by SATD");
}

} // namespace tandem::cuda
