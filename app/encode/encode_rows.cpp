// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/encode_rows.h"

#include "app/encode/foreign_options.h"
#include "app/encode/preset_option.h"
#include "app/options/input_rows.h"
#include "app/options/setting_options.h"
#include "app/options/shared_rows.h"
#include "encoder/settings/setting_rows.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

// clang-format off
std::vector<OptionRow> file_rows() {
    return {

    {"output", 'o', "FILE", file, "", 0, 0, files,
        "The coded stream. Its extension chooses the container: .m1v .m2v .m2ve .mpv .bin and - (standard output) are "
        "elementary streams; .mpg .mpeg .vob .ts .m2ts .mkv .mp4 .mov .avi are written by libavformat. The file "
        "appears under its name only when it is complete.", true, {}, true},
    input_res_row(),
    };
}

std::vector<OptionRow> recon_rows() {
    return {
    {"recon", 0, "FILE", file, "", 0, 0, files,
        "Writes what a decoder will show, in display order, as .y4m or .yuv."},
    };
}

std::vector<OptionRow> pass_rows() {
    return {
    {"pass", 0, "1|2|3", choice, "", 0, 0, rate,
        "1: leaves what the next pass needs in --stats, and may miss --bitrate by more than one pass does; 2: shares out the "
        "bits of --bitrate by it; 3: both."},
    {"stats", 0, "FILE", file, "", 0, 0, rate, "The log of --pass: text that names its version."},
    {"two-pass", 0, "", none, "", 0, 0, rate, "Codes all pictures twice, as --pass 1 and 2, without a file between."},
    {"zones", 0, "LIST", text, "", 0, 0, rate,
        "Parts that are coded otherwise, as FIRST,LAST,q=QUANTISER or FIRST,LAST,b=TIMES, with / between them; pictures "
        "are counted from 0 in display order, and b=0.5 gives them half the bits."},
    {"qpfile", 0, "FILE", file, "", 0, 0, rate,
        "Types and quantisers of single pictures: lines of a number in display order, a type (I, P or B) and a "
        "quantiser, or -1. Pictures that are not named are chosen around them."},
    };
}

std::vector<OptionRow> matrix_rows() {
    return {
    {"cqm", 0, "flat|mpeg", choice, "flat", 0, 0, quantiser,
        "The intra matrix. flat: all of it alike, which leaves the least squared error; mpeg: the standard's, coarser for "
        "fine detail."},
    {"matrix", 0, "FILE", file, "", 0, 0, quantiser,
        "Quantiser matrices of one's own: 64 numbers for intra, or 128 for intra and then non-intra, 1..255, row by row, the "
        "first of the intra matrix 8; separated by spaces, commas or lines; # begins a comment."},
    };
}

std::vector<OptionRow> other_rows() {
    return {
    device_row(), split_row(), simd_row(),

    {"psnr", 0, "", none, "", 0, 0, measures,
        "Measures PSNR (from the mean squared error of all pictures). --csv and --report measure both anyhow.",
        false, {}, true},
    {"ssim", 0, "", none, "", 0, 0, measures, "Measures SSIM of luma (8x8 windows, every fourth sample)."},
    {"verify", 0, "", none, "", 0, 0, measures,
        "Decodes the stream with libavcodec as it is written and compares the pictures with the reconstruction; "
        "fails when their number differs or the PSNR of one is not over 50 dB or of all not over 60 dB."},
    {"verify-gpu", 0, "", none, "", 0, 0, measures,
        "Searches on the CPU too what the GPUs search, and stops with the picture and the block at the first difference."},
    {"csv", 0, "FILE", file, "", 0, 0, measures, "Writes a row of CSV for each picture, in coding order."},
    report_row(), trace_row(),
    {"decisions", 0, "FILE", file, "", 0, 0, measures,
        "Writes what was decided of every macroblock, what it cost and what lost, for tandem view and NumPy (docs/view.md). "
        "Pictures are then coded on the CPU."},
    };
}
// clang-format on

} // namespace

std::vector<OptionRow> encode_rows() {
    return rows_by_section({file_rows(),
                            encode_input_rows(),
                            recon_rows(),
                            {preset_row(), tune_row()},
                            options_of(setting_rows()),
                            pass_rows(),
                            matrix_rows(),
                            other_rows(),
                            message_rows()});
}

namespace {

/// --range with a word is that of the samples in this command, and has a row; with a number it is --merange here too.
std::vector<OptionRow> rows_of_the_command() {
    std::vector<OptionRow> rows = encode_rows();
    for (OptionRow& row : rows)
        if (row.also == "range") row.also = {};
    return rows;
}

} // namespace

CommandRow encode_command() {
    return {
        "encode",
        "Codes raw video as MPEG-1 or MPEG-2",
        "INPUT",
        file,
        "The pictures; - is standard input.",
        rows_of_the_command(),
        "INPUT is a .y4m file, a raw .yuv file, - for standard input (y4m, or raw with --input-res), or "
        "anything that libavformat opens, whose video is converted to 8-bit 4:2:0, with a warning where it is "
        "something else. Where the output is a container, the sound and what else the input has are copied into it.\n"
        "The stream depends on options, format and pictures alone, not on threads, runs or (but for --me poc) "
        "devices.\n"
        "An interrupt (SIGINT, SIGTERM) ends the stream cleanly with what is coded so far; a second one ends the "
        "program.",
        {},
        {},
        {{"tandem encode clip.y4m -o clip.m2v", "codes a clip as MPEG-2 with the defaults"},
         {"tandem encode film.mkv -o film.mpg --bitrate 4000 --two-pass", "keeps a bit rate"},
         {"tandem encode film.mkv -o film.m2v --frames 100 --psnr", "tries the first 100 pictures, and measures"}},
        foreign_answer};
}

} // namespace tandem
