// SPDX-License-Identifier: BSD-2-Clause
// The quality of what a decoder gives back.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/compare_plan.h"
#include "app/compare/encoders/stream_encoder.h"
#include "app/compare/sweep/shown_picture.h"
#include "video/quality/quality.h"

namespace tandem {

struct DecodedQuality {
    double psnr_y = 0;
    char type = '?'; ///< I, P or B.
};

/// One picture's coded vectors, forward, in pels, a place for each macroblock in raster order: empty where it has none.
struct CodedField {
    std::int64_t picture = 0; ///< In display order.
    int columns = 0, rows = 0;
    std::vector<std::optional<std::array<float, 2>>> vectors;
    std::string under; ///< The picture itself, small, as small_luma() makes it.
};

struct StreamMeasures {
    SquaredErrors errors;
    std::array<double, 3> ssim_sum{};     ///< Over the pictures, of Y, Cb, Cr.
    std::vector<DecodedQuality> pictures; ///< In display order.
    std::optional<CodedField> field;      ///< Of the first P picture from the middle on.
    ShownPicture shown;                   ///< Of the clip's middle picture.
    std::optional<double> vmaf;           ///< Mean over the pictures, 0 to 100.
    std::string vmaf_failure;             ///< Why it was wanted and is not there.
};

/// Decodes the stream with libavcodec and compares each picture with the clip's, which is read again. Throws RunError
/// when the decoder complains or the pictures are not as many or as large as the clip's.
/// `vmaf_folder`: for the log of VMAF; empty: it is not measured. Where it fails the rest is measured all the same.
StreamMeasures measure_stream(const CodedStream& stream, const ComparedClip& clip, const CompareOptions& options,
                              bool wants_field, const std::string& vmaf_folder);

/// PSNR over all samples of the three planes.
double psnr_of_all(const SquaredErrors& errors);

} // namespace tandem
