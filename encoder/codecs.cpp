// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/codecs.h"

#include <array>

#include "encoder/mpeg/mpeg_picture_coder.h"

namespace tandem {

namespace {

std::unique_ptr<PictureCoder> make_mpeg(const Settings& settings, const VideoFormat& format, TaskPool& pool,
                                        Trace* trace, const CodingDevices& devices) {
    return std::make_unique<MpegPictureCoder>(settings, format, pool, trace, devices);
}

// Every level of MPEG-2 may carry vectors of 127 pels (13818-2 table 8-9); MPEG-1's f_code 7 says 511.
constexpr std::array<CodecTools, 2> rows{{
    {Codec::mpeg1, 4095, 511, false, false, make_mpeg},
    {Codec::mpeg2, 16383, 127, true, true, make_mpeg},
}};

} // namespace

const CodecTools& codec_tools(Codec codec) { return rows.at(static_cast<std::size_t>(codec)); }

} // namespace tandem
