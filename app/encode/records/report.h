// SPDX-License-Identifier: BSD-2-Clause
// --report: one encode as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/encode/encode_options.h"
#include "app/encode/records/picture_record.h"
#include "video/frame.h"

namespace tandem {

struct VerifiedPictures {
    std::int64_t pictures = 0;
    double total_psnr = 0, worst_psnr = 0;
};

struct ReportContents {
    const EncodeOptions& options;
    const VideoFormat& format;
    const Totals& totals;
    bool interrupted = false;
    std::optional<VerifiedPictures> verified;
};

/// JSON with a newline at its end. The PSNR of identical pictures is the string "inf"; bytes of file names that are
/// not UTF-8 are replaced.
std::string report_text(const ReportContents& contents);

/// Every setting by its key, as JSON.
std::string settings_text(const Settings& settings);

/// The same sorted by the keys, so that it does not depend on the order of the rows.
std::string settings_key(const Settings& settings);

} // namespace tandem
