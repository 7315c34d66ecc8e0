// SPDX-License-Identifier: BSD-2-Clause
// Codes one picture: refine, choose, decide, residual, entropy, each over the whole picture, slices in parallel.
#pragma once

#include <memory>
#include <vector>

#include "bitstream/mpeg/mpeg_writer.h"
#include "coding/mpeg/decide.h"
#include "coding/mpeg/reference.h"
#include "coding/mpeg/residual.h"
#include "coding/mpeg/vector_choice.h"
#include "encoder/encoder.h"
#include "encoder/motion_ahead.h"
#include "machine/workers.h"

namespace tandem {

/// Holds what pictures of one stream share. One picture at a time.
class PictureCoder {
  public:
    PictureCoder(const Settings& settings, const VideoFormat& format, Trace* trace);

    /// Codes the picture; waits for its motion. `packet` gets its bytes with all headers before it; the return value is
    /// its reconstruction. Fills all of `stats` but the bytes.
    FramePtr code(PendingPicture& pending, const References& references, BitWriter& packet, PictureStats& stats);

    /// A copy of a picture of the format's size at coded size.
    FramePtr at_coded_size(const Frame& picture);
    /// A reconstruction, made ready for the pictures that are predicted from it.
    ReferencePtr make_reference(FramePtr reconstruction);

    const MpegSequence& sequence() const { return sequence_; }
    const std::vector<std::string>& notes() const { return notes_; }
    const MpegWriter& writer() const { return *writer_; }
    int coded_width() const { return picture_.mb_columns * 16; }
    int coded_height() const { return picture_.mb_rows * 16; }

  private:
    /// One direction's motion on its way to vectors.
    struct Direction {
        MotionField field;
        std::vector<ChosenVector> chosen;
        std::vector<VectorCandidates> candidates; ///< Empty unless the decision looks at them.
        std::array<int, 2> f_code{1, 1};          ///< Of all candidates: what the choice reckons with.
    };
    void begin_picture(const PlannedPicture& plan);
    void take_motion(PendingPicture& pending, PictureStats& stats);
    void refine(const PlannedPicture& plan, const References& references, PictureStats& stats);
    void refine_direction(const PlannedPicture& plan, int distance, const Reference& reference, Direction& direction);
    void decide(const PlannedPicture& plan, const References& references, PictureStats& stats);
    void choose(const PlannedPicture& plan, const Reference& reference, Direction& direction);
    std::shared_ptr<Frame> code_residuals(const PlannedPicture& plan, const References& references,
                                          PictureStats& stats);
    Quantisers quantisers_of(int code) const;
    ResidualInput residual_input(const PlannedPicture& plan, const References& references) const;
    void settle_f_codes();
    void count_codings(const PlannedPicture& plan);
    void write(const PlannedPicture& plan, BitWriter& packet, PictureStats& stats);
    MpegGroup group_code(const PlannedPicture& plan) const;

    const Settings settings_;
    const VideoFormat format_;
    Trace* trace_;
    std::vector<std::string> notes_;
    MpegSequence sequence_;
    std::unique_ptr<MpegWriter> writer_;
    Workers workers_;
    MpegPicture picture_;
    Direction forward_, backward_;
    std::vector<std::uint8_t> coded_since_intra_;
    std::vector<ModeList> modes_; ///< By macroblock; empty unless modes are tried.
    std::vector<BitWriter> slice_bits_;
    std::uint32_t lambda_q8_ = 0;
};

} // namespace tandem
