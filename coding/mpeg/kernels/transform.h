// SPDX-License-Identifier: BSD-2-Clause
// The arithmetic of one 8x8 block: difference, DCT, quantiser and their inverses, as a table of kernels per SIMD level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "bitstream/mpeg/mpeg_picture.h"
#include "machine/simd_level.h"

namespace tandem {

/// 64 values in raster order (row * 8 + column), 64-byte aligned.
struct alignas(64) Block {
    std::int16_t value[64];
};

/// Makes a block's 64 values 0. In halves: GCC clears 128 bytes at once by rep stos, which takes tens of cycles to
/// begin.
inline void clear_values(std::int16_t* values) {
    std::memset(values, 0, 32 * sizeof *values);
    std::memset(values + 32, 0, 32 * sizeof *values);
}

inline constexpr int coefficient_scale = 8; ///< Forward coefficients are in eighths of the standard's units.

/// One matrix at one quantiser scale, made ready for the kernels by make_quantiser().
/// Forward, for every coefficient i:
///   sum = min(2 * |c| + bias[i], 65535); level = sign(c) * min(((sum * reciprocal[i]) >> 16) >> shift[i],
///   level_limit[i]).
/// 2 * |c| is in sixteenths of the standard's units, where one step of both reconstruction formulas (13818-2
/// clause 7.4.2.3: 2 * W * scale / 32) is exactly weight[i]. So level = floor((2 * |c| + bias) / weight): reciprocal is
/// 2^(16 + shift) / weight rounded up, with shift chosen to bring it into 32768..65535, and the division is exact for
/// sums up to 32767; above, a sum just below a multiple of weight may give the next level. (weight 1 uses 65535 and
/// loses one level of the many.)
struct alignas(64) Quantiser {
    std::uint16_t reciprocal[64];
    std::uint16_t bias[64];             ///< In sixteenths: rounding * weight / 64.
    std::uint16_t shift_multiplier[64]; ///< 2^(16 - shift[i]), and 0 for shift 0: for lack of a variable shift.
    std::uint16_t shift[64];
    std::uint16_t weight[64];      ///< matrix[i] * scale, for the inverse.
    std::uint16_t level_limit[64]; ///< At most largest_level, and but for DC no level that saturates().
    std::int16_t largest_level;    ///< That there is a code for: 2047 (MPEG-2) or 255 (MPEG-1).
    bool intra;
    bool mpeg1;        ///< Oddification (11172-2 2.4.4) instead of mismatch control (13818-2 7.4.4).
    int dc_multiplier; ///< Intra DC: 8, 4, 2, 1 for intra_dc_precision 8..11.
    bool vanishes;     ///< Some levels other than 0 are rebuilt as 0: see rebuilds_nothing().
    /// A non-intra block of values whose squares sum up to at most this has no level but 0: its DCT need not be
    /// computed.
    std::uint32_t zero_energy;
};

/// `scale` is the value of quantiser_scale in MPEG-2's units (linear type: 2 * code; MPEG-1: 2 * code).
/// `rounding` in 1/64 of a step, 0..32: what is added to |c| / step before it is cut to a level (32: nearest, 0: widest
/// dead zone).
Quantiser make_quantiser(const QuantiserMatrix& matrix, int scale, bool intra, bool mpeg1, int intra_dc_precision,
                         int rounding);

/// Whether a level of coefficient i (raster order) that is not 0 is rebuilt as 0. It had better not be coded: it costs
/// bits for nothing, and in MPEG-1 decoders disagree about it (11172-2 clause 2.4.4 leaves 0 alone, FFmpeg and libmpeg2
/// make it odd as they do any even number).
TANDEM_HOST_DEVICE inline bool rebuilds_nothing(int level, const Quantiser& quantiser, std::size_t i) {
    return (2 * (level < 0 ? -level : level) + (quantiser.intra ? 0 : 1)) * quantiser.weight[i] < 32;
}

/// Whether a level of coefficient i is rebuilt beyond +-2047, where decoders saturate it and FFmpeg's does not. Of an
/// inter block's DC that does not show if it is alone: all samples are black or white all the same.
TANDEM_HOST_DEVICE inline bool saturates(int level, const Quantiser& quantiser, std::size_t i) {
    return (2 * (level < 0 ? -level : level) + (quantiser.intra ? 0 : 1)) * quantiser.weight[i] >= 2048 * 32;
}

/// The value of quantiser_scale for a code, in MPEG-2's units: 2 * code, or table 7-6 for the non-linear type.
int quantiser_scale(int code, bool non_linear);

/// The levels that a trellis chooses between, for up to 64 coefficients in any order. weigh_levels() fills in the
/// costs, each what the level adds to the squared error of 0, in squared eighths: mostly negative. Entries may be
/// written up to the next multiple of 8.
struct alignas(64) LevelChoices {
    std::int32_t coefficient[64]; ///< In eighths.
    std::int32_t weight[64];      ///< The quantiser's, for this coefficient.
    std::int32_t level[64];       ///< Magnitude, 1 at least: the nearest one or one above it, then
                                  ///< made the one below where that is no worse and not 0.
    std::int32_t level_cost[64];
    std::int32_t below_cost[64]; ///< Of the level below; INT32_MAX where that is 0.
};

/// Every kernel of every level is equal bit for bit to the scalar one. No function allocates. Strides in samples.
struct TransformKernels {
    SimdLevel level;

