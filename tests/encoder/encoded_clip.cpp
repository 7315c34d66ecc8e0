// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/encoded_clip.h"

#include <map>
#include <mutex>
#include <tuple>

namespace tandem::test {

namespace {

SceneParams params_of(SceneKind kind, int width, int height) {
    SceneParams params;
    params.kind = kind;
    params.width = width;
    params.height = height;
    params.frames = 1000;
    params.seed = 5;
    params.speed = Point{2.5, -1.25};
    return params;
}

} // namespace

Clip scene_clip(int width, int height, int frames, SceneKind kind) {
    static std::map<std::tuple<SceneKind, int, int>, Clip> drawn;
    Clip& clip = drawn[{kind, width, height}];
    if (static_cast<int>(clip.size()) < frames) {
        const Scene scene(params_of(kind, width, height));
        while (static_cast<int>(clip.size()) < frames)
            clip.push_back(scene.render(static_cast<std::int64_t>(clip.size())));
    }
    return {clip.begin(), clip.begin() + frames};
}

std::vector<FramePtr> EncodedClip::reconstructions() const {
    std::vector<FramePtr> frames(pictures.size());
    for (const CodedPicture& picture : pictures)
        frames.at(static_cast<std::size_t>(picture.stats.display_index)) = picture.reconstruction;
    return frames;
}

VideoFormat format_of(const Clip& clip) {
    VideoFormat format;
    format.width = clip.front()->width();
    format.height = clip.front()->height();
    return format;
}

namespace {

Encoder::Output taker_for(EncodedClip& encoded) {
    return [&encoded](const EncodedPicture& picture) {
        CodedPicture coded;
        coded.stats = picture.stats;
        coded.key = picture.key;
        coded.bytes.assign(picture.bytes.begin(), picture.bytes.end());
        coded.source = picture.source;
        coded.reconstruction = picture.reconstruction;
        encoded.bytes.insert(encoded.bytes.end(), coded.bytes.begin(), coded.bytes.end());
        encoded.pictures.push_back(std::move(coded));
    };
}

void encode_all(const Clip& clip, Encoder& encoder, EncodedClip& encoded) {
    for (const FramePtr& frame : clip)
        encoder.push(*frame);
    const std::vector<std::uint8_t> end = encoder.finish();
    encoded.end_bytes = end.size();
    encoded.bytes.insert(encoded.bytes.end(), end.begin(), end.end());
}

} // namespace

EncodedClip encode(const Settings& settings, const VideoFormat& format, const Clip& clip, Coprocessor& motion) {
    EncodedClip encoded;
    encoded.format = format;
    Encoder encoder(settings, format, motion, taker_for(encoded));
    encode_all(clip, encoder, encoded);
    return encoded;
}

EncodedClip encode(const Settings& settings, const VideoFormat& format, const Clip& clip, Coprocessor& motion,
                   TaskPool& pool, const CodingDevices& devices) {
    EncodedClip encoded;
    encoded.format = format;
    Encoder encoder(settings, format, motion, pool, taker_for(encoded), nullptr, devices);
    encode_all(clip, encoder, encoded);
    return encoded;
}

EncodedClip encode(const Settings& settings, const VideoFormat& format, const Clip& clip) {
    Coprocessor motion({}, make_cpu_estimator(1));
    return encode(settings, format, clip, motion);
}

EncodedClip encode(const Settings& settings, const Clip& clip) { return encode(settings, format_of(clip), clip); }

Settings quick_settings(Codec codec) {
    Settings settings;
    settings.codec = codec;
    settings.search.algorithm = Algorithm::full;
    settings.range = 8;
    settings.decision = Decision::cost;
    settings.keyint = 12;
    settings.scenecut = settings.bframes = 0;
    settings.b_adapt = BAdapt::fixed;
    settings.mbtree = false;
    settings.threads = 1;
    return settings;
}

} // namespace tandem::test
