// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <string_view>

#include "video/libav/libav_functions.h"

namespace tandem {

std::span<const std::uint8_t> display_matrix_of(const AVStream& stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVCodecParameters& parameters = *stream.codecpar;
    const AVPacketSideData* data = libav().av_packet_side_data_get(
        parameters.coded_side_data, parameters.nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data != nullptr ? std::span<const std::uint8_t>(data->data, data->size) : std::span<const std::uint8_t>();
#else
    std::size_t size = 0;
    const std::uint8_t* data = libav().av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data != nullptr ? std::span(data, size) : std::span<const std::uint8_t>();
#endif
}

void set_display_matrix(AVStream& stream, std::span<const std::uint8_t> matrix) {
    void* const copy = libav().av_memdup(matrix.data(), matrix.size());
    if (copy == nullptr) throw std::bad_alloc();
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    AVCodecParameters& parameters = *stream.codecpar;
    const bool added = libav().av_packet_side_data_add(&parameters.coded_side_data, &parameters.nb_coded_side_data,
                                                       AV_PKT_DATA_DISPLAYMATRIX, copy, matrix.size(), 0) != nullptr;
#else
    const bool added = libav().av_stream_add_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX,
                                                       static_cast<std::uint8_t*>(copy), matrix.size()) >= 0;
#endif
    if (added) return;
    libav().av_free(copy);
    throw std::bad_alloc();
}

namespace {

/// The picture's own matrix, or its stream's; null: none.
const std::int32_t* matrix_of(const AVFrame& frame, const AVStream& stream) {
    const AVFrameSideData* own = libav().av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
    const auto matrix =
        own != nullptr ? std::span<const std::uint8_t>(own->data, own->size) : display_matrix_of(stream);
    return matrix.size() < 9 * sizeof(std::int32_t) ? nullptr : reinterpret_cast<const std::int32_t*>(matrix.data());
}

} // namespace

double rotation_of(const AVFrame& frame, const AVStream& stream) {
    const std::int32_t* const matrix = matrix_of(frame, stream);
    if (matrix == nullptr) return 0;
    const double angle = libav().av_display_rotation_get(matrix);
    return std::isnan(angle) ? 0 : angle;
}

std::string turning_chain(const AVFrame& frame, const AVStream& stream) {
    const std::int32_t* const matrix = matrix_of(frame, stream);
    if (matrix == nullptr) return {};
    // A sample at (x, y) is shown at (x_by_x * x + x_by_y * y, y_by_x * x + y_by_y * y), up to a shift
    // (ISO/IEC 14496-12 clause 6.2.2).
    const std::int32_t x_by_x = matrix[0], y_by_x = matrix[1], x_by_y = matrix[3], y_by_y = matrix[4];
    if (x_by_x == 0 && y_by_y == 0 && x_by_y != 0 && y_by_x != 0) {
        const char* const back = y_by_x > 0 ? "transpose=cclock_flip" : "transpose=cclock";
        const char* const clockwise = y_by_x > 0 ? "transpose=clock" : "transpose=clock_flip";
        return x_by_y > 0 ? back : clockwise;
    }
    if (x_by_y != 0 || y_by_x != 0) return {};
    const std::string across = x_by_x < 0 ? "hflip" : "", down = y_by_y < 0 ? "vflip" : "";
    return across + (across.empty() || down.empty() ? "" : ",") + down;
}

bool turns_picture(const std::string& filters) {
    constexpr std::array<std::string_view, 4> turning{"transpose", "rotate", "hflip", "vflip"};
    return std::ranges::any_of(turning, [&](std::string_view word) { return filters.find(word) != std::string::npos; });
}

} // namespace tandem
