// SPDX-License-Identifier: BSD-2-Clause
// Clips as pictures behind handles.
#include <memory>
#include <new>
#include <string>

#include "c/c_handles.h"
#include "video/source.h"

tandem_status tandem_clip_open(const char* path, tandem_clip** clip) {
    if (clip == nullptr) return TANDEM_BAD_INPUT;
    *clip = new (std::nothrow) tandem_clip;
    if (*clip == nullptr) return TANDEM_FAILED;
    return tandem::guarded((*clip)->message, [&] {
        if (path == nullptr) throw tandem::InputError("path: NULL");
        tandem::SourceOptions options;
        options.keep_full_range = true;
        (*clip)->source = tandem::open_source(path, options);
    });
}

tandem_status tandem_clip_read(tandem_clip* clip, tandem_picture_handle** picture) {
    if (picture != nullptr) *picture = nullptr;
    if (clip == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(clip->message, [&] {
        if (picture == nullptr) throw tandem::InputError("picture: there is no place for it");
        if (!clip->source) throw tandem::InputError("this clip could not be opened");
        auto made = std::make_unique<tandem_picture_handle>();
        made->frame = clip->source->read();
        made->has_chroma = true;
        if (made->frame) *picture = made.release();
    });
}

const char* tandem_clip_message(const tandem_clip* clip) {
    return clip != nullptr ? clip->message.c_str() : "there is no clip";
}

void tandem_clip_close(tandem_clip* clip) { delete clip; }
