// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/reference.h"

#include "coding/mpeg/kernels/predict.h"

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
    : ReferencePicture(std::move(frame)), rows(reconstruction->height() / 16), samples(reconstruction->height() / 16) {}

Reference::Reference(FramePtr frame) : Reference(std::move(frame), InTheMaking{}) {
    for (int row = 0; row < rows.rows(); ++row)
        finish_row(row);
}

std::shared_ptr<Reference> Reference::in_the_making(FramePtr frame) {
    return std::shared_ptr<Reference>(new Reference(std::move(frame), InTheMaking{}));
}

void Reference::finish_row(int row) {
    std::call_once(has_half_pels_, [this] { luma = SubpelPlanes::half_pels_of(reconstruction->luma().view()); });
    luma.make_half_pel_rows(row * 16, row * 16 + 16);
    samples.finish(row);
    rows.finish(row);
}

void Reference::finish_samples() {
    for (int row = 0; row < samples.rows(); ++row)
        samples.finish(row);
}

void fetch_prediction(const Reference& reference, Mv mv, int x, int y) {
    const std::uint8_t* luma = reference.luma.at(x, y, mv);
    for (int row = 0; row < 16; ++row)
        __builtin_prefetch(luma + row * reference.luma.stride());
    for (int plane = 1; plane <= 2; ++plane) {
        const PlaneView view = reference.reconstruction->plane(plane).view();
        const std::uint8_t* chroma = &view.at((x + mv.x / eighths_per_pel) / 2, (y + mv.y / eighths_per_pel) / 2);
        for (int row = 0; row < 8; ++row)
            __builtin_prefetch(chroma + row * view.stride);
    }
}

void predict_luma(const References& references, std::uint8_t flags, Mv forward, Mv backward, int x, int y,
                  Prediction& prediction) {
    const bool both = (flags & mb_forward) != 0 && (flags & mb_backward) != 0;
    const bool only_backward = (flags & mb_backward) != 0 && !both;
    const SubpelPlanes& first = only_backward ? references.backward->luma : references.forward->luma;
    const std::uint8_t* a = first.at(x, y, only_backward ? backward : forward);
    if (!both) {
        prediction.data[0] = a;
        prediction.stride[0] = first.stride();
        return;
    }
    const SubpelPlanes& second = references.backward->luma;
    predict_kernels().average(a, first.stride(), second.at(x, y, backward), second.stride(), 16, 16,
                              prediction.storage[0], 16);
    prediction.data[0] = prediction.storage[0];
    prediction.stride[0] = 16;
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
