// SPDX-License-Identifier: BSD-2-Clause
// Everything that defines a motion search. A plain struct, constant during a search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem {

/// The limits of SearchParams, which arrays and options are made by.
inline constexpr int least_block_side = 4, largest_block_side = 128; ///< Samples.
inline constexpr int largest_range = 4080;                           ///< Pels.
inline constexpr int most_levels = 5;                                ///< Of a pyramid.
inline constexpr int most_level_candidates = 8;                      ///< That a level hands to the next.

/// Names a row of the table in search.h, by its place. Rows after these have values that nobody needs to name.
enum class Algorithm : std::uint8_t {
    full,
    three_step,
    logarithmic,
    diamond,
    hexagon,
    smpuhex,
    hierarchical,
    predictive,
    phase,
    given
};

/// What a block and its prediction are compared by; me/kernels/distortion.h defines each. zsad and ncc do not see
/// brightness, and are for measuring motion: an encode takes the others.
enum class Metric : std::uint8_t {
    sad,  ///< Sum of absolute differences.
    ssd,  ///< Sum of squared differences.
    satd, ///< Sum of absolute Hadamard-transformed differences.
    zsad, ///< Zero-mean SAD: differences from their mean.
    ncc,  ///< 65536 * (1 - the normalised correlation coefficient); the CPU alone has it.
};

/// Whether more or less light on one of two blocks changes how much they differ.
constexpr bool sees_brightness(Metric metric) { return metric != Metric::zsad && metric != Metric::ncc; }

/// Whose samples a distortion sums. all: Y, Cb and Cr (colour MSE, as Bonanno); chroma of 4:2:0 moves by half the luma
/// vector, bilinear whatever the luma's interpolation: see chroma.h. The levels of a pyramid and phase correlation look
/// at luma alone; what they propose is measured on all planes.
enum class Planes : std::uint8_t { luma, all };

/// bilinear: at half-pel (a+b+1)>>1 and (a+b+c+d+2)>>2 (ISO/IEC 11172-2, 13818-2); finer positions by 64-weight
/// bilinear blending, rounded half up: see interpolation.h.
/// six_tap: luma interpolation of H.264 to 1/4 pel: see six_tap.h.
/// texture: bilinear by the texture units of a GPU, rounded as they do: a measured alternative that the CPU does not
/// have; pictures are predicted as with bilinear. See cuda/texture/texture.h.
enum class Interpolation : std::uint8_t { bilinear, six_tap, texture };

/// inside: the whole block with its interpolation footprint stays in the reference plane (of the six taps only the
/// inner two count; the outer ones read replicated samples, as in H.264). padded: the reference plane's edge samples
/// replicate outside of it, without end.
enum class Boundary : std::uint8_t { inside, padded };

/// What a vector's rate is measured against.
enum class Predictor : std::uint8_t {
    zero, ///< The zero vector.
    hint, ///< The vector of the same block in MotionRequest::hint (zero where it has none).
    /// A first pass searches with `hint`, or zero where there is no hint; then the median of the neighbours' vectors of
    /// that pass (see search/neighbours.h) is the predictor of a second one.
    neighbours,
};

/// How the step of the logarithmic search falls.
enum class StepSequence : std::uint8_t {
    falling, ///< m, m - 1, ... 1, always the 8 neighbours (Mazaré, 2006).
    halving, ///< 4 neighbours; the step halves where the centre is the best of them (Jain and Jain, 1981).
};

/// Where a walk begins: tss, log, diamond, hexagon and smpuhex.
enum class Start : std::uint8_t {
    zero,       ///< At the better of zero and the predictor.
    predictors, ///< At the best of those two and the vectors that a coarse search of the whole picture found about the
                ///< block: see search/coarse_motion.h. As `predictive` always does.
};

/// Where a search takes its neighbours' vectors from.
enum class BlockOrder : std::uint8_t {
    passes, ///< From the pass before: blocks of one pass are independent.
    raster, ///< From the blocks of the same pass before this one, as the H.264 joint model does: one thread at work.
};

/// Pels, 4..128.
struct BlockSize {
    int width = 0, height = 0;
    bool operator==(const BlockSize&) const = default;
};

