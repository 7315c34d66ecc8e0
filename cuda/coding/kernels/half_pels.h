// SPDX-License-Identifier: BSD-2-Clause
// SADs of a macroblock at whole and half pels, four samples in a word.
#pragma once

#include "cuda/coding/coding_task.h"
#include "cuda/coding/kernels/lanes.h"
#ifdef __CUDACC__
#include "cuda/packed_arithmetic.cuh"
#endif

namespace tandem::cuda {

/// a0 - b0 of the bytes that begin at bit `shift`.
TANDEM_HOST_DEVICE inline int difference_of_bytes(std::uint32_t a, std::uint32_t b, int shift) {
    return static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
}
/// value(a0 - b0) + .. + value(a3 - b3) of four bytes each, and `sum`.
template <class Value>
TANDEM_HOST_DEVICE std::uint32_t add_by_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t sum, Value value) {
    for (int shift = 0; shift < 32; shift += 8)
        sum += static_cast<std::uint32_t>(value(difference_of_bytes(a, b, shift)));
    return sum;
}
/// Their absolute differences, and `sum`.
TANDEM_HOST_DEVICE inline std::uint32_t add_differences(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
#ifdef __CUDA_ARCH__
    return add_absolute_differences(a, b, sum);
#else
    return add_by_bytes(a, b, sum, [](int difference) { return difference < 0 ? -difference : difference; });
#endif
}
/// The squares of these differences, and `sum`.
TANDEM_HOST_DEVICE inline std::uint32_t add_squares(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
#ifdef __CUDA_ARCH__
    return add_squared_differences(a, b, sum);
#else
    return add_by_bytes(a, b, sum, [](int difference) { return difference * difference; });
#endif
}

/// (a + b + 1) >> 1 of each byte.
TANDEM_HOST_DEVICE inline std::uint32_t means_of(std::uint32_t a, std::uint32_t b) {
    return (a | b) - (((a ^ b) & 0xFEFEFEFEu) >> 1);
}

/// Bytes 0 and 2, or 1 and 3, of a word as two halves of 16 bits.
TANDEM_HOST_DEVICE inline std::uint32_t even_bytes(std::uint32_t word) { return word & 0x00FF00FFu; }
TANDEM_HOST_DEVICE inline std::uint32_t odd_bytes(std::uint32_t word) { return word >> 8 & 0x00FF00FFu; }

/// Two words of neighbours added byte by byte.
struct PairSums {
    std::uint32_t even, odd;
};
TANDEM_HOST_DEVICE inline PairSums pair_sums(std::uint32_t a, std::uint32_t b) {
    return {even_bytes(a) + even_bytes(b), odd_bytes(a) + odd_bytes(b)};
}
/// (a + b + c + d + 2) >> 2 of each byte, where the pairs are a + b and c + d.
TANDEM_HOST_DEVICE inline std::uint32_t means_of(PairSums above, PairSums below) {
    const std::uint32_t even = (above.even + below.even + 0x00020002u) >> 2 & 0x00FF00FFu;
    const std::uint32_t odd = (above.odd + below.odd + 0x00020002u) >> 2 & 0x00FF00FFu;
    return even | odd << 8;
}

/// Four bytes that begin `bytes` (1..3) bytes into `low`.
TANDEM_HOST_DEVICE inline std::uint32_t shifted(std::uint32_t low, std::uint32_t high, int bytes) {
    return low >> (8 * bytes) | high << (32 - 8 * bytes);
}

/// A macroblock's luma and the 18x18 samples about the block that a vector of whole pels names, as words.
struct LumaWindow {
    static constexpr int words = 5, rows = 18; ///< A row's words; samples from -1 on.
    std::uint32_t source[16][4];
    std::uint32_t window[rows][words];
};

/// The ring about a whole vector: index 4 is the centre, its neighbours at half-pels as in (dy + 1) * 3 + dx + 1.
inline constexpr int ring_positions = 9, ring_centre = 4;

TANDEM_HOST_DEVICE inline std::uint32_t word_at(const std::uint8_t* samples) {
    return samples[0] | static_cast<std::uint32_t>(samples[1]) << 8 | static_cast<std::uint32_t>(samples[2]) << 16 |
           static_cast<std::uint32_t>(samples[3]) << 24;
}

TANDEM_HOST_DEVICE inline void load_source(const Lanes& lanes, const CodingTask& task, int macroblock,
                                           LumaWindow& luma) {
    const std::uint8_t* at = task.source.plane[0] +
                             static_cast<std::ptrdiff_t>(task.top(macroblock)) * task.source.stride[0] +
                             task.left(macroblock);
    lanes.each(64, [&](int i) {
        luma.source[i / 4][i % 4] =
            word_at(at + static_cast<std::ptrdiff_t>(i / 4) * task.source.stride[0] + i % 4 * 4);
    });
}

