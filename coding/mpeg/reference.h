// SPDX-License-Identifier: BSD-2-Clause
// A decoded anchor picture as later pictures read it, and the prediction of one macroblock from it.
#pragma once

#include <cstdint>
#include <memory>

#include "bitstream/mpeg/mpeg_picture.h"
#include "me/samples/interpolation.h"
#include "video/frame.h"

namespace tandem {

/// Both parts are at coded size (multiples of 16 in luma).
struct Reference {
    explicit Reference(FramePtr frame, Workers* workers = nullptr)
        : reconstruction(std::move(frame)),
          luma(reconstruction->luma().view(), 2, Interpolation::bilinear, 0, workers) {}
    FramePtr reconstruction;
    SubpelPlanes luma; ///< Its luma at whole and half pels.
};
using ReferencePtr = std::shared_ptr<const Reference>;

/// Forward and backward references of a picture; null where its type has none.
struct References {
    ReferencePtr forward, backward;
};

/// True when the 16x16 luma block at (x, y) displaced by mv, with its half-pel footprint, lies inside width x height:
/// what both standards ask of a vector (11172-2 clause 2.4.4.2, 13818-2 clause 7.6.3.8).
inline bool inside_picture(Mv mv, int x, int y, int width, int height) {
    const int left = x * eighths_per_pel + mv.x;
    const int top = y * eighths_per_pel + mv.y;
    return left >= 0 && top >= 0 && left + 16 * eighths_per_pel <= width * eighths_per_pel &&
           top + 16 * eighths_per_pel <= height * eighths_per_pel;
}

/// The samples that predict a macroblock: plane p starts at data[p] with stride[p]. They lie in the references or in
/// `storage`, and are valid while both live.
struct Prediction {
    const std::uint8_t* data[3];
    std::ptrdiff_t stride[3];
    alignas(64) std::uint8_t storage[2][16 * 16 + 2 * 8 * 8]; ///< Per direction: Y, Cb, Cr; the average ends in [0].
};

/// Luma prediction of the macroblock at luma (x, y) with the directions in `flags` (mb_forward, mb_backward, both;
/// neither is forward with the zero vector). Fills data[0].
void predict_luma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                  Prediction& prediction);

/// The same for Cb and Cr: the vector is halved towards zero and again at half-pel precision (13818-2 clause 7.6.3.7).
void predict_chroma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                    Prediction& prediction);

} // namespace tandem
