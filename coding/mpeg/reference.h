// SPDX-License-Identifier: BSD-2-Clause
// A decoded anchor picture as later pictures read it, and the prediction of one macroblock from it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/reference_picture.h"
#include "machine/task_pool.h"
#include "me/motion.h"
#include "video/frame.h"

namespace tandem {

/// With sizes of whole macroblocks.
struct Reference : ReferencePicture {
    /// Of a whole picture.
    explicit Reference(FramePtr frame);
    /// Of a picture whose rows are rebuilt one after the other: nothing of it can be read yet. Whoever rebuilds it
    /// calls finish_row().
    static std::shared_ptr<Reference> in_the_making(FramePtr frame);

    /// Makes a row of macroblocks readable, whose samples are rebuilt.
    void finish_row(int row) { rows.finish(row); }
    /// The same of all rows.
    void finish();

    PlaneView luma() const { return reconstruction->luma().view(); }

    mutable RowProgress rows; ///< Rows of macroblocks that can be read.
    /// By macroblock: how often it was coded since it was intra (13818-2 clause 7.4.4 bounds that: the inverse
    /// transforms of two decoders drift apart). Empty: never.
    std::vector<std::uint8_t> coded_since_intra;

  private:
    struct InTheMaking {};
    Reference(FramePtr frame, InTheMaking);
};
using ReferencePtr = std::shared_ptr<const Reference>;

/// Forward and backward references of a picture; null where its type has none.
struct References {
    ReferencePtr forward, backward;
};

/// True when the 16x16 luma block at (x, y) displaced by mv, with its half-pel footprint, lies inside width x height:
/// what both standards ask of a vector (11172-2 clause 2.4.4.2, 13818-2 clause 7.6.3.8).
TANDEM_HOST_DEVICE inline bool inside_picture(Mv mv, int x, int y, int width, int height) {
    const int left = x * eighths_per_pel + mv.x;
    const int top = y * eighths_per_pel + mv.y;
    const int right = (width - 16) * eighths_per_pel - left, below = (height - 16) * eighths_per_pel - top;
    return (left | top | right | below) >= 0;
}

/// The samples that predict a macroblock: plane p starts at data[p] with stride[p]. They lie in the references or in
/// `storage`, and are valid while both live.
struct Prediction {
    const std::uint8_t* data[3];
    std::ptrdiff_t stride[3];
    alignas(64) std::uint8_t storage[2][16 * 16 + 2 * 8 * 8]; ///< Per direction: Y, Cb, Cr; the average ends in [0].
};

/// The 16x16 luma samples at (x, y) displaced by a vector.
struct LumaBlock {
    const std::uint8_t* samples;
    std::ptrdiff_t stride;
};

/// They lie in the reference where the vector is whole, and are made in `storage`, 16x16 samples, where it is not.
LumaBlock luma_at(PlaneView reference, int x, int y, Mv mv, std::uint8_t* storage);

/// Luma prediction of the macroblock at luma (x, y) with the directions in `flags` (mb_forward, mb_backward, both;
/// neither is forward with the zero vector). Fills data[0].
void predict_luma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                  Prediction& prediction);

/// The same for Cb and Cr: the vector is halved towards zero and again at half-pel precision (13818-2 clause 7.6.3.7).
void predict_chroma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                    Prediction& prediction);

/// Asks for what predict_luma() and predict_chroma() will read of one reference, so that it is near by then.
void fetch_prediction(const Reference& reference, Mv mv, int x, int y);

} // namespace tandem
