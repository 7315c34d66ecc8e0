// SPDX-License-Identifier: BSD-2-Clause
#include "tests/bitstream/small_picture.h"

namespace tandem::test {

MpegSequence cif() {
    MpegSequence sequence;
    sequence.width = 352;
    sequence.height = 288;
    sequence.frame_rate_code = 5;
    return sequence;
}

MpegPicture small_picture() {
    MpegPicture picture;
    picture.type = PictureType::predicted;
    picture.f_code = {{{2, 1}, {15, 15}}};
    picture.resize(3, 1);
    picture.slices = {{0, 3}};
    picture.flags = {mb_forward, mb_skipped, mb_intra};
    picture.pattern = {32, 0, 63};
    picture.quantiser_scale_code = {6, 6, 31};
    picture.forward[0] = {-5 * eighths_per_half_pel, 2 * eighths_per_half_pel};
    picture.nonzero[0] = 0b1001;
    picture.levels[0] = -1;
    picture.levels[3] = 300;
    for (std::size_t block = 12; block < 18; ++block)
        picture.levels[block * 64] = 128;
    picture.levels[12 * 64] = 125;
    picture.nonzero[13] = std::uint64_t{1} << 63;
    picture.levels[13 * 64 + 63] = -1;
    return picture;
}

MpegSequence small_sequence() {
    MpegSequence sequence = cif();
    sequence.width = 48;
    sequence.height = 16;
    return sequence;
}

} // namespace tandem::test
