// SPDX-License-Identifier: BSD-2-Clause
// One stream as the page shows it: its pictures as images, and all that is known of them as data.
#pragma once

#include <cstdint>
#include <string>

#include "app/json.h"
#include "video/libav/writing/web_image.h"
#include "video/source.h"

namespace tandem {

struct ViewOptions {
    std::string source; ///< The clip that was coded; empty: not known.
    SourceOptions source_options;
    std::int64_t skipped = 0, most = 60; ///< Pictures.
    WebImage images = WebImage::webp;
    int quality = 85; ///< Of WebP, 0..100.
};

/// Reads `path`, and what `decisions` (may be empty) says of it. Throws InputError for what cannot be read, or does not
/// belong together; Interrupted after an interrupt.
Json viewed_stream(const std::string& path, const std::string& decisions, const ViewOptions& options);

} // namespace tandem
