// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <string_view>

extern "C" {
#include <libavutil/display.h>
#include <libavutil/mem.h>
}

namespace tandem {

std::span<const std::uint8_t> display_matrix_of(const AVStream& stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVCodecParameters& parameters = *stream.codecpar;
    const AVPacketSideData* data =
        av_packet_side_data_get(parameters.coded_side_data, parameters.nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data != nullptr ? std::span<const std::uint8_t>(data->data, data->size) : std::span<const std::uint8_t>();
#else
    std::size_t size = 0;
    const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data != nullptr ? std::span(data, size) : std::span<const std::uint8_t>();
#endif
}

void set_display_matrix(AVStream& stream, std::span<const std::uint8_t> matrix) {
    void* const copy = av_memdup(matrix.data(), matrix.size());
    if (copy == nullptr) throw std::bad_alloc();
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    AVCodecParameters& parameters = *stream.codecpar;
    const bool added = av_packet_side_data_add(&parameters.coded_side_data, &parameters.nb_coded_side_data,
                                               AV_PKT_DATA_DISPLAYMATRIX, copy, matrix.size(), 0) != nullptr;
#else
    const bool added = av_stream_add_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, static_cast<std::uint8_t*>(copy),
                                               matrix.size()) >= 0;
#endif
    if (added) return;
    av_free(copy);
    throw std::bad_alloc();
}

double rotation_of(const AVFrame& frame, const AVStream& stream) {
    const AVFrameSideData* own = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
    const auto matrix =
        own != nullptr ? std::span<const std::uint8_t>(own->data, own->size) : display_matrix_of(stream);
    if (matrix.size() < 9 * sizeof(std::int32_t)) return 0;
    const double angle = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix.data()));
    return std::isnan(angle) ? 0 : angle;
}

bool turns_picture(const std::string& filters) {
    constexpr std::array<std::string_view, 4> turning{"transpose", "rotate", "hflip", "vflip"};
    return std::ranges::any_of(turning, [&](std::string_view word) { return filters.find(word) != std::string::npos; });
}

} // namespace tandem
