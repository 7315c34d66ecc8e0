// SPDX-License-Identifier: BSD-2-Clause
// Everything a user can choose of an encode, as one plain struct. A new one is the preset medium, as the command's
// defaults are: see presets.h for others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/decision.h"
#include "encoder/adaptive_quantiser.h"
#include "encoder/lookahead/picture_types.h"
#include "encoder/rate/rate_settings.h"
#include "me/search_params.h"
#include "video/codec.h"
#include "video/frame.h"

namespace tandem {

enum class MotionReference : std::uint8_t {
    source, ///< Integer motion between source pictures, any number of pictures ahead; half-pel on the reconstruction.
    recon,  ///< Everything against the reconstruction.
};

/// By which table AC coefficients of intra blocks are coded: in each picture the one that makes it smaller, or always
/// the common one (B-14, MPEG-1's only one) or MPEG-2's other one (B-15).
enum class IntraTable : std::uint8_t { shorter, b14, b15 };

/// What a stream is made for: the standards of encoder/mpeg/compatibility.h.
enum class Compatibility : std::uint8_t { any, vcd, svcd, dvd, atsc, dvb };

/// A plain struct: every member has its default, validate() says what is wrong with the others.
///
///     Settings settings;
///     settings.bframes = 2;
///     settings.search.algorithm = Algorithm::hexagon;
///     for (const std::string& problem : settings.validate({352, 288}))
///         puts(problem.c_str());
struct Settings {
    Codec codec = Codec::mpeg2;
    Compatibility compatibility = Compatibility::any; ///< Whose limits validate() holds the settings to.

    int qp = 8;                                   ///< quantiser_scale_code of P pictures, 1..31.
    double ip_factor = 1.4;                       ///< qp of I pictures = qp / ip_factor, 0.1..10.
    double pb_factor = 1.3;                       ///< qp of B pictures = qp * pb_factor, 0.1..10.
    bool non_linear_quantiser = false;            ///< MPEG-2 q_scale_type.
    IntraTable intra_table = IntraTable::shorter; ///< MPEG-2 intra_vlc_format.
    bool alternate_scan = false;                  ///< MPEG-2.
    int intra_dc_precision = 8;                   ///< 8..11 (MPEG-1: 8); 11 needs MPEG-2's High Profile.
    /// Raster order; else usual_intra_matrix() and the standard's, which is 16 throughout.
    std::optional<QuantiserMatrix> intra_matrix, non_intra_matrix;
    int deadzone_intra = 5;   ///< 0..32, in 1/64 of a step: rounding is 32 - deadzone.
    int deadzone_inter = 32;  ///< 0..32. Non-intra levels are rebuilt at the middle of their interval: 32 is nearest.
    bool trellis = true;      ///< Rate-distortion optimal levels instead of the dead zones.
    int max_bitrate_kbps = 0; ///< The bit_rate declared in the stream, kbit/s, to 104856 in MPEG-1, 429496729 in
                              ///< MPEG-2; 0: variable (MPEG-1), the level's most (MPEG-2).

    RateSettings rate; ///< How bits are shared out; RateMode::quantiser: by qp and its factors.

    /// Pictures from one I picture to the next at most, 1..1024 (1: all intra). 120 is less than the 132 times after
    /// which a macroblock has to be intra anyhow, and 4 or 5 seconds for players that seek.
    int keyint = 120;
    int min_keyint = 0; ///< And at least, where a cut could come sooner: 0..keyint; 0: keyint / 10.
    int scenecut = 40;  ///< How readily cuts become I pictures: 0 (not looked for)..100.
    int bframes = 6;    ///< B pictures between anchors at most, 0..8.
    BAdapt b_adapt = BAdapt::paths;
    bool mbtree = true; ///< Quantisers by what the pictures ahead are predicted from (lookahead/importance.h).
    double mbtree_strength = 0.5; ///< 0..1, of Leanings::importance().
    /// 0..4, with mbtree: how much pictures that others are predicted from are filtered before they are coded
    /// (lookahead/temporal_filter.h).
    double temporal_filter = 1;
    AqMode aq_mode = AqMode::off; ///< Quantisers by the macroblock's texture (adaptive_quantiser.h).
    double aq_strength = 1;       ///< 0..3, of adaptive_factors().
    int plan_ahead = 40;          ///< Pictures that types and importance are decided by, 1..250.
    bool closed_gop = false;
    int slices = 0; ///< Per picture; 0: one per macroblock row. MPEG-2: at least the number of rows.

    Decision decision = Decision::rd;
    int intra_threshold = 0; ///< Added to the cost of intra per macroblock, in the decision's unit; -65536..65536.
    int intra_refresh = 132; ///< Times a macroblock may be coded before it is intra again, 1..132.

    /// The search with its parameters. Block, range, precision, interpolation, boundary, predictor, lambda, rate
    /// unit and null_level are the encoder's: see search_params(). candidates: 1..16; grid: 1 or 2; null_threshold: SAD
    /// of luma at zero of a macroblock that keeps zero, 0..65280; null_gain: SAD of luma per sample, 0..255.
    /// start counts for walks alone.
    SearchParams search{
        .algorithm = Algorithm::predictive, .candidates = 4, .start = Start::predictors, .wide_range = 60};
    /// Pels in each direction, 0..1023 (MPEG-1: 0..511); not set: the search's usual range. Of a search that begins at
    /// predictors it is the reach about those. Of others it is that of vectors from the next picture; from one further
    /// away as many times as far, up to 63 (see reach.h). MPEG-2's vectors go to 127 up and down.
    std::optional<int> range;
    MotionReference motion_reference = MotionReference::source;
    int lookahead = 0; ///< Pictures whose motion may be under way ahead of coding, 1..64; 0: what the threads can use.

    int threads = 0; ///< 0..1024; 0: all of the machine.
    /// EncodedPicture::decisions says what was decided of each picture. The stream is the same; pictures are coded on
    /// the CPU, which alone can tell.
    bool keeps_decisions = false;

    /// Every problem as a sentence naming the value and the limit; empty when the settings fit the format.
    std::vector<std::string> validate(const VideoFormat& format) const;
};

} // namespace tandem
