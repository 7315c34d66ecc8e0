// SPDX-License-Identifier: BSD-2-Clause
// Who codes the pictures of each codec. What a codec can say is in codec_syntax.h.
#pragma once

#include <memory>

#include "coding/coding_devices.h"
#include "encoder/picture_coder.h"

namespace tandem {

/// `pool`, `trace` (may be null) and `devices` outlive the coder. The settings have passed validate().
std::unique_ptr<PictureCoder> make_picture_coder(const Settings& settings, const VideoFormat& format, TaskPool& pool,
                                                 Trace* trace, const CodingDevices& devices);

} // namespace tandem
