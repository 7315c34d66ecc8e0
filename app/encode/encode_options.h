// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem encode` as a plain struct.
#pragma once

#include <optional>
#include <string>

#include "app/devices/device_choice.h"
#include "app/frame_reader.h"
#include "app/messages.h"
#include "app/options/arguments.h"
#include "encoder/mpeg/compatibility.h"
#include "encoder/settings.h"
#include "machine/simd_level.h"
#include "me/coprocessor/coprocessor.h"
#include "video/source.h"

namespace tandem {

struct EncodeOptions {
    Settings settings;
    std::string input, output;
    SourceOptions source;
    PartOfClip part;
    DeclaredFormat declared;
    bool sound = true;                                        ///< A container gets the input's.
    std::string matrix, recon, csv, report, trace, decisions; ///< Empty: not wanted.
    std::string qpfile;                                       ///< Empty: none.
    std::string pass_log;                                     ///< --stats; empty: none.
    bool reads_pass = false, writes_pass = false;             ///< That file, before and after.
    bool two_passes = false;
    ChosenOptions chosen; ///< What --compat leaves as it is.
    bool psnr = false, ssim = false, verify = false;
    DeviceChoice device;
    Split split = Split::automatic;
    bool verify_gpu = false;
    std::optional<SimdLevel> simd; ///< Nothing: the best.
};

} // namespace tandem
