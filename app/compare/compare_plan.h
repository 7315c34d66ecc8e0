// SPDX-License-Identifier: BSD-2-Clause
// What tandem compare runs: clips, series (one rate-distortion curve each) and points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/compare/compare_options.h"
#include "app/compare/encoders/stream_encoder.h"
#include "app/json.h"
#include "video/frame.h"

namespace tandem {

struct ComparedClip {
    std::string path, name, md5; ///< The name is unique in a plan.
    VideoFormat format;
    std::int64_t frames = 0; ///< That are coded.
    std::string stamp;       ///< As stamp_of() had it before anything was read.
};

/// Which file a clip is, how long it is and when it was changed last: where it is another text, so is the clip.
std::string stamp_of(const std::string& path);

struct Series {
    std::string encoder; ///< "tandem", or the peer's name.
    std::string name;    ///< "tandem mpeg2 full cpu", then what differs from the defaults.
    std::string options; ///< "keyint=12 bframes=0 merange=16 ...": what the encoder gets.
    std::optional<Peer> peer;
    // Tandem:
    Codec codec = Codec::mpeg2;
    Algorithm search = Algorithm::full;
    NamedDevice device;
};

struct ComparePoint {
    std::string key; ///< MD5 of all that the stream and its times depend on but the machine and the versions.
    std::size_t clip = 0, series = 0;
    PointTarget target;
};

struct ComparePlan {
    std::vector<ComparedClip> clips;
    std::vector<Series> series;
    std::vector<ComparePoint> points; ///< By clip, then target, then series.
};

/// Reads the whole clip: its MD5 and its pictures. For use inside run_in_child().
Json inspect_clip(const std::string& path, const CompareOptions& options);
/// From what inspect_clip() gave for each path; names are made unique.
std::vector<ComparedClip> compared_clips(const std::vector<std::string>& paths, const std::vector<Json>& inspected);

/// Every series of the options, whether this machine can run it or not.
std::vector<Series> all_series(const CompareOptions& options);

/// Throws InputError for settings that do not fit a clip.
ComparePlan make_plan(const CompareOptions& options, std::vector<ComparedClip> clips, std::vector<Series> series);

/// The quantisers or the rates of the options.
std::vector<PointTarget> targets_of(const CompareOptions& options);

/// The settings of one point of Tandem.
Settings settings_of(const CompareOptions& options, const Series& series, const PointTarget& target);

/// What a point asks of a peer.
PeerSettings peer_settings_of(const CompareOptions& options, const PointTarget& target, int threads);

} // namespace tandem
