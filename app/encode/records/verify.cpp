// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/verify.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/encode/records/picture_record.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr double least_picture_psnr = 50;
constexpr double least_total_psnr = 60;

double worst_plane(const SquaredErrors& errors) { return std::min({errors.psnr(0), errors.psnr(1), errors.psnr(2)}); }

std::unique_ptr<Frame> copy_of(const Frame& frame) {
    auto copy = std::make_unique<Frame>(frame.width(), frame.height());
    for (int plane = 0; plane < 3; ++plane)
        copy_and_extend(frame.plane(plane).view(), copy->plane(plane).view());
    return copy;
}

} // namespace

Verifier::Verifier(Codec codec, int width, int height) : width_(width), height_(height) {
    decoder_ = make_stream_decoder(codec, [this](const Frame& frame) {
        if (frame.width() != width_ || frame.height() != height_) {
            throw RunError(fmt::format("--verify: the stream's pictures are {}x{}, not {}x{}", frame.width(),
                                       frame.height(), width_, height_));
        }
        decoded_.push_back(copy_of(frame));
    });
}

void Verifier::push_stream(std::span<const std::uint8_t> bytes) {
    decoder_->push(bytes);
    compare_what_is_there();
}

void Verifier::push_reconstruction(FramePtr frame) {
    reconstructions_.push_back(std::move(frame));
    compare_what_is_there();
}

void Verifier::compare_what_is_there() {
    while (!decoded_.empty() && !reconstructions_.empty()) {
        const SquaredErrors errors = squared_errors(*decoded_.front(), *reconstructions_.front(), width_, height_);
        const double psnr = worst_plane(errors);
        if (psnr <= least_picture_psnr) {
            throw RunError(
                fmt::format("--verify: picture {} (in display order) decodes {} dB away from the reconstruction; "
                            "over {} dB is asked for",
                            compared_, decibel_text(psnr, 2), least_picture_psnr));
        }
        worst_psnr_ = std::min(worst_psnr_, psnr);
        errors_.add(errors);
        ++compared_;
        decoded_.pop_front();
        reconstructions_.pop_front();
    }
}

double Verifier::total_psnr() const { return worst_plane(errors_); }

void Verifier::finish() {
    decoder_->finish();
    compare_what_is_there();
    if (!decoded_.empty() || !reconstructions_.empty()) {
        const auto coded = compared_ + static_cast<std::int64_t>(reconstructions_.size());
        const auto decoded = compared_ + static_cast<std::int64_t>(decoded_.size());
        throw RunError(fmt::format("--verify: {} pictures are coded, but {} are decoded", coded, decoded));
    }
    if (total_psnr() <= least_total_psnr) {
        throw RunError(
            fmt::format("--verify: the pictures decode {} dB away from the reconstruction; over {} dB is asked for",
                        decibel_text(total_psnr(), 2), least_total_psnr));
    }
}

} // namespace tandem
