// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem encode` as a plain struct.
#pragma once

#include <optional>
#include <string>

#include "app/device_choice.h"
#include "app/messages.h"
#include "app/options/arguments.h"
#include "encoder/settings.h"
#include "machine/simd_level.h"
#include "me/coprocessor/coprocessor.h"
#include "video/source.h"

namespace tandem {

struct EncodeOptions {
    Settings settings;
    std::string input, output;
    SourceOptions source;
    std::int64_t seek = 0;
    std::optional<std::int64_t> frames;              ///< Nothing: all.
    std::string matrix, recon, stats, report, trace; ///< Empty: not wanted.
    bool psnr = false, ssim = false, verify = false;
    DeviceChoice device;
    Split split = Split::automatic;
    bool verify_gpu = false;
    std::optional<SimdLevel> simd; ///< Nothing: the best.
};

/// Throws InputError for what the table cannot check: a matrix file that is wrong, one file in two roles.
EncodeOptions encode_options(const Arguments& arguments);

Verbosity verbosity_of(const Arguments& arguments);

} // namespace tandem
