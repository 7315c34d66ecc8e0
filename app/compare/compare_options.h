// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem compare` as a plain struct.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/compare/encoders/peer.h"
#include "app/devices/device_choice.h"
#include "app/options/arguments.h"
#include "encoder/settings.h"
#include "machine/simd_level.h"
#include "video/source.h"

namespace tandem {

struct NamedDevice {
    std::string name; ///< As the user wrote it: "cpu", "gpu", "gpu:0,1".
    DeviceChoice choice;
};

struct CompareOptions {
    std::vector<std::string> clips;
    SourceOptions source;
    std::optional<std::int64_t> frames; ///< At most so many pictures of each clip.
    std::string folder;

    std::vector<Codec> codecs;
    std::vector<Algorithm> searches;
    std::vector<NamedDevice> devices;
    bool devices_are_chosen = false; ///< By the user: the GPU, where it is missing, is missed.
    std::vector<int> qps;            ///< Empty where there are bit rates.
    std::vector<int> bitrates; ///< kbit/s: points at equal rates, which every encoder is to keep by its own control.
    std::vector<Peer> peers;
    bool peers_are_chosen = false;
    /// For every point of Tandem; codec, search and quantiser are the point's own.
    Settings settings;
    std::string chosen;     ///< The options of Tandem's stream that differ from their defaults: "merange=32 trellis=0".
    std::string conditions; ///< The same of what holds for every encoder: "threads=4 idct=exact".

    int repeat = 1;
    bool exact_idct = false, fresh = false, keep_streams = false, report_only = false, list_points = false;
    bool wants_vmaf = true; ///< Where the ffmpeg command can measure it.
    std::string point;      ///< The key or number of the one point that is wanted; empty: all.
    std::string anchor;
    std::optional<SimdLevel> simd;
};

/// How a clip is read: `--input-res` is for raw ones whose names do not tell their size.
SourceOptions source_of(const CompareOptions& options, const std::string& clip);

/// One text after the other, with a blank between them where neither is empty.
std::string with_words(const std::string& text, const std::string& more);

/// Throws InputError for lists that are wrong and options that exclude each other.
CompareOptions compare_options(const Arguments& arguments);

} // namespace tandem
