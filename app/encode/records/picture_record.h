// SPDX-License-Identifier: BSD-2-Clause
// What is known of a coded picture once its quality is measured, and the sums over all pictures.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "encoder/encoder.h"
#include "video/quality/quality.h"

namespace tandem {

struct PictureRecord {
    PictureStats stats;
    std::optional<SquaredErrors> errors; ///< Where PSNR is measured.
    std::optional<double> ssim;          ///< Of luma, where it is measured.
};

/// Compares source and reconstruction over the displayed width x height samples.
PictureRecord measure_picture(const EncodedPicture& picture, int width, int height, bool psnr, bool ssim);

struct Totals {
    std::int64_t pictures = 0;
    std::array<std::int64_t, 3> by_type{}; ///< I, P, B.
    std::uint64_t bytes = 0;               ///< Of the elementary stream, end code included.
    SquaredErrors errors;
    double ssim_sum = 0;
    std::string device;           ///< Who searched motion, as "cpu" or "gpu:0 ... + cpu"; empty: nobody.
    double seconds = 0;           ///< Of wall clock, from the first picture to the last byte.
    double measuring_seconds = 0; ///< Of these, spent in PSNR, SSIM, --recon and --verify.
    void add(const PictureRecord& record);
    double bitrate_kbps(Rational frame_rate) const;
    double pictures_per_second() const; ///< Measuring is not counted.
};

char letter_of(PictureType type);

/// With `digits` digits after the point; "inf" for infinity, which identical pictures have as PSNR.
std::string decibel_text(double value, int digits);

} // namespace tandem
