// SPDX-License-Identifier: BSD-2-Clause
// Pictures of the caller's: samples that are read during a call, and handles that are read once.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "c/c_handles.h"
#include "c/c_params.h"
#include "me/fields/formats.h"
#include "me/samples/compensation.h"

namespace tandem {
namespace {

/// Whether rows may lie so far apart: not on one another, and none where addresses end.
bool is_distance(std::ptrdiff_t stride, int width) {
    constexpr std::ptrdiff_t most = PTRDIFF_MAX / largest_field_side;
    return (stride >= width && stride <= most) || (stride <= -width && stride >= -most);
}

PlaneView checked(const std::string& what, const tandem_plane& plane) {
    if (plane.data == nullptr) throw InputError(what + ": the samples are NULL");
    if (plane.width < 1 || plane.height < 1 || plane.width > largest_field_side || plane.height > largest_field_side) {
        throw InputError(what + ": " + std::to_string(plane.width) + "x" + std::to_string(plane.height) +
                         " samples; sides are 1 to " + std::to_string(largest_field_side));
    }
    if (!is_distance(plane.stride, plane.width)) {
        throw InputError(what + ": rows of " + std::to_string(plane.width) + " samples at a distance of " +
                         std::to_string(plane.stride));
    }
    return {plane.data, plane.width, plane.height, plane.stride};
}

} // namespace

bool has_chroma(const tandem_picture& picture) { return picture.cb.data != nullptr || picture.cr.data != nullptr; }

FramePtr frame_of(const std::string& what, const tandem_picture* picture) {
    if (picture == nullptr) throw InputError(what + ": the picture is NULL");
    const PlaneView luma = checked(what + ", luma", picture->luma);
    auto frame = std::make_shared<Frame>(luma.width, luma.height);
    copy_and_extend(luma, frame->plane(0).view());
    const std::array chroma{std::pair{", Cb", &picture->cb}, std::pair{", Cr", &picture->cr}};
    for (int index = 1; index <= 2; ++index) {
        const MutablePlaneView to = frame->plane(index).view();
        if (!has_chroma(*picture)) {
            constexpr std::uint8_t grey = 128;
            frame->plane(index).fill(grey);
            continue;
        }
        const auto& [name, plane] = chroma[static_cast<std::size_t>(index - 1)];
        const PlaneView from = checked(what + name, *plane);
        if (from.width != to.width || from.height != to.height) {
            throw InputError(what + name + ": " + std::to_string(from.width) + "x" + std::to_string(from.height) +
                             " samples; 4:2:0 has " + std::to_string(to.width) + "x" + std::to_string(to.height));
        }
        copy_and_extend(from, to);
    }
    return frame;
}

std::unique_ptr<tandem_picture_handle> picture_handle_of(const std::string& what, const tandem_picture* picture) {
    auto handle = std::make_unique<tandem_picture_handle>();
    handle->frame = frame_of(what, picture);
    handle->has_chroma = has_chroma(*picture);
    return handle;
}

namespace {

void check_target(PlaneView from, const tandem_target& to, const std::string& what) {
    if (to.data == nullptr) throw InputError(what + ": the samples are NULL");
    if (!is_distance(to.stride, from.width)) {
        throw InputError(what + ": rows of " + std::to_string(from.width) + " samples at a distance of " +
                         std::to_string(to.stride));
    }
}

void copy_out(PlaneView from, const tandem_target& to) {
    for (int y = 0; y < from.height; ++y)
        std::copy_n(from.row(y), from.width, to.data + y * to.stride);
}

tandem_plane plane_of(const Frame& frame, int index) {
    const PlaneView plane = frame.plane(index).view();
    return {plane.row(0), plane.stride, plane.width, plane.height};
}

} // namespace
} // namespace tandem

tandem_status tandem_picture_create(tandem_estimator* estimator, const tandem_picture* samples,
                                    tandem_picture_handle** picture) {
    if (picture != nullptr) *picture = nullptr;
    return tandem::guarded(estimator, [&] {
        if (picture == nullptr) throw tandem::InputError("picture: there is no place for it");
        *picture = tandem::picture_handle_of("picture", samples).release();
    });
}

tandem_picture_handle* tandem_picture_share(tandem_picture_handle* picture) {
    if (picture != nullptr) ++picture->owners;
    return picture;
}

void tandem_picture_free(tandem_picture_handle* picture) {
    if (picture != nullptr && --picture->owners == 0) delete picture;
}

tandem_picture tandem_picture_samples(const tandem_picture_handle* picture) {
    tandem_picture samples{};
    if (picture == nullptr) return samples;
    samples.luma = tandem::plane_of(*picture->frame, 0);
    if (!picture->has_chroma) return samples;
    samples.cb = tandem::plane_of(*picture->frame, 1);
    samples.cr = tandem::plane_of(*picture->frame, 2);
    return samples;
}

tandem_status tandem_motion_compensate(tandem_estimator* estimator, const tandem_field* field,
                                       const tandem_picture* reference, const char* interpolation, tandem_target luma,
                                       tandem_target cb, tandem_target cr) {
    return tandem::guarded(estimator, [&] {
        if (field == nullptr) throw tandem::InputError("field: NULL");
        if (!estimator->workers) throw tandem::InputError("this estimator's device could not be opened");
        const tandem::FramePtr from = tandem::frame_of("reference", reference);
        const auto prediction = tandem::predict_picture(
            *from, *field->field, tandem::interpolation_named(interpolation), *estimator->workers);
        const tandem::Frame& found = *prediction;
        const std::array targets{std::pair{"luma", &luma}, std::pair{"cb", &cb}, std::pair{"cr", &cr}};
        const int planes = tandem::has_chroma(*reference) ? 3 : 1;
        for (int i = 0; i < planes; ++i) // All of them before the first is written.
            tandem::check_target(found.plane(i).view(), *targets[i].second, targets[i].first);
        for (int i = 0; i < planes; ++i)
            tandem::copy_out(found.plane(i).view(), *targets[i].second);
    });
}
