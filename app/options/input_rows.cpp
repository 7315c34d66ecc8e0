// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/input_rows.h"

#include "app/options/input_names.h"
#include "app/options/shared_rows.h"
#include "encoder/settings/colour_names.h"

namespace tandem {

std::vector<OptionRow> encode_input_rows() {
    using enum ValueKind;
    using section::files;
    // clang-format off
    return {
        {"fps", 0, "N[/D]", ratio, "", 0, 0, files,
            "The frame rate of the stream (25, 30000/1001, 29.97): pictures are repeated or left out where the input has "
            "another. Of an input that does not say its rate it is that rate."},
        {"assume-fps", 0, "N[/D]", ratio, "", 0, 0, files,
            "The frame rate that the input has, whatever it says itself; the times of its pictures do not count."},
        {"seek", 0, "N|TIME", place, "0", 0, most_pictures, files,
            "Leaves out the first N pictures, or the time before this one: 12.5 (seconds), 1:23.5, 1:02:03."},
        {"frames", 0, "N", integer, "", 1, most_pictures, files, "Takes at most N pictures.", false, {}, true},
        {"duration", 0, "TIME", time, "", 0, 0, files, "Takes at most so much: 90 (seconds), 12.5, 1:23.5."},
        {"filter", 0, "CHAIN", text, "", 0, 0, files,
            "Filters of libavfilter between the decoder and the encoder, as FFmpeg's -vf has them: scale=1280:-2, "
            "crop=640:360, transpose=1, ..."},
        {"interlaced", 0, joined_names(interlaced_names, "|"), choice, "deinterlace", 0, 0, files,
            "Pictures of two fields are deinterlaced (by libavfilter), or their lines are kept as they are."},
        {"no-audio", 0, "", none, "", 0, 0, files, "Leaves out the sound, as --audio-codec none does."},
        {"audio-codec", 0, joined_names(audio_codec_names, "|"), choice, "copy", 0, 0, files,
            "A container gets the sound of the input as it is, or none."},
        {"sar", 0, "N:D", aspect, "", 0, 0, files, "The width of a sample by its height, whatever the input says."},
        {"aspect", 0, "N:D", aspect, "", 0, 0, files, "The same by the picture's width and height: 4:3, 16:9."},
        {"colorprim", 0, joined_names(primaries_names, "|"), choice, "", 0, 0, files,
            "The colour primaries that the stream declares, whatever the input says."},
        {"transfer", 0, joined_names(transfer_names, "|"), choice, "", 0, 0, files, "The same of the transfer curve."},
        {"colormatrix", 0, joined_names(matrix_names, "|"), choice, "", 0, 0, files, "The same of the matrix of RGB to YCbCr."},
        {.name = "range", .argument = joined_names(range_names, "|"), .kind = choice, .section = files,
         .help = "The range of luma, whatever the input says: limited is 16 to 235, full 0 to 255. Samples stay as they are; "
            "RGB becomes that. MPEG has no code for full range, and its decoders expect limited: .mkv and .mp4 alone can say "
            "it. Without this option full range becomes limited. A number is the reach of the search, as --merange has it.",
         .number_is = "merange"},
    };
    // clang-format on
}

} // namespace tandem
