// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/libav_convert.h"

#include <array>
#include <cstring>
#include <utility>

#include "machine/errors.h"
#include "video/libav/libav_functions.h"

namespace tandem {

namespace {

bool is_rgb(const AVFrame& frame) {
    const AVPixFmtDescriptor* description = libav().av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    return description != nullptr && (description->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
}

/// A bit a sample, of which libswscale makes 0 or 255 whatever it is told.
bool is_black_and_white(const AVFrame& frame) {
    return frame.format == AV_PIX_FMT_MONOBLACK || frame.format == AV_PIX_FMT_MONOWHITE;
}

/// As libswscale sees it: 8 bits or more, with alpha or without.
bool is_gray(const AVFrame& frame) {
    const AVPixFmtDescriptor* description = libav().av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    constexpr std::uint64_t other =
        AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL;
    return description != nullptr && description->nb_components <= 2 && (description->flags & other) == 0;
}

/// Gray of no known range is a still's: one picture has one luma, whether its format says the range (PNG) or not (PGM).
bool is_full_range(const AVFrame& frame) {
    if (frame.color_range == AVCOL_RANGE_UNSPECIFIED && is_gray(frame)) return true;
    return frame.color_range == AVCOL_RANGE_JPEG || frame.format == AV_PIX_FMT_YUVJ420P ||
           frame.format == AV_PIX_FMT_YUVJ422P || frame.format == AV_PIX_FMT_YUVJ444P ||
           frame.format == AV_PIX_FMT_YUVJ440P || frame.format == AV_PIX_FMT_YUVJ411P;
}

/// libswscale takes the formats of JPEG for full range, whatever it is told; the range is told apart from the format.
int plain_format(const AVFrame& frame) {
    constexpr std::array<std::pair<AVPixelFormat, AVPixelFormat>, 5> of_jpeg{
        {{AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P},
         {AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P},
         {AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P},
         {AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P},
         {AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUV411P}}};
    for (const auto& [jpeg, plain] : of_jpeg)
        if (frame.format == jpeg) return plain;
    return frame.format;
}

/// RGB has no matrix of its own: BT.601's for standard definition, BT.709's above, as is customary.
AVColorSpace matrix_for(const AVFrame& frame) {
    if (is_rgb(frame)) return frame.height <= 576 ? AVCOL_SPC_SMPTE170M : AVCOL_SPC_BT709;
    return frame.colorspace;
}

/// Packed RGB of 16 bits a component, with alpha or without: that of PNG and PNM.
bool is_rgb_of_16_bits(const AVFrame& frame) {
    return frame.format == AV_PIX_FMT_RGB48BE || frame.format == AV_PIX_FMT_RGB48LE ||
           frame.format == AV_PIX_FMT_RGBA64BE || frame.format == AV_PIX_FMT_RGBA64LE;
}

/// The same picture in 8 bits, rounded: libswscale's luma of 16 bits is half a step too light.
Libav<AVFrame> rgb_of_8_bits(const AVFrame& from) {
    Libav<AVFrame> to = own(libav().av_frame_alloc());
    to->format = AV_PIX_FMT_RGB24;
    to->width = from.width;
    to->height = from.height;
    if (libav().av_frame_get_buffer(to.get(), 0) < 0 || libav().av_frame_copy_props(to.get(), &from) < 0)
        throw std::bad_alloc();
    to->color_range = from.color_range;
    to->colorspace = from.colorspace;
    const bool big_endian = from.format == AV_PIX_FMT_RGB48BE || from.format == AV_PIX_FMT_RGBA64BE;
    const int step = from.format == AV_PIX_FMT_RGB48BE || from.format == AV_PIX_FMT_RGB48LE ? 6 : 8;
    for (int y = 0; y < from.height; ++y) {
        const std::uint8_t* in = from.data[0] + static_cast<std::ptrdiff_t>(y) * from.linesize[0];
        std::uint8_t* out = to->data[0] + static_cast<std::ptrdiff_t>(y) * to->linesize[0];
        for (int x = 0; x < from.width; ++x, in += step) {
            for (int i = 0; i < 3; ++i) {
                const int value = big_endian ? in[2 * i] << 8 | in[2 * i + 1] : in[2 * i + 1] << 8 | in[2 * i];
                *out++ = static_cast<std::uint8_t>((value * 255 + 32767) / 65535);
            }
        }
    }
    return to;
}

std::string name_of_format(int format) {
    const char* name = libav().av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
    return name != nullptr ? name : "an unknown pixel format";
}

void copy_plane(const std::uint8_t* from, int stride, MutablePlaneView to) {
    for (int y = 0; y < to.height; ++y) {
        std::memcpy(to.row(y), from + static_cast<std::ptrdiff_t>(y) * stride, static_cast<std::size_t>(to.width));
    }
}

// In 13818-2 tables 6-7 to 6-9, and in H.273.
constexpr int unspecified = 2;
constexpr int reserved = 3;

/// Whether 13818-2 says it; `last`: of its table.
bool has_code(int value, int last) { return value >= 1 && value != reserved && value <= last; }

} // namespace

ColourDescription colour_of(const AVFrame& frame) {
    // The last values of 13818-2 (2013) tables 6-7, 6-8 and 6-9; libav numbers them alike (H.273).
    const auto known = [](int value, int last) { return has_code(value, last) ? value : unspecified; };
    return {known(frame.color_primaries, 7), known(frame.color_trc, 12), known(matrix_for(frame), 8)};
}

std::string colours_without_code(const AVFrame& frame) {
    const ColourDescription said = colour_of(frame);
    std::string lost;
    const auto add = [&lost](const char* what, int value, int written, const char* name) {
        if (value == written || value <= reserved || name == nullptr) return;
        lost += (lost.empty() ? "" : ", ") + std::string(what) + " " + name;
    };
    add("primaries", frame.color_primaries, said.primaries, libav().av_color_primaries_name(frame.color_primaries));
    add("transfer", frame.color_trc, said.transfer, libav().av_color_transfer_name(frame.color_trc));
    add("matrix", matrix_for(frame), said.matrix, libav().av_color_space_name(matrix_for(frame)));
    return lost;
}

bool LibavConverter::is_full(const AVFrame& from) const {
    return declared_ && !is_rgb(from) ? *declared_ : is_full_range(from);
}

bool LibavConverter::is_plain_copy(const AVFrame& from) const {
    if (from.format != AV_PIX_FMT_YUVJ420P && from.format != AV_PIX_FMT_YUV420P) return false;
    return declared_ || keep_full_range_ || !is_full_range(from);
}

bool LibavConverter::gives_full_range(const AVFrame& from) const {
    if (is_black_and_white(from)) return true;
    return declared_ ? *declared_ : keep_full_range_ && (is_full_range(from) || is_rgb(from));
}

std::string LibavConverter::note(const AVFrame& from) const {
    if (is_plain_copy(from)) return {};
    const bool rgb = is_rgb(from), full = is_full(from);
    const char* const luma = gives_full_range(from) ? ", luma 0 to 255" : full || rgb ? ", luma 16 to 235" : "";
    return "converted from " + name_of_format(from.format) + (full && !rgb ? " (full range)" : "") + " to 8-bit 4:2:0" +
           luma;
}

void LibavConverter::prepare(const AVFrame& from) {
    const int matrix = matrix_for(from);
    const bool full = is_full(from);
    if (scaler_ && from.format == format_ && from.width == width_ && from.height == height_ && matrix == matrix_ &&
        full == full_range_) {
        return;
    }
    const bool to_full = gives_full_range(from);
    // Exact rounding and no processor-dependent shortcuts: the pictures are the same on every machine.
    constexpr int flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INP;
    scaler_ = own(libav().sws_alloc_context());
    // Before it begins: afterwards it would not see that yuv420p of one range is not that of another.
    const std::pair<const char*, int> settings[] = {{"srcw", from.width},
                                                    {"srch", from.height},
                                                    {"dstw", from.width},
                                                    {"dsth", from.height},
                                                    {"src_format", plain_format(from)},
                                                    {"dst_format", AV_PIX_FMT_YUV420P},
                                                    {"src_range", full ? 1 : 0},
                                                    {"dst_range", to_full ? 1 : 0},
                                                    {"sws_flags", flags}};
    for (const auto& [name, value] : settings)
        libav().av_opt_set_int(scaler_.get(), name, value, 0);
    if (libav().sws_init_context(scaler_.get(), nullptr, nullptr) < 0)
        throw RunError("libswscale cannot convert " + name_of_format(from.format) + " to 8-bit 4:2:0");
    // SWS_CS_ numbers are those of the matrices; what it does not know it takes as BT.601.
    const int* coefficients = libav().sws_getCoefficients(matrix == AVCOL_SPC_UNSPECIFIED ? SWS_CS_DEFAULT : matrix);
    constexpr int unity = 1 << 16;
    // Gray and RGB have no range of their own; the call says so with -1, and their full range is assumed anyway.
    libav().sws_setColorspaceDetails(scaler_.get(), coefficients, full ? 1 : 0, coefficients, to_full ? 1 : 0, 0, unity,
                                     unity);
    format_ = from.format;
    width_ = from.width;
    height_ = from.height;
    matrix_ = matrix;
    full_range_ = full;
}

std::unique_ptr<Frame> LibavConverter::convert(const AVFrame& from) {
    if (is_plain_copy(from)) {
        auto frame = std::make_unique<Frame>(from.width, from.height);
        for (int i = 0; i < 3; ++i)
            copy_plane(from.data[i], from.linesize[i], frame->plane(i).view());
        return frame;
    }
    return is_rgb_of_16_bits(from) ? convert_by_library(*rgb_of_8_bits(from)) : convert_by_library(from);
}

std::unique_ptr<Frame> LibavConverter::convert_by_library(const AVFrame& from) {
    auto frame = std::make_unique<Frame>(from.width, from.height);
    prepare(from);
    std::array<std::uint8_t*, 4> planes{};
    std::array<int, 4> strides{};
    for (int i = 0; i < 3; ++i) {
        const MutablePlaneView plane = frame->plane(i).view();
        planes[static_cast<std::size_t>(i)] = plane.data;
        strides[static_cast<std::size_t>(i)] = static_cast<int>(plane.stride);
    }
    const int rows =
        libav().sws_scale(scaler_.get(), from.data, from.linesize, 0, from.height, planes.data(), strides.data());
    if (rows != from.height) throw RunError("libswscale failed to convert " + name_of_format(from.format));
    return frame;
}

} // namespace tandem
