// SPDX-License-Identifier: BSD-2-Clause
// Full search of several block sizes in one pass: how macroblocks of 16x16 samples are parted, and how the search is
// cut into threads. Nothing here needs a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/requests/search_task.h"

namespace tandem::cuda {

inline constexpr int macroblock_side = 16;

/// Equal parts of a macroblock, numbered row by row after those of the shapes before.
struct PartShape {
    int width, height;
    int first; ///< Number of the first of them.

    TANDEM_HOST_DEVICE constexpr int columns() const { return macroblock_side / width; }
    TANDEM_HOST_DEVICE constexpr int count() const { return columns() * (macroblock_side / height); }
};
inline constexpr PartShape part_shapes[] = {{4, 4, 0},   {8, 4, 16},  {4, 8, 24},  {8, 8, 32},
                                            {16, 8, 36}, {8, 16, 38}, {16, 16, 40}};
inline constexpr int part_count = 41;
/// The parts without a side of 4 come last.
inline constexpr int first_large_part = 32;

/// Where a part lies in its macroblock.
struct Part {
    int x, y, width, height;
};
TANDEM_HOST_DEVICE constexpr Part part_of_number(int number) {
    PartShape shape{16, 16, 40};
    if (number < 16)
        shape = {4, 4, 0};
    else if (number < 24)
        shape = {8, 4, 16};
    else if (number < 32)
        shape = {4, 8, 24};
    else if (number < 36)
        shape = {8, 8, 32};
    else if (number < 38)
        shape = {16, 8, 36};
    else if (number < 40)
        shape = {8, 16, 38};
    const int place = number - shape.first;
    return {place % shape.columns() * shape.width, place / shape.columns() * shape.height, shape.width, shape.height};
}

/// Parts that cover the same rows of a macroblock have their vertical windows in common: four rows from 0, 4, 8 and 12
/// on, eight from 0 and 8 on, all.
inline constexpr int row_classes = 7;
TANDEM_HOST_DEVICE constexpr int row_class_of(int y, int height) {
    return height == 4 ? y / 4 : height == 8 ? 4 + y / 8 : 6;
}
struct RowsOfClass {
    int y, height;
};
TANDEM_HOST_DEVICE constexpr RowsOfClass rows_of_class(int number) {
    if (number < 4) return {4 * number, 4};
    return number < 6 ? RowsOfClass{8 * (number - 4), 8} : RowsOfClass{0, 16};
}

/// First and last displacement, in pels, of samples `at` .. `at + size - 1` of a side of the picture, cut to it; none
/// where they begin beyond it.
struct Displacements {
    int first, last;
    TANDEM_HOST_DEVICE constexpr int count() const { return last - first + 1; }
};
TANDEM_HOST_DEVICE constexpr Displacements displacements_of(int at, int size, int picture, int range, bool padded) {
    if (at >= picture) return {1, 0};
    if (padded) return {-range, range};
    const int left = picture - at - (size < picture - at ? size : picture - at);
    return {at < range ? -at : -range, left < range ? left : range};
}
/// What parts of a macroblock together may reach: the one that begins last, to the left, and the first, to the right.
TANDEM_HOST_DEVICE constexpr Displacements displacements_of_macroblock(int at, int picture, int range, bool padded) {
    const int parts = (picture - at + 3) / 4 < 4 ? (picture - at + 3) / 4 : 4;
    return {displacements_of(at + 4 * (parts - 1), 4, picture, range, padded).first,
            displacements_of(at, 4, picture, range, padded).last};
}

/// Rows of vectors that a thread has under way together.
inline constexpr int rows_together = 4;
inline constexpr int sizes_lanes = 128;
/// Words of a macroblock's samples in shared memory, with some for the sake of its banks.
inline constexpr int macroblock_words = 64 + 4;

/// The task's blocks are macroblocks.
struct SizesLayout {
    const std::uint32_t* thread_places = nullptr; ///< Each thread's place, as of FullSearchLayout.
    int thread_count = 0;
    int chunks = 1;
    int chunk_rows = rows_together; ///< Rows of vectors in a chunk: a multiple of rows_together, at most 240.
    int rate_classes = 1;           ///< As of FullSearchLayout.
    int macroblocks = 1;            ///< Of a group of threads, at most.
    VectorKey* best = nullptr;      ///< part_count per macroblock; no_vector_key before the search.

    /// Addends of a row of rates: whole loads of four, and rows on different banks.
    TANDEM_HOST_DEVICE constexpr int rate_row_length() const { return 4 * (chunk_rows / 4 | 1); }
    /// Bytes of shared memory: samples, addends, the row of each rank.
    TANDEM_HOST_DEVICE constexpr int shared_bytes() const {
        return 4 * (macroblocks * macroblock_words + rate_classes * row_classes * rate_row_length()) + 256;
    }
};

struct SizesPlan {
    bool small_parts = false;      ///< Some of the sizes have a side of 4.
    std::vector<int> first_thread; ///< As of FullSearchPlan.
    SizesLayout layout;            ///< But for the addresses.
};

/// A field to be filled: the blocks of one size.
struct SizedField {
    int first_part = 0; ///< PartShape::first of its size.
    int columns = 0, rows = 0;
    Candidate* found = nullptr;
};
/// Where in SizesLayout::best the key of a block of the field is; `task`: that of the macroblocks.
TANDEM_HOST_DEVICE constexpr std::size_t number_of_part(const SearchTask& task, const SizedField& field, int block) {
    const Part first = part_of_number(field.first_part);
    const int row = block / field.columns, x = (block - row * field.columns) * first.width, y = row * first.height;
    const int macroblock = y / macroblock_side * task.columns + x / macroblock_side;
    const int place =
        y % macroblock_side / first.height * (macroblock_side / first.width) + x % macroblock_side / first.width;
    return static_cast<std::size_t>(macroblock) * part_count + static_cast<std::size_t>(field.first_part + place);
}
inline constexpr int most_sizes = 8;
struct SizedFields {
    SizedField field[most_sizes];
    int count = 0;
};

/// The shape of this size; null where macroblocks are not parted so.
const PartShape* find_shape(const BlockSize& size);

/// Whether one pass finds fields of these sizes: from two to most_sizes that are shapes, full search by SAD on the
/// whole-pel grid, one candidate that nothing replaces, predictors that are zero.
bool sizes_in_one_pass(const SearchParams& params, bool has_hint, std::span<const BlockSize> sizes);

/// `task`: that of the macroblocks.
SizesPlan plan_sizes(const SearchTask& task, std::span<const BlockSize> sizes);

} // namespace tandem::cuda
