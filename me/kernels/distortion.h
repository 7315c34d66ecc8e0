// SPDX-License-Identifier: BSD-2-Clause
// Block distortions, as a table of kernels per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "machine/simd_level.h"
#include "me/kernels/positions.h"
#include "me/search_params.h"

namespace tandem {

/// Distortion of two width x height blocks (1..128 each); strides in samples.
using BlockDistortion = std::uint32_t (*)(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                          std::ptrdiff_t b_stride, int width, int height);

/// Measures a rectangle of columns x rows positions, of which `reference` is the first, and writes those whose
/// distortion is at most limits[row], in any order; returns how many there are. A row whose limit is negative has none.
/// May read up to 64 bytes beyond what the block and the last position cover in a row, as every Plane allows. At most
/// 65536 columns or rows.
using RectangleWithin = int (*)(const std::uint8_t* current, std::ptrdiff_t current_stride,
                                const std::uint8_t* reference, std::ptrdiff_t reference_stride, int width, int height,
                                int columns, int rows, const std::int32_t* limits, MeasuredPosition* found);

/// Measures a rectangle of positions as RectangleWithin does, and writes all distortions, in rows `row_length` apart;
/// may write up to 63 elements beyond the end of the last, and anything between them.
template <class Distortion>
using AllOfRectangle = void (*)(const std::uint8_t* current, std::ptrdiff_t current_stride,
                                const std::uint8_t* reference, std::ptrdiff_t reference_stride, int width, int height,
                                int columns, int rows, Distortion* distortions, std::ptrdiff_t row_length);

/// Every kernel of every level equals the scalar one bit for bit.
struct DistortionKernels {
    SimdLevel level;
    std::string_view name; ///< "avx2 by vpsadbw".
    BlockDistortion sad;   ///< Sum of |a - b|.
    BlockDistortion ssd;   ///< Sum of (a - b)^2.
    /// Sum over 4x4 Hadamard blocks of (sum of |transformed difference| + 1) >> 1; what is left of a block beyond
    /// multiples of 4 counts as SAD.
    BlockDistortion satd;
    /// Sum of |a - b - m|, where m is the mean of a - b rounded to a whole number, halves up: a block that got brighter
    /// by some whole number everywhere differs by nothing.
    BlockDistortion zsad;
    /// 65536 * (1 - r), rounded, halves up: r is the correlation coefficient of the samples of a and of b (Pearson's;
    /// "normalised" or "zero-mean normalised cross-correlation"), -1 to 1. So 0 for b = p a + q with p > 0, 65536 where
    /// nothing is alike, 131072 for a negative. Where one block is flat r is 0, where both are it is 1.
    BlockDistortion ncc;
    BlockDistortion of(Metric metric) const {
        switch (metric) {
        case Metric::sad:
            return sad;
        case Metric::ssd:
            return ssd;
        case Metric::satd:
            return satd;
        case Metric::zsad:
            return zsad;
        case Metric::ncc:
            return ncc;
        }
        return nullptr;
    }
    /// SADs of one block against the blocks at `n` addresses, all with the reference's stride.
    void (*sad_many)(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* const* references,
                     std::ptrdiff_t reference_stride, int width, int height, int n, std::uint32_t* sads);
    /// SADs of one block at the 8 places one sample about a place of the reference, row by row. Returns a bit for each
    /// that is at most `most`, from bit 0 on.
    unsigned (*sads_about)(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* place,
                           std::ptrdiff_t reference_stride, int width, int height, std::uint32_t most,
                           std::uint32_t* sads);
    /// SAD of a block of 16x16 at a half pel: half_x and half_y, 0 or 1, right of and below a place of the reference.
    /// Half pels are (a + b + 1) >> 1 and (a + b + c + d + 2) >> 2.
    std::uint32_t (*half_pel_sad)(const std::uint8_t* current, std::ptrdiff_t current_stride,
                                  const std::uint8_t* reference, std::ptrdiff_t reference_stride, int half_x,
                                  int half_y);
    /// SADs of a block of 16x16 at a whole place of the reference and the 8 half pels about it, row by row: the place
    /// itself is the fifth. Returns a bit for each half pel whose SAD is at most that of the place and `more`.
    unsigned (*half_pel_sads)(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                              std::ptrdiff_t reference_stride, std::uint32_t more, std::uint32_t* sads);
    RectangleWithin sads_within, ssds_within, satds_within, zsads_within, nccs_within;
    RectangleWithin within(Metric metric) const {
        switch (metric) {
        case Metric::sad:
            return sads_within;
        case Metric::ssd:
            return ssds_within;
        case Metric::satd:
            return satds_within;
        case Metric::zsad:
            return zsads_within;
        case Metric::ncc:
            return nccs_within;
        }
        return nullptr;
    }
    AllOfRectangle<std::uint16_t> all_sads; ///< Of a block of at most 256 samples.
    AllOfRectangle<std::uint32_t> all_ssds;
    AllOfRectangle<std::uint16_t> all_satds; ///< Of a block of at most 128 samples.

    /// sad_many() by any metric.
    void many(Metric metric, const std::uint8_t* current, std::ptrdiff_t current_stride,
              const std::uint8_t* const* references, std::ptrdiff_t reference_stride, int width, int height, int n,
              std::uint32_t* distortions) const {
        if (metric == Metric::sad)
            return sad_many(current, current_stride, references, reference_stride, width, height, n, distortions);
        const BlockDistortion distortion = of(metric);
        for (int i = 0; i < n; ++i)
            distortions[i] = distortion(current, current_stride, references[i], reference_stride, width, height);
    }
};

/// Those in force: the last of the highest level that is allowed.
const DistortionKernels& distortion_kernels();
/// All that this machine runs, lowest level first.
std::span<const DistortionKernels* const> all_distortion_kernels();

} // namespace tandem
