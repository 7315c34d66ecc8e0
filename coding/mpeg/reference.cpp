// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/reference.h"

#include "coding/mpeg/kernels/predict.h"
#include "me/samples/interpolation.h"
#include "video/fetch_lines.h"

namespace tandem {

namespace {

constexpr int chroma_offset = 16 * 16; // Of Cb in a storage; Cr follows 64 samples later.

/// One direction's chroma into storage[slot].
void predict_chroma_from(const Frame& reference, Mv mv, int x, int y, std::uint8_t* storage) {
    const int dx = mv.x / eighths_per_half_pel / 2; // Half-pels of chroma.
    const int dy = mv.y / eighths_per_half_pel / 2;
    for (int plane = 1; plane <= 2; ++plane) {
        const PlaneView view = reference.plane(plane).view();
        const std::uint8_t* from = &view.at(x / 2 + (dx >> 1), y / 2 + (dy >> 1));
        predict_kernels().half_pel(from, view.stride, dx & 1, dy & 1, 8, 8, storage + chroma_offset + (plane - 1) * 64,
                                   8);
    }
}

} // namespace

Reference::Reference(FramePtr frame, InTheMaking)
    : ReferencePicture(std::move(frame)), rows(reconstruction->height() / 16) {}

Reference::Reference(FramePtr frame) : Reference(std::move(frame), InTheMaking{}) { finish(); }

std::shared_ptr<Reference> Reference::in_the_making(FramePtr frame) {
    return std::shared_ptr<Reference>(new Reference(std::move(frame), InTheMaking{}));
}

void Reference::finish() {
    for (int row = 0; row < rows.rows(); ++row)
        finish_row(row);
}

void fetch_prediction(const Reference& reference, Mv mv, int x, int y) {
    const PlaneView luma = reference.luma();
    fetch_lines(half_pel_place(luma, x, y, mv).samples, luma.stride, 16, 16);
    for (int plane = 1; plane <= 2; ++plane) {
        const PlaneView view = reference.reconstruction->plane(plane).view();
        fetch_lines(&view.at((x + mv.x / eighths_per_pel) / 2, (y + mv.y / eighths_per_pel) / 2), view.stride, 8, 8);
    }
}

LumaBlock luma_at(PlaneView reference, int x, int y, Mv mv, std::uint8_t* storage) {
    const HalfPelPlace place = half_pel_place(reference, x, y, mv);
    if (!place.half_x && !place.half_y) return {place.samples, reference.stride};
    predict_kernels().half_pel(place.samples, reference.stride, place.half_x, place.half_y, 16, 16, storage, 16);
    return {storage, 16};
}

void predict_luma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                  Prediction& prediction) {
    const bool both = (flags & mb_forward) != 0 && (flags & mb_backward) != 0;
    const bool only_backward = (flags & mb_backward) != 0 && !both;
    const Reference& first = only_backward ? *references.backward : *references.forward;
    LumaBlock block = luma_at(first.luma(), x, y, only_backward ? backward : forward, prediction.storage[0]);
    if (both) {
        const LumaBlock second = luma_at(references.backward->luma(), x, y, backward, prediction.storage[1]);
        predict_kernels().average(block.samples, block.stride, second.samples, second.stride, 16, 16,
                                  prediction.storage[0], 16);
        block = {prediction.storage[0], 16};
    }
    prediction.data[0] = block.samples;
    prediction.stride[0] = block.stride;
}

void predict_chroma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                    Prediction& prediction) {
    const bool use_backward = (flags & mb_backward) != 0;
    const bool both = (flags & mb_forward) != 0 && use_backward;
    if (both || !use_backward) {
        predict_chroma_from(*references.forward->reconstruction, forward, x, y, prediction.storage[0]);
    }
    if (use_backward) {
        predict_chroma_from(*references.backward->reconstruction, backward, x, y, prediction.storage[both ? 1 : 0]);
    }
    for (int plane = 1; plane <= 2; ++plane) {
        std::uint8_t* out = prediction.storage[0] + chroma_offset + (plane - 1) * 64;
        if (both) {
            const std::uint8_t* other = prediction.storage[1] + chroma_offset + (plane - 1) * 64;
            predict_kernels().average(out, 8, other, 8, 8, 8, out, 8);
        }
        prediction.data[plane] = out;
        prediction.stride[plane] = 8;
    }
}

} // namespace tandem
