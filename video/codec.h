// SPDX-License-Identifier: BSD-2-Clause
// The codecs: one row each, with what every room may ask of it.
#pragma once

#include <span>
#include <string_view>

namespace tandem {

enum class Codec {
    mpeg1, ///< ISO/IEC 11172-2.
    mpeg2, ///< ISO/IEC 13818-2, Main Profile (High Profile for 11 bits of intra DC), progressive.
};

struct CodecRow {
    Codec codec;
    std::string_view name;      ///< As options and reports say it: "mpeg2".
    std::string_view title;     ///< As sentences say it: "MPEG-2".
    const char* libavcodec;     ///< The name of libavcodec's decoder.
    std::string_view extension; ///< Of a file that holds the bare stream and says so: ".m2v".
    /// libavformat's names of the program stream that carries it, in a .mpg and in a .vob.
    const char *program_stream, *video_object;
    bool private_in_blu_ray; ///< In an .m2ts it is private data, which some players leave out.
};

/// In the order of Codec.
std::span<const CodecRow> codec_table();
const CodecRow& codec_row(Codec codec);
/// The codec whose bare streams have this extension; null: none, or it may be any.
const CodecRow* codec_by_extension(std::string_view extension);

} // namespace tandem
