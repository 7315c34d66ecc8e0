// SPDX-License-Identifier: BSD-2-Clause
#include "video/codec.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tandem {

namespace {

// libavformat calls the program stream of ISO/IEC 11172-1 "mpeg" and that of 13818-1 "vob".
constexpr std::array<CodecRow, 2> rows{{
    {Codec::mpeg1, "mpeg1", "MPEG-1", "mpeg1video", ".m1v", "mpeg", "vob", true},
    {Codec::mpeg2, "mpeg2", "MPEG-2", "mpeg2video", ".m2v", "vob", "vob", false},
}};

} // namespace

std::span<const CodecRow> codec_table() { return rows; }

const CodecRow& codec_row(Codec codec) { return rows.at(static_cast<std::size_t>(codec)); }

const CodecRow* codec_by_extension(std::string_view extension) {
    const auto found = std::ranges::find(rows, extension, &CodecRow::extension);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace tandem