///     SearchParams params;
///     params.algorithm = Algorithm::full;
///     params.range_x = params.range_y = 32;
///     params.precision = 4;                            // Quarter-pel steps about the best whole position.
struct SearchParams {
    Algorithm algorithm = Algorithm::full;
    int block_width = 16;  ///< Pels, 4..128. Blocks at the right and bottom edge are cut to the picture.
    int block_height = 16; ///< Pels, 4..128.
    int range_x = 16;      ///< Pels, 0..4080: integer vectors -range..+range. Where a search begins at predictors
                           ///< (begins_at_predictors()) it is the reach about those, and vector_limits() bound vectors.
    int range_y = 16;      ///< Pels, 0..4080.
    int farthest_x = largest_range; ///< Pels, 0..4080: no vector of a search that begins at predictors is longer,
    int farthest_y = largest_range; ///< whatever the picture's size allows.
    int precision = 1; ///< Positions per pel: 1, 2, 4 or 8. Above 1, the best integer candidates are refined.
    int grid = 1;      ///< Positions per pel of a full search over its whole range: 1, 2, 4 or 8, at most precision.
    Interpolation interpolation = Interpolation::bilinear;
    Metric metric = Metric::sad;
    Planes planes = Planes::luma;
    Boundary boundary = Boundary::inside;
    Predictor predictor = Predictor::zero;
    std::uint32_t lambda_q8 = 0; ///< Distortion per bit times 256, 0..2^24. 0: distortion alone.
    int rate_unit = 4;           ///< Eighth-pels per coded step of a vector: 8, 4, 2 or 1. MPEG codes half-pels: 4.
    std::uint32_t null_threshold =
        0;                        ///< A block whose distortion at zero is at most this keeps zero, unsearched. 0: off.
    std::uint32_t null_level = 0; ///< The same per sample of the block's luma: at most null_level * width * height
                                  ///< (Massanes et al. 2011, eq. 4, with 4). 0: off, to 65535.
    std::uint32_t null_gain = 0;  ///< Zero wins unless a vector lowers the distortion by more than null_gain per
                                  ///< sample of luma. 0: off, to 65536.
    int candidates = 1;           ///< K, 1..16: distinct candidates kept per block, best first. Zero is always among
                                  ///< them where K > 1, and the predictor where K > 2.
    bool brute_force = false;     ///< Full search measures every position, as a check of the elimination that finds the
                                  ///< same field without.
    bool eliminate_always = false; ///< Full search eliminates even where measuring everything is faster: a check too.

    Start start = Start::zero; ///< tss, log, diamond, hexagon, smpuhex; zero for others.
    int first_step = 0;        ///< three_step, logarithmic: pels, 0..4080; 0: as the range needs.
    StepSequence step_sequence = StepSequence::falling; ///< logarithmic.

    std::uint32_t smpuhex_converged = 1000; ///< smpuhex: below this cost, the search ends. For 256 samples.
    std::uint32_t smpuhex_wide = 800; ///< Above this cost, the wide patterns are tried; blocks of 256 samples or more.
    std::uint32_t smpuhex_wide_small = 7000;     ///< The same for smaller blocks, for 256 samples.
    int passes = 2;                              ///< smpuhex: 1..4 passes; the first has no neighbours.
    BlockOrder block_order = BlockOrder::passes; ///< smpuhex.

    int wide_range = 0; ///< predictive: pels about the best vector, 0..4080, within which the block's own samples
                        ///< of quarter size are searched (in steps of 4 pels, rounded up); where much is left then,
                        ///< the same about zero, and of drawn blocks every vector there (levels/wide_rules.h).
                        ///< 0: off.
    int levels = 3;     ///< hierarchical: sizes of the pyramid, 1..5: 3 is full, half and quarter size.
    int level_candidates = 4; ///< hierarchical: best vectors that each level hands to the next, 1..8.

    int phase_window = 32;  ///< phase: side of the windows, pels of their layer: 16, 32, 64, 128 or 256.
    int phase_layers = 1;   ///< phase: sizes of the pyramid, 1..4: 3 is full, half and quarter size.
    bool phase_hann = true; ///< phase: windows fade to their edges.
    int phase_peaks = 4;    ///< phase: highest peaks that are measured, 1..16; at least `candidates` are.

    bool operator==(const SearchParams&) const = default;
    /// Every problem as a sentence naming the value and the limit; empty when the parameters are good.
    std::vector<std::string> validate() const;
};

/// Whether the search begins at vectors found in a coarse search of the whole picture: `predictive` and walks that are
/// told so.
bool begins_at_predictors(const SearchParams& params);

/// The longest vectors of a search in pels, in pictures of a size: +-range, or, where it begins at predictors, what is
/// plausible from one picture to another: a quarter of its width and of its height, at least 255 pels across and 127 up
/// and down where the picture is so large, and never more than SearchParams::farthest_x and _y.
struct VectorLimits {
    int x = 0, y = 0;
};
VectorLimits vector_limits(const SearchParams& params, int width, int height);

} // namespace tandem
