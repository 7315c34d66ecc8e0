// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/picture_record.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tandem {
namespace {

PlaneView cut_to(PlaneView view, int width, int height) { return {view.data, width, height, view.stride}; }

} // namespace

PictureRecord measure_picture(const EncodedPicture& picture, int width, int height, bool psnr, bool ssim) {
    PictureRecord record{picture.stats, std::nullopt, std::nullopt};
    if (psnr) record.errors = squared_errors(*picture.source, *picture.reconstruction, width, height);
    if (ssim) {
        record.ssim = tandem::ssim(cut_to(picture.source->luma().view(), width, height),
                                   cut_to(picture.reconstruction->luma().view(), width, height));
    }
    return record;
}

void Totals::add(const PictureRecord& record) {
    ++pictures;
    ++by_type[static_cast<std::size_t>(record.stats.type) - 1];
    bytes += record.stats.bytes;
    if (record.errors) errors.add(*record.errors);
    ssim_sum += record.ssim.value_or(0);
    add_backends(device, record.stats.backend);
}

double Totals::bitrate_kbps(Rational frame_rate) const {
    if (pictures == 0) return 0;
    return static_cast<double>(bytes) * 8 / 1000 * frame_rate.value() / static_cast<double>(pictures);
}

double Totals::pictures_per_second() const {
    const double coding = seconds - measuring_seconds;
    return coding > 0 ? static_cast<double>(pictures) / coding : 0;
}

char letter_of(PictureType type) { return "IPB"[static_cast<std::size_t>(type) - 1]; }

std::string decibel_text(double value, int digits) {
    return std::isinf(value) ? "inf" : fmt::format("{:.{}f}", value, digits);
}

} // namespace tandem
