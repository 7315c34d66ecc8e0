// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/motion_rows.h"

#include "app/options/setting_options.h"
#include "app/options/shared_rows.h"
#include "me/rows/search_rows.h"
#include "me/search.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

// clang-format off
std::vector<OptionRow> file_rows() {
    return {
    {"output", 'o', "FIELD", file, "", 0, 0, files,
        "Writes the field; the extension chooses the format: .tmf (Tandem's own, everything), .npy, .flo, .csv "
        "(FFmpeg's AVMotionVector), .yuview.csv, .jsonl."},
    {"step", 0, "N", integer, "1", 1, 64, files, "The reference is the picture N before."},
    input_res_row(), fps_row(), seek_row(), frames_row(),
    };
}

std::vector<OptionRow> block_rows() {
    return {
    {"block", 0, "WxH", size, "16x16", 4, 128, motion, "Size of a block, each side 4 to 128."},
    {"merange", 0, "N|X,Y|picture", range, "16", 0, largest_range, motion,
        "Whole pels each way, one number or two; picture: as far as the picture goes, 4080 at most. Where the "
        "search begins at predictors it is about those, and 8,4 with predictive if not given.",
        false, "range"},
    };
}

std::vector<OptionRow> predictor_rows() {
    return {
    {"predictor", 0, "zero|previous|hint|neighbours", choice, "", 0, 0, motion,
        "What a vector's bits are counted from, and where some searches begin: zero, the field of the pair before, "
        "--hint, or the median of the neighbours in a first pass (which takes --hint). [default zero, with --hint hint]"},
    {"hint", 0, "FIELD", file, "", 0, 0, motion,
        "A field from a file (.tmf, .npy, .flo) as predictor, or for --me given as it is, whatever --merange and "
        "--precision say; pairs are found by the number of their picture."},
    };
}

std::vector<OptionRow> output_rows() {
    return {
    {"compensate", 0, "FILE", file, "", 0, 0, pictures, "Writes the predicted pictures as .y4m or .yuv."},
    {"residual", 0, "FILE", file, "", 0, 0, pictures,
        "Writes picture - prediction + 128, clamped to 0..255, as .y4m or .yuv."},
    {"draw", 0, "FILE|FOLDER/", file, "", 0, 0, pictures,
        "Draws the vectors as arrows over the pictures: a .png of the first pair, a folder (with / at its end) or a "
        "name with %04d of numbered .png, a .gif, a video (.mp4 .mov .mkv in H.264, where libavcodec has it; .mpg .m2v "
        "... in MPEG-2). With --compare, both fields in two colours."},
    {"draw-longest", 0, "PELS", integer, "0", 0, 4095, pictures,
        "The length at the end of the colour scale; 0 takes it from the first pair drawn."},

    {"truth", 0, "FIELD", file, "", 0, 0, measures,
        "The true motion (.npy of tandem synth --truth, .flo, KITTI's .png, .tmf): adds end-point error, angular error "
        "and the share within 1 pel."},
    {"measure", 0, "FIELD", file, "", 0, 0, measures,
        "Searches nothing and measures this field (.flo, .npy, KITTI's .png, .tmf) as it is, at every sample and not "
        "rounded; --truth is taken at every sample too, and adds the share of outliers (more than 3 pels and 5 % off)."},
    {"compare", 0, "FIELD", file, "", 0, 0, measures,
        "Another field (.tmf, .npy, .flo): adds histograms of the differences of vectors and, where it has them, costs."},
    {"stats", 0, "FILE", file, "", 0, 0, measures, "Writes a row of CSV for each pair and one for all."},
    report_row(), trace_row(),

    device_row(), split_row(), threads_row(), simd_row(),
    };
}
// clang-format on

std::string details() {
    std::string lines =
        "INPUT alone is a clip of any kind that tandem encode reads: each picture is predicted from the one "
        "before it (--step N: from the one N before). INPUT and SECOND are two still pictures (png, ppm, ... "
        "through FFmpeg) or clips of which the first picture counts: SECOND is predicted from INPUT.\n"
        "A vector says where the prediction comes from: prediction(p) = reference(p + vector), x to the right "
        "and y down. Fields and measures do not depend on threads, runs or devices (but for poc and texture).\n"
        "The table on standard output and the files of --stats and --report have the same figures; "
        "docs/command.md explains each. A file with - as its name is standard output, which then has no table.\n"
        "An interrupt (SIGINT, SIGTERM) ends all files cleanly with the pairs measured so far; a second one ends "
        "the program.\n"
        "SEARCHES:";
    for (const SearchRow& row : search_table())
        lines += "\n  " + std::string(row.name) + ": " + std::string(row.description) + ".";
    return lines;
}

} // namespace

CommandRow motion_command() {
    return {"motion",
            "Finds, measures and draws the motion between pictures",
            "INPUT",
            file,
            "The clip, or the first of two pictures (the reference); - is standard input.",
            rows_by_section({file_rows(), options_of(plain_search_rows().first(1)), block_rows(),
                             options_of(plain_search_rows().subspan(1)), predictor_rows(),
                             options_of(shared_search_rows()), output_rows(), message_rows()}),
            details(),
            "SECOND",
            "The second of two pictures, predicted from the first."};
}

} // namespace tandem
