// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device_frame.h"

#include <algorithm>
#include <cstring>

#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

/// Rows of the device's samples and of the staging memory; a frame without a border often has this stride itself.
constexpr std::size_t row_alignment = 64;
/// Words: rows begin at whole lines of the cache.
constexpr int word_alignment = 32;

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

void copy_rows(PlaneView from, std::size_t pitch, std::uint8_t* to) {
    if (from.stride == static_cast<std::ptrdiff_t>(pitch)) {
        std::memcpy(to, from.data,
                    pitch * static_cast<std::size_t>(from.height - 1) + static_cast<std::size_t>(from.width));
        return;
    }
    for (int y = 0; y < from.height; ++y)
        std::memcpy(to + static_cast<std::size_t>(y) * pitch, from.row(y), static_cast<std::size_t>(from.width));
}

} // namespace

HeldWords DeviceFrame::words(const Frame& frame, WordsWanted wanted, PinnedBuffer<std::uint8_t>& staging,
                             Stream& upload, Stream& use) {
    const std::lock_guard lock(mutex_);
    if (!ready_) ready_ = std::make_unique<Event>();
    if (!words_.memory || border_ < wanted.border || words_.planes.grid_shift < wanted.grid_shift) {
        if (samples_) {
            upload.wait_for(*ready_);
        } else {
            upload_samples(frame, staging, upload);
            ready_->record(upload);
        }
        make_words(frame, {std::max(wanted.border, border_), std::max(wanted.grid_shift, words_.planes.grid_shift)},
                   upload);
        ready_->record(upload);
    }
    use.wait_for(*ready_);
    return words_;
}

void DeviceFrame::upload_samples(const Frame& frame, PinnedBuffer<std::uint8_t>& staging, Stream& upload) {
    const PlaneView luma = frame.luma().view();
    pitch_ = rounded_up(static_cast<std::size_t>(luma.width), row_alignment);
    const std::size_t bytes = pitch_ * static_cast<std::size_t>(luma.height);
    std::uint8_t* staged = staging.reserve(bytes);
    copy_rows(luma, pitch_, staged);
    auto samples = pool_->take(bytes);
    copy_to_device(samples->data(), staged, bytes, upload);
    samples_ = std::move(samples);
}

void DeviceFrame::make_words(const Frame& frame, WordsWanted wanted, Stream& upload) {
    const auto border =
        static_cast<int>(rounded_up(static_cast<std::size_t>(wanted.border), static_cast<std::size_t>(word_alignment)));
    const auto stride = static_cast<int>(
        rounded_up(static_cast<std::size_t>(frame.width() + 2 * border), static_cast<std::size_t>(word_alignment)));
    const std::ptrdiff_t plane_words = std::ptrdiff_t{frame.height() + 2 * border} * stride;
    const std::size_t planes = std::size_t{1} << (2 * wanted.grid_shift);
    auto memory = pool_->take(planes * static_cast<std::size_t>(plane_words) * sizeof(std::uint32_t));
    std::uint32_t* origin =
        static_cast<std::uint32_t*>(memory->data()) + static_cast<std::ptrdiff_t>(border) * stride + border;
    launch_make_words(static_cast<const std::uint8_t*>(samples_->data()), static_cast<int>(pitch_), frame.width(),
                      frame.height(), border, origin, stride, upload.get());
    words_ = {{{origin, stride}, plane_words, wanted.grid_shift}, std::move(memory)};
    if (wanted.grid_shift > 0) {
        launch_make_fractions(words_.planes, frame.width(), frame.height(), border, upload.get());
    }
    border_ = border;
}

} // namespace tandem::cuda
