// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/writing/disc_sound.h"

#include <algorithm>
#include <array>
#include <span>

#include "video/libav/libav_functions.h"

namespace tandem {

namespace {

struct AllowedSound {
    AVCodecID codec;
    int least_kbps, most_kbps;
};

struct DiscSound {
    std::string_view disc;
    int samples_per_second;
    std::span<const AllowedSound> allowed;
    int most_streams;
    int most_kbps; ///< Of pictures and sound together.
};

// Video CD 2.0: layer II at 224 kbit/s. Super Video CD: layer II, two streams. DVD: eight streams.
constexpr std::array<AllowedSound, 1> vcd_sound{{{AV_CODEC_ID_MP2, 224, 224}}};
constexpr std::array<AllowedSound, 1> svcd_sound{{{AV_CODEC_ID_MP2, 32, 384}}};
constexpr std::array<AllowedSound, 4> dvd_sound{{{AV_CODEC_ID_AC3, 64, 448},
                                                 {AV_CODEC_ID_MP2, 64, 384},
                                                 {AV_CODEC_ID_DTS, 64, 1536},
                                                 {AV_CODEC_ID_PCM_S16BE, 768, 6144}}};
constexpr std::array<DiscSound, 3> discs{
    {{"vcd", 44100, vcd_sound, 1, 1394}, {"svcd", 44100, svcd_sound, 2, 2778}, {"dvd", 48000, dvd_sound, 8, 10080}}};

std::string codec_names(const DiscSound& disc) {
    std::string names;
    for (const AllowedSound& each : disc.allowed)
        names += (names.empty() ? "" : ", ") + std::string(libav().avcodec_get_name(each.codec));
    return names;
}

std::string problem_of(const DiscSound& disc, const AVCodecParameters& sound) {
    const auto allowed = std::ranges::find(disc.allowed, sound.codec_id, &AllowedSound::codec);
    const std::string name = libav().avcodec_get_name(sound.codec_id);
    if (allowed == disc.allowed.end()) return "the sound is " + name + "; allowed are " + codec_names(disc);
    if (sound.sample_rate != disc.samples_per_second)
        return "the sound has " + std::to_string(sound.sample_rate) + " samples a second; they must be " +
               std::to_string(disc.samples_per_second);
    const auto kbps = static_cast<int>((sound.bit_rate + 999) / 1000);
    if (kbps == 0 || (kbps >= allowed->least_kbps && kbps <= allowed->most_kbps)) return {};
    return "the sound (" + name + ") has " + std::to_string(kbps) + " kbit/s; allowed are " +
           std::to_string(allowed->least_kbps) + " to " + std::to_string(allowed->most_kbps);
}

} // namespace

std::string problem_of_sound(const AVFormatContext& streams, std::string_view name, int video_kbps) {
    const auto disc = std::ranges::find(discs, name, &DiscSound::disc);
    if (disc == discs.end()) return {};
    int count = 0;
    std::int64_t bits = std::int64_t{video_kbps} * 1000;
    for (unsigned i = 0; i < streams.nb_streams; ++i) {
        const AVCodecParameters& each = *streams.streams[i]->codecpar;
        if (each.codec_type != AVMEDIA_TYPE_AUDIO) continue;
        if (std::string problem = problem_of(*disc, each); !problem.empty()) return problem;
        bits += each.bit_rate;
        ++count;
    }
    if (count > disc->most_streams)
        return "there are " + std::to_string(count) + " streams of sound; at most " +
               std::to_string(disc->most_streams) + " are allowed";
    const std::int64_t kbps = (bits + 999) / 1000;
    if (count == 0 || kbps <= disc->most_kbps) return {};
    return "pictures and sound have " + std::to_string(kbps) + " kbit/s at most together; at most " +
           std::to_string(disc->most_kbps) + " are allowed (--vbv-maxrate, --bitrate)";
}

} // namespace tandem