    /// out = a - b over 8x8; returns the sum of their squares.
    std::uint32_t (*difference)(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                                std::ptrdiff_t b_stride, Block& out);
    /// The same of the two blocks that lie beside each other in 16x8 samples: `out` and `energies` are of two.
    void (*difference_of_two)(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                              std::ptrdiff_t b_stride, Block* out, std::uint32_t* energies);
    /// Of values -255..255, which are the sum of four parts, symmetric or antisymmetric across and down: four times the
    /// largest sum of squares that one of the parts has. A coefficient comes of one part alone, so that four times its
    /// square is not more than this.
    std::uint32_t (*largest_part)(const Block& values);
    /// out = a over 8x8 (an intra block: no level shift, as the standards have it).
    void (*widen)(const std::uint8_t* a, std::ptrdiff_t a_stride, Block& out);
    /// Values -255..255 to coefficients in eighths, within 0.9 of an eighth of the real-valued DCT (on the root mean
    /// square 0.29, which is what rounding to eighths makes by itself).
    void (*forward_dct)(const Block& values, Block& coefficients);
    /// Coefficients -2048..2047 (standard units) to values, not clipped (all int16 input is safe: the result
    /// saturates). Passes IEEE 1180-1990; computed in float, so nearly always the rounded real-valued inverse (halves
    /// to even).
    void (*inverse_dct)(const Block& coefficients, Block& values);
    /// Levels in raster order; returns the mask of those that are not zero (bit = raster index).
    /// Intra: value[0] is DC / (8 * dc_multiplier) to the nearest (halves up), cut to 0..2^intra_dc_precision - 1,
    /// and bit 0 is not set.
    std::uint64_t (*quantise)(const Block& coefficients, const Quantiser& quantiser, Block& levels);
    /// Puts levels from raster order into a scan order; returns the mask of those that are not zero, by scan position.
    /// `nonzero` is their mask by raster index. An intra block's DC may be missing in it and be in what is returned.
    /// Places of zeros may keep what they held.
    std::uint64_t (*scan_levels)(const Block& levels, std::uint64_t nonzero, bool alternate, std::int16_t* scanned);
    /// Levels (-2047..2047; 0 where not coded) to coefficients in standard units: reconstruction, saturation, and
    /// mismatch control or oddification.
    void (*dequantise)(const Block& levels, const Quantiser& quantiser, Block& coefficients);
    /// out = clamp(prediction + values) over 8x8; out may be prediction.
    void (*add_clamped)(const std::uint8_t* prediction, std::ptrdiff_t prediction_stride, const Block& values,
                        std::uint8_t* out, std::ptrdiff_t out_stride);
    /// out = clamp(values).
    void (*store_clamped)(const Block& values, std::uint8_t* out, std::ptrdiff_t out_stride);

    /// Sum and sum of squares of 16x16 samples: 256 * sum_of_squares - sum^2 is 65536 times their variance.
    void (*sums)(const std::uint8_t* samples, std::ptrdiff_t stride, std::uint32_t& sum, std::uint32_t& sum_of_squares);
    /// Sum of |sample - value| over 16x16 samples, value 0..255.
    std::uint32_t (*sum_abs_from)(const std::uint8_t* samples, std::ptrdiff_t stride, int value);

    /// See LevelChoices. Levels are rebuilt as by dequantise(), but for mismatch control; intra DC is not among them.
    void (*weigh_levels)(const Quantiser& quantiser, int count, LevelChoices& choices);
};

/// The kernels in force (simd_level()).
const TransformKernels& transform_kernels();
/// The kernels of each level this build has and this machine runs, scalar first: what tests walk.
std::span<const TransformKernels* const> all_transform_kernels();

} // namespace tandem
