// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/picture_coder.h"

#include "encoder/mpeg/mpeg_picture_coder.h"

namespace tandem {

std::unique_ptr<PictureCoder> make_picture_coder(const Settings& settings, const VideoFormat& format, TaskPool& pool,
                                                 Trace* trace) {
    return std::make_unique<MpegPictureCoder>(settings, format, pool, trace);
}

} // namespace tandem
