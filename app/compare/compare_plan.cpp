// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_plan.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "app/compare/encoders/stream_encoder.h"
#include "app/compare/sweep/md5.h"
#include "app/encode/records/report.h"
#include "app/interrupt.h"
#include "encoder/reach.h"
#include "encoder/settings/setting_names.h"
#include "machine/errors.h"
#include "me/search.h"

namespace tandem {
namespace {

/// Those that are always told, then what else differs from the defaults.
std::string options_text(const CompareOptions& options, Algorithm search) {
    Settings settings = options.settings;
    settings.search.algorithm = search;
    std::string text =
        fmt::format("keyint={} bframes={} merange={}", settings.keyint, settings.bframes, chosen_range(settings));
    for (std::string_view rest = options.chosen; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        if (text.find(fmt::format("{}=", word.substr(0, word.find('=')))) == std::string::npos)
            text = with_words(text, std::string(word));
    }
    return with_words(text, options.conditions);
}

/// Points at rates are a curve of their own beside those at quantisers.
std::string rates_mark(const CompareOptions& options) { return options.bitrates.empty() ? "" : " at rates"; }

Series tandem_series(const CompareOptions& options, Codec codec, Algorithm search, const NamedDevice& device) {
    Series series;
    series.encoder = "tandem";
    series.codec = codec;
    series.search = search;
    series.device = device;
    series.options = options_text(options, search);
    series.name = fmt::format("tandem {} {} {}", name_of(codec_names, codec), search_row(search).name, device.name);
    series.name = with_words(with_words(series.name, options.chosen), options.conditions) + rates_mark(options);
    return series;
}

/// Of libavcodec's encoders, which put as many between all anchors: more than two cost them where ours are fewer.
int bframes_of_peers(const Settings& settings) {
    constexpr int most_fixed = 2;
    return settings.b_adapt == BAdapt::fixed ? settings.bframes : std::min(settings.bframes, most_fixed);
}

/// What a peer is told of Tandem's options; only what differs from the defaults where that is asked for.
std::string told_to(const Peer& peer, const Settings& settings, bool all) {
    const Settings defaults;
    std::string text;
    if (peer.kind != PeerKind::ffmpeg && (all || settings.keyint != defaults.keyint))
        text = fmt::format("keyint={}", settings.keyint);
    if (takes_bframes(peer) && (all || settings.bframes != defaults.bframes))
        text = with_words(text, fmt::format("bframes={}", bframes_of_peers(settings)));
    const RateSettings& rate = settings.rate;
    if (rate.vbv_bits > 0 && peer.kind != PeerKind::ffmpeg) {
        text = with_words(text, fmt::format("vbv-maxrate={:g} vbv-bufsize={:g}", rate.vbv_bits_per_second / 1000,
                                            rate.vbv_bits / 1000));
    }
    return text;
}

Series peer_series(const CompareOptions& options, const Peer& peer) {
    Series series;
    series.encoder = peer.encoder;
    series.peer = peer;
    std::string own = peer.text.substr(std::min(peer.text.size(), peer.encoder.size() + 1));
    // FFmpeg's arguments have colons of their own.
    if (peer.kind != PeerKind::ffmpeg) std::ranges::replace(own, ':', ' ');
    series.name = with_words(with_words(peer.encoder, own), told_to(peer, options.settings, false));
    series.name = with_words(series.name, options.conditions) + rates_mark(options);
    series.options = with_words(with_words(told_to(peer, options.settings, true), own), options.conditions);
    return series;
}

std::string key_of(const CompareOptions& options, const ComparedClip& clip, const Series& series,
                   const PointTarget& target) {
    Json all = {{"schema", 1},
                {"clip", clip.md5},
                {"size", {clip.format.width, clip.format.height}},
                {"rate", {clip.format.frame_rate.numerator, clip.format.frame_rate.denominator}},
                {"frames", clip.frames},
                {"idct", options.exact_idct},
                {"qp", target.qp},
                {"settings", series.peer ? told_to(*series.peer, options.settings, true)
                                         : settings_key(settings_of(options, series, target))},
                {"threads", options.settings.threads},
                {"who", series.peer ? series.peer->text : series.device.name}};
    if (target.kbps > 0) all["kbps"] = target.kbps;
    return md5_of(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void check_settings(const CompareOptions& options, const ComparedClip& clip, const Series& series,
                    const PointTarget& target) {
    if (series.peer) return check_target(*series.peer, target);
    const auto problems = settings_of(options, series, target).validate(clip.format);
    if (problems.empty()) return;
    std::string text;
    for (const std::string& problem : problems)
        text += (text.empty() ? "" : "; ") + problem;
    throw InputError(fmt::format("{} on {} at {}: {}", series.name, clip.path, words_of(target), text));
}

} // namespace

std::string stamp_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return "none";
    return fmt::format("{} {} {} {}.{:09}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec);
}

Json inspect_clip(const std::string& path, const CompareOptions& options) {
    const std::string stamp = stamp_of(path);
    const auto source = open_source(path, source_of(options, path));
    std::int64_t frames = 0;
    while ((!options.frames || frames < *options.frames) && source->read())
        ++frames;
    if (frames == 0) throw InputError(fmt::format("{}: it has no pictures", path));
    const VideoFormat& format = source->format();
    return {{"stamp", stamp},
            {"md5", md5_of_file(path)},
            {"frames", frames},
            {"width", format.width},
            {"height", format.height},
            {"rate", {format.frame_rate.numerator, format.frame_rate.denominator}},
            {"note", source->conversion_note()}};
}

std::vector<ComparedClip> compared_clips(const std::vector<std::string>& paths, const std::vector<Json>& inspected) {
    std::vector<ComparedClip> clips;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const Json& json = inspected[i];
        ComparedClip clip;
        clip.path = paths[i]; // JSON would spoil a name that is not UTF-8.
        clip.stamp = json["stamp"];
        clip.md5 = json["md5"];
        clip.frames = json["frames"];
        clip.format.width = json["width"];
        clip.format.height = json["height"];
        clip.format.frame_rate = {json["rate"][0], json["rate"][1]};
        clip.name = std::filesystem::path(clip.path).stem().string();
        for (const ComparedClip& other : clips) {
            if (other.md5 == clip.md5)
                throw InputError(fmt::format("{} and {} are the same clip", other.path, clip.path));
            if (other.name == clip.name) clip.name = clip.path;
        }
        clips.push_back(clip);
    }
    return clips;
}

std::vector<Series> all_series(const CompareOptions& options) {
    std::vector<Series> series;
    for (const Codec codec : options.codecs)
        for (const Algorithm search : options.searches)
            for (const NamedDevice& device : options.devices)
                series.push_back(tandem_series(options, codec, search, device));
    for (const Peer& peer : options.peers)
        series.push_back(peer_series(options, peer));
    return series;
}

Settings settings_of(const CompareOptions& options, const Series& series, const PointTarget& target) {
    Settings settings = options.settings;
    settings.codec = series.codec;
    settings.search.algorithm = series.search;
    settings.qp = target.qp > 0 ? target.qp : settings.qp;
    if (target.kbps > 0) settings.rate.bits_per_second = 1000.0 * target.kbps;
    return settings;
}

std::vector<PointTarget> targets_of(const CompareOptions& options) {
    std::vector<PointTarget> targets;
    for (const int qp : options.qps)
        targets.push_back({qp, 0});
    for (const int kbps : options.bitrates)
        targets.push_back({0, kbps});
    return targets;
}

PeerSettings peer_settings_of(const CompareOptions& options, const PointTarget& target, int threads) {
    const RateSettings& rate = options.settings.rate;
    return {target,
            options.settings.keyint,
            bframes_of_peers(options.settings),
            threads,
            static_cast<int>(rate.vbv_bits_per_second / 1000),
            static_cast<int>(rate.vbv_bits / 1000)};
}

ComparePlan make_plan(const CompareOptions& options, std::vector<ComparedClip> clips, std::vector<Series> series) {
    ComparePlan plan{std::move(clips), std::move(series), {}};
    const std::vector<PointTarget> targets = targets_of(options);
    std::set<std::string> names;
    for (const Series& one : plan.series)
        if (!names.insert(one.name).second) throw InputError(fmt::format("{} is asked for twice", one.name));
    for (std::size_t clip = 0; clip < plan.clips.size(); ++clip) {
        for (const Series& one : plan.series)
            for (const PointTarget& target : targets)
                check_settings(options, plan.clips[clip], one, target);
        for (const PointTarget& target : targets)
            for (std::size_t one = 0; one < plan.series.size(); ++one)
                plan.points.push_back({key_of(options, plan.clips[clip], plan.series[one], target), clip, one, target});
    }
    return plan;
}

} // namespace tandem
