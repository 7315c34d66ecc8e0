// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/codecs.h"

#include <array>

#include "encoder/mpeg/mpeg_picture_coder.h"

namespace tandem {

namespace {

using Make = std::unique_ptr<PictureCoder> (*)(const Settings&, const VideoFormat&, TaskPool&, Trace*,
                                               const CodingDevices&);

std::unique_ptr<PictureCoder> make_mpeg(const Settings& settings, const VideoFormat& format, TaskPool& pool,
                                        Trace* trace, const CodingDevices& devices) {
    return std::make_unique<MpegPictureCoder>(settings, format, pool, trace, devices);
}

/// By Codec.
constexpr std::array<Make, 2> makers{make_mpeg, make_mpeg};

} // namespace

std::unique_ptr<PictureCoder> make_picture_coder(const Settings& settings, const VideoFormat& format, TaskPool& pool,
                                                 Trace* trace, const CodingDevices& devices) {
    return makers.at(static_cast<std::size_t>(settings.codec))(settings, format, pool, trace, devices);
}

} // namespace tandem