TANDEM_HOST_DEVICE inline int limited(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

/// Loads the window about the vector (x, y) in whole pels. Samples outside of the picture are those of its edge, which
/// no position inside of it reads.
TANDEM_HOST_DEVICE inline void load_window(const Lanes& lanes, const CodingTask& task, const SamplePlanes& reference,
                                           int macroblock, int x, int y, LumaWindow& luma) {
    const int left = task.left(macroblock) + x - 1, top = task.top(macroblock) + y - 1;
    const int last_column = task.columns * 16 - 1, last_row = task.rows * 16 - 1;
    lanes.each(LumaWindow::rows * LumaWindow::words, [&](int i) {
        const std::uint8_t* row =
            reference.plane[0] +
            static_cast<std::ptrdiff_t>(limited(top + i / LumaWindow::words, 0, last_row)) * reference.stride[0];
        std::uint32_t word = 0;
        for (int k = 0; k < 4; ++k) {
            const int column = limited(left + i % LumaWindow::words * 4 + k, 0, last_column);
            word |= static_cast<std::uint32_t>(row[column]) << (8 * k);
        }
        luma.window[i / LumaWindow::words][i % LumaWindow::words] = word;
    });
}

/// One lane's share of the nine SADs: half a row.
TANDEM_HOST_DEVICE inline void add_ring_share(const LumaWindow& luma, int lane, std::uint32_t (&sums)[ring_positions]) {
    const int row = lane / 2, first = lane % 2 * 2;
    for (int i = first; i < first + 2; ++i) {
        std::uint32_t left[3], middle[3], right[3];
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t low = luma.window[row + k][i], high = luma.window[row + k][i + 1];
            left[k] = low;
            middle[k] = shifted(low, high, 1);
            right[k] = shifted(low, high, 2);
        }
        const std::uint32_t source = luma.source[row][i];
        const PairSums on_left[3] = {pair_sums(left[0], middle[0]), pair_sums(left[1], middle[1]),
                                     pair_sums(left[2], middle[2])};
        const PairSums on_right[3] = {pair_sums(middle[0], right[0]), pair_sums(middle[1], right[1]),
                                      pair_sums(middle[2], right[2])};
        sums[0] = add_differences(source, means_of(on_left[0], on_left[1]), sums[0]);
        sums[1] = add_differences(source, means_of(middle[0], middle[1]), sums[1]);
        sums[2] = add_differences(source, means_of(on_right[0], on_right[1]), sums[2]);
        sums[3] = add_differences(source, means_of(left[1], middle[1]), sums[3]);
        sums[4] = add_differences(source, middle[1], sums[4]);
        sums[5] = add_differences(source, means_of(middle[1], right[1]), sums[5]);
        sums[6] = add_differences(source, means_of(on_left[1], on_left[2]), sums[6]);
        sums[7] = add_differences(source, means_of(middle[1], middle[2]), sums[7]);
        sums[8] = add_differences(source, means_of(on_right[1], on_right[2]), sums[8]);
    }
}

/// SADs of the nine positions about a vector of whole pels. The source is loaded.
TANDEM_HOST_DEVICE inline void ring_sads(const Lanes& lanes, const CodingTask& task, const SamplePlanes& reference,
                                         int macroblock, int x, int y, LumaWindow& luma,
                                         std::uint32_t (&sads)[ring_positions]) {
    load_window(lanes, task, reference, macroblock, x, y, luma);
    lanes.add_up(
        32, [&](int lane, std::uint32_t(&sums)[ring_positions]) { add_ring_share(luma, lane, sums); }, sads);
    lanes.once([] {}); // The window may be loaded anew when all have read it.
}

/// The SAD of one vector, which keeps the macroblock inside of the picture, at whole or half pels.
TANDEM_HOST_DEVICE inline std::uint32_t sad_at(const Lanes& lanes, const CodingTask& task,
                                               const SamplePlanes& reference, int macroblock, Mv mv, LumaWindow& luma) {
    std::uint32_t sads[ring_positions];
    ring_sads(lanes, task, reference, macroblock, mv.x >> 3, mv.y >> 3, luma, sads);
    const bool right = (mv.x & 7) != 0, below = (mv.y & 7) != 0;
    return below ? (right ? sads[8] : sads[7]) : (right ? sads[5] : sads[4]);
}

} // namespace tandem::cuda
