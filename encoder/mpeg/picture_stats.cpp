// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/picture_stats.h"

#include "me/length.h"

namespace tandem {

void count_macroblocks(const MpegPicture& picture, PictureStats& stats) {
    double length = 0;
    int vectors = 0;
    for (std::size_t i = 0; i < picture.flags.size(); ++i) {
        const std::uint8_t flags = picture.flags[i];
        const bool uses_forward = (flags & mb_forward) != 0;
        const bool uses_backward = (flags & mb_backward) != 0;
        if (flags & mb_intra) {
            ++stats.intra;
            continue;
        }
        if (uses_forward) length += length_in_pels(picture.forward[i]);
        if (uses_backward) length += length_in_pels(picture.backward[i]);
        // A P macroblock without a vector in the stream predicts by the zero vector all the same.
        vectors += uses_forward && uses_backward ? 2 : 1;
        if (flags & mb_skipped) {
            ++stats.skipped;
            continue;
        }
        ++(uses_forward && uses_backward ? stats.both : uses_backward ? stats.backward : stats.forward);
        const bool still =
            (!uses_forward || picture.forward[i] == Mv{}) && (!uses_backward || picture.backward[i] == Mv{});
        if (still) ++stats.zero_motion;
    }
    stats.mean_mv = vectors > 0 ? length / vectors : 0.0;
}

} // namespace tandem
