// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/promised_pictures.h"

#include <string_view>

#include "video/libav/libav_functions.h"

namespace tandem {

std::optional<std::int64_t> promised_pictures(const AVFormatContext& file, AVStream& stream) {
    if (stream.nb_frames <= 0) return std::nullopt;
    const bool has_edit_lists = std::string_view(file.iformat->name).find("mp4") != std::string_view::npos;
    const int entries = libav().avformat_index_get_entries_count(&stream);
    std::int64_t empty = 0, left_out = 0;
    for (int i = 0; i < entries; ++i) {
        const AVIndexEntry& entry = *libav().avformat_index_get_entry(&stream, i);
        empty += entry.size == 0 ? 1 : 0;
        left_out += (entry.flags & AVINDEX_DISCARD_FRAME) != 0 ? 1 : 0;
    }
    return has_edit_lists ? entries - left_out : stream.nb_frames - empty;
}

} // namespace tandem
