// SPDX-License-Identifier: BSD-2-Clause
// Clips to encode and an encode in one call.
#pragma once

#include <vector>

#include "encoder/encoder.h"
#include "sequences/scene.h"

namespace tandem::test {

using Clip = std::vector<FramePtr>;

/// The first `frames` pictures of a scene: objects move over a background that moves by fractions of a pel. Drawn once
/// per kind and size.
Clip scene_clip(int width, int height, int frames, SceneKind kind = SceneKind::objects);

struct CodedPicture {
    PictureStats stats;
    bool key = false;
    std::vector<std::uint8_t> bytes;
    FramePtr source, reconstruction; ///< Coded size.
};

struct EncodedClip {
    VideoFormat format;
    std::vector<std::uint8_t> bytes;               ///< The whole stream.
    std::vector<CodedPicture> pictures;            ///< In coding order.
    std::size_t end_bytes = 0;                     ///< Behind the last picture.
    std::vector<FramePtr> reconstructions() const; ///< In display order.
};

VideoFormat format_of(const Clip& clip);

EncodedClip encode(const Settings& settings, const VideoFormat& format, const Clip& clip, Coprocessor& motion);
/// On the threads of a pool, and on devices.
EncodedClip encode(const Settings& settings, const VideoFormat& format, const Clip& clip, Coprocessor& motion,
                   TaskPool& pool, const CodingDevices& devices);
/// With a coprocessor of one CPU thread.
EncodedClip encode(const Settings& settings, const VideoFormat& format, const Clip& clip);
EncodedClip encode(const Settings& settings, const Clip& clip);

/// What tests take where they do not ask for something else: one thread and a small range, quick on small pictures.
Settings quick_settings(Codec codec = Codec::mpeg2);

} // namespace tandem::test
