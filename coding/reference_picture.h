// SPDX-License-Identifier: BSD-2-Clause
// A rebuilt picture that later pictures are predicted from, whatever the codec.
#pragma once

#include <memory>

#include "video/frame.h"

namespace tandem {

/// Each codec has its own kind, with what its prediction reads beside the samples. It may be handed on while it is
/// still being rebuilt; the codec's own kind says which rows are there.
struct ReferencePicture {
    explicit ReferencePicture(FramePtr frame) : reconstruction(std::move(frame)) {}
    virtual ~ReferencePicture() = default;
    FramePtr reconstruction; ///< At coded size.
};
using ReferencePicturePtr = std::shared_ptr<ReferencePicture>;

} // namespace tandem
