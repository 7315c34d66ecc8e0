// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/input_rows.h"

#include <array>

#include "app/options/colour_names.h"
#include "app/options/option_choices.h"

namespace tandem {

std::span<const OptionRow> encode_input_rows() {
    using enum ValueKind;
    constexpr std::string_view files = "Input and output";
    constexpr double many = 1000000000; // of pictures
    // clang-format off
    static const std::array rows{
        OptionRow{"fps", 0, "N[/D]", ratio, "", 0, 0, files,
            "The frame rate of the stream (25, 30000/1001, 29.97): pictures are repeated or left out where the input has "
            "another. Of an input that does not say its rate it is that rate."},
        OptionRow{"assume-fps", 0, "N[/D]", ratio, "", 0, 0, files,
            "The frame rate that the input has, whatever it says itself; the times of its pictures do not count."},
        OptionRow{"seek", 0, "N|TIME", place, "0", 0, many, files,
            "Leaves out the first N pictures, or the time before this one: 12.5 (seconds), 1:23.5, 1:02:03."},
        OptionRow{"frames", 0, "N", integer, "", 1, many, files, "Takes at most N pictures."},
        OptionRow{"duration", 0, "TIME", time, "", 0, 0, files, "Takes at most so much: 90 (seconds), 12.5, 1:23.5."},
        OptionRow{"filter", 0, "CHAIN", text, "", 0, 0, files,
            "Filters of libavfilter between the decoder and the encoder, as FFmpeg's -vf has them: scale=1280:-2, "
            "crop=640:360, transpose=1, ..."},
        OptionRow{"interlaced", 0, choices<interlaced_names>(), choice, "deinterlace", 0, 0, files,
            "Pictures of two fields are deinterlaced (by libavfilter), or their lines are kept as they are."},
        OptionRow{"no-audio", 0, "", none, "", 0, 0, files, "Leaves out the sound, as --audio-codec none does."},
        OptionRow{"audio-codec", 0, choices<audio_codec_names>(), choice, "copy", 0, 0, files,
            "A container gets the sound of the input as it is, or none."},
        OptionRow{"sar", 0, "N:D", aspect, "", 0, 0, files, "The width of a sample by its height, whatever the input says."},
        OptionRow{"aspect", 0, "N:D", aspect, "", 0, 0, files, "The same by the picture's width and height: 4:3, 16:9."},
        OptionRow{"colorprim", 0, choices<primaries_names>(), choice, "", 0, 0, files,
            "The colour primaries that the stream declares, whatever the input says."},
        OptionRow{"transfer", 0, choices<transfer_names>(), choice, "", 0, 0, files, "The same of the transfer curve."},
        OptionRow{"colormatrix", 0, choices<matrix_names>(), choice, "", 0, 0, files, "The same of the matrix of RGB to YCbCr."},
    };
    // clang-format on
    return rows;
}

} // namespace tandem
