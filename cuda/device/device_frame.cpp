// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/device_frame.h"

#include <algorithm>

#include "cuda/device/page_locked_samples.h"
#include "cuda/kernels.h"
#include "cuda/phase/phase_kernels.h"

namespace tandem::cuda {

namespace {

/// Rows of the device's samples and of the memory that they go through; a frame without a border often has this stride
/// itself.
constexpr std::size_t row_alignment = 64;
/// Words: rows begin at whole lines of the cache.
constexpr std::size_t word_alignment = 32;

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

/// Where a word plane with its border lies in memory.
struct PlaneLayout {
    int border, stride, rows;

    PlaneLayout(int width, int height, int least_border)
        : border(static_cast<int>(rounded_up(static_cast<std::size_t>(least_border), word_alignment))),
          stride(static_cast<int>(rounded_up(static_cast<std::size_t>(width + 2 * border), word_alignment))),
          rows(height + 2 * border) {}
    std::size_t words() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride); }
    std::size_t bytes() const { return words() * sizeof(std::uint32_t); }
    WordPlane plane_in(void* memory) const {
        return {static_cast<std::uint32_t*>(memory) + std::ptrdiff_t{border} * stride + border, stride};
    }
};

} // namespace

HeldWords DeviceFrame::words(const Frame& frame, WordsWanted wanted, UploadRing& ring, Stream& upload, Stream& use) {
    const std::lock_guard lock(mutex_);
    if (!ready_) ready_ = std::make_unique<Event>();
    if (!words_.memory || border_ < wanted.border || words_.planes.grid_shift < wanted.grid_shift) {
        if (samples_) {
            upload.wait_for(*ready_);
        } else {
            upload_samples(frame, ring, upload);
            ready_->record(upload);
        }
        make_words(frame, {std::max(wanted.border, border_), std::max(wanted.grid_shift, words_.planes.grid_shift)},
                   upload);
        ready_->record(upload);
    }
    use.wait_for(*ready_);
    return words_;
}

void DeviceFrame::upload_samples(const Frame& frame, UploadRing& ring, Stream& upload) {
    const PlaneView luma = frame.luma().view();
    width_ = luma.width;
    height_ = luma.height;
    pitch_ = rounded_up(static_cast<std::size_t>(luma.width), row_alignment);
    auto samples = pool_->take(pitch_ * static_cast<std::size_t>(luma.height));
    const DrainOnFailure drain(upload);
    if (is_page_locked(luma.data)) {
        copy_rows_to_device(samples->data(), pitch_, luma.data, static_cast<std::size_t>(luma.stride),
                            static_cast<std::size_t>(luma.width), static_cast<std::size_t>(luma.height), upload);
    } else {
        ring.upload(luma, pitch_, samples->data(), upload);
    }
    samples_ = std::move(samples);
}

void DeviceFrame::make_words(const Frame& frame, WordsWanted wanted, Stream& upload) {
    const PlaneLayout layout(frame.width(), frame.height(), wanted.border);
    const std::size_t planes = std::size_t{1} << (2 * wanted.grid_shift);
    auto memory = pool_->take(planes * layout.bytes());
    const DrainOnFailure drain(upload);
    const WordPlane words = layout.plane_in(memory->data());
    const WordPlanes all{words, static_cast<std::ptrdiff_t>(layout.words()), wanted.grid_shift};
    launch_make_words(static_cast<const std::uint8_t*>(samples_->data()), static_cast<int>(pitch_), frame.width(),
                      frame.height(), layout.border, const_cast<std::uint32_t*>(words.origin), words.stride,
                      upload.get());
    if (wanted.grid_shift > 0) launch_make_fractions(all, frame.width(), frame.height(), layout.border, upload.get());
    words_ = {all, std::move(memory)};
    border_ = layout.border;
}

std::vector<HeldLevel> DeviceFrame::levels(int count, int border, Stream& upload, Stream& use) {
    const std::lock_guard lock(mutex_);
    const auto smaller = static_cast<std::size_t>(count - 1);
    if (levels_.size() < smaller || levels_border_ < border) {
        upload.wait_for(*ready_);
        make_levels(std::max(count, static_cast<int>(levels_.size()) + 1), std::max(border, levels_border_), upload);
        ready_->record(upload);
    }
    use.wait_for(*ready_);
    return {levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(smaller)};
}

void DeviceFrame::make_levels(int count, int border, Stream& upload) {
    std::vector<HeldLevel> made;
    const DrainOnFailure drain(upload);
    const auto* samples = static_cast<const std::uint8_t*>(samples_->data());
    int width = width_, height = height_, pitch = static_cast<int>(pitch_), reach = border;
    for (int level = 1; level < count; ++level) {
        made.push_back({{}, (width + 1) / 2, (height + 1) / 2, nullptr});
        HeldLevel& half = made.back();
        reach = (reach + 1) / 2;
        const PlaneLayout layout(half.width, half.height, reach + word_plane_margin);
        const auto half_pitch = static_cast<int>(rounded_up(static_cast<std::size_t>(half.width), row_alignment));
        half.memory =
            pool_->take(layout.bytes() + static_cast<std::size_t>(half_pitch) * static_cast<std::size_t>(half.height));
        half.words = layout.plane_in(half.memory->data());
        auto* const halved = static_cast<std::uint8_t*>(half.memory->data()) + layout.bytes();
        launch_halve(samples, pitch, width, height, halved, half_pitch, upload.get());
        launch_make_words(halved, half_pitch, half.width, half.height, layout.border,
                          const_cast<std::uint32_t*>(half.words.origin), half.words.stride, upload.get());
        samples = halved;
        width = half.width;
        height = half.height;
        pitch = half_pitch;
    }
    levels_ = std::move(made);
    levels_border_ = border;
}

HeldLayers DeviceFrame::layers(int count, Stream& upload, Stream& use) {
    const std::lock_guard lock(mutex_);
    SampleLayers& layers = layers_.layers;
    if (layers.count == 0) {
        layers.layer[layers.count++] = {static_cast<const std::uint8_t*>(samples_->data()), static_cast<int>(pitch_),
                                        width_, height_};
        layers_.memory.push_back(samples_);
    }
    if (layers.count < count) upload.wait_for(*ready_);
    for (; layers.count < count; ++layers.count) {
        const SamplePlane& before = layers.layer[layers.count - 1];
        SamplePlane means{nullptr, 0, (before.width + 1) / 2, (before.height + 1) / 2};
        const std::size_t pitch = rounded_up(static_cast<std::size_t>(means.width), row_alignment);
        auto memory = pool_->take(pitch * static_cast<std::size_t>(means.height));
        const DrainOnFailure drain(upload);
        auto* const samples = static_cast<std::uint8_t*>(memory->data());
        means.samples = samples;
        means.pitch = static_cast<int>(pitch);
        launch_halve_by_means(before, samples, means, upload.get());
        ready_->record(upload);
        layers_.memory.push_back(std::move(memory));
        layers.layer[layers.count] = means;
    }
    use.wait_for(*ready_);
    return layers_;
}

} // namespace tandem::cuda
