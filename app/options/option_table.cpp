// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/option_table.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "app/compare/compare_options.h"
#include "app/options/option_choices.h"
#include "app/options/search_options.h"

namespace tandem {
namespace {

using enum ValueKind;

constexpr std::string_view files = "Input and output";
constexpr std::string_view stream = "Stream";
constexpr std::string_view quantiser = "Quantiser";
constexpr std::string_view deciding = "Decisions";
constexpr std::string_view motion = "Motion";
constexpr std::string_view machine = "Machine";
constexpr std::string_view pictures = "Pictures";
constexpr std::string_view measures = "Measuring";
constexpr std::string_view talk = "Messages";
constexpr std::string_view scene = "Scene";

constexpr double many = 1000000000; // of pictures

/// The rows of a command, some of which it shares with others.
std::vector<OptionRow> joined(std::initializer_list<std::span<const OptionRow>> parts) {
    std::vector<OptionRow> rows;
    for (const std::span<const OptionRow> part : parts)
        rows.insert(rows.end(), part.begin(), part.end());
    return rows;
}

/// Rows that several commands have.
constexpr OptionRow help_row{"help", 'h', "", none, "", 0, 0, talk, "Shows this help."};
constexpr OptionRow version_row{
    "version", 0, "", none, "", 0, 0, talk, "Shows the version and what this build contains."};
constexpr OptionRow quiet_row{"quiet", 'q', "", none, "", 0, 0, talk, "Says nothing but errors."};
constexpr OptionRow verbose_row{
    "verbose", 'v', "", none, "", 0, 0, talk, "Says more: settings, backends, a line a picture."};

// clang-format off
constexpr OptionRow input_res_row{"input-res", 0, "WxH", size, "", 1, 16384, files,
    "The size of a raw .yuv input whose name does not tell it (as clip_352x288_30.yuv does)."};
constexpr OptionRow fps_row{"fps", 0, "N[/D]", ratio, "", 0, 0, files, "The frame rate (25, 30000/1001, 29.97); overrides what the input says."};
constexpr OptionRow seek_row{"seek", 0, "N", integer, "0", 0, many, files, "Leaves out the first N pictures of the input."};
constexpr OptionRow frames_row{"frames", 0, "N", integer, "", 1, many, files, "Takes at most N pictures."};
constexpr OptionRow device_row{"device", 0, "DEVICE", device, "auto", 0, 0, machine,
    "Where motion is searched. auto: on the GPUs when there are any, else the CPU; cpu; gpu: all GPUs; gpu:0,2: "
    "these; cpu+gpu, cpu+gpu:0: shared by measured speed. The result is the same (of poc nearly: docs/cuda.md)."};
const OptionRow split_row{"split", 0, choices<split_names>(), choice, "auto", 0, 0, machine,
    "How several devices share the work: whole pictures, bands of one picture, or bands while devices would be idle. "
    "The result is the same."};
constexpr OptionRow threads_row{"threads", 0, "N", integer, "0", 0, 1024, machine, "Threads; 0 is all of the machine. The result is the same."};
constexpr OptionRow simd_row{"simd", 0, "auto|scalar|avx2|avx512", choice, "auto", 0, 0, machine,
    "The instruction set of the kernels; auto is the machine's best. The result is the same."};
constexpr OptionRow report_row{"report", 0, "FILE", file, "", 0, 0, measures, "Writes settings, versions, machine and totals as JSON."};
constexpr OptionRow trace_row{"trace", 0, "FILE", file, "", 0, 0, measures,
    "Writes what ran when, on which thread, for chrome://tracing or Perfetto."};

const std::array encode_stream_rows{
    OptionRow{"output", 'o', "FILE", file, "", 0, 0, files,
        "The coded stream. Its extension chooses the container: .m1v .m2v .m2ve .mpv .bin and - (standard output) are "
        "elementary streams; .mpg .mpeg .vob .ts .m2ts .mkv .mp4 .mov .avi are written by libavformat. The file "
        "appears under its name only when it is complete.", true},
    input_res_row, fps_row, seek_row, frames_row,
    OptionRow{"recon", 0, "FILE", file, "", 0, 0, files,
        "Writes what a decoder will show, in display order, as .y4m or .yuv."},

    OptionRow{"codec", 0, choices<codec_names>(), choice, "mpeg2", 0, 0, stream, "ISO/IEC 11172-2 or 13818-2. A FILE.m1v is mpeg1 where this is not given."},
    OptionRow{"keyint", 0, "N", integer, "12", 1, 1024, stream, "Pictures from one I picture to the next; 1 is all intra."},
    OptionRow{"bframes", 0, "N", integer, "0", 0, 8, stream, "B pictures between two anchors."},
    OptionRow{"closed-gop", 0, "", none, "", 0, 0, stream, "No B picture refers to the group before its own."},
    OptionRow{"slices", 0, "N", integer, "0", 0, 1000000, stream,
        "Slices a picture; 0 is one a macroblock row, and MPEG-2 allows no fewer."},
    OptionRow{"maxrate", 0, "KBPS", integer, "0", 0, 429496729, stream,
        "The bit rate that the stream declares, in kbit/s. 0: \"variable\" in MPEG-1, the level's most in MPEG-2. It "
        "does not steer the quantiser."},

    OptionRow{"qp", 0, "N", integer, "8", 1, 31, quantiser, "Quantiser scale code of P pictures: 1 is finest."},
    OptionRow{"ip-factor", 0, "F", real, "1.4", 0.1, 10, quantiser, "I pictures are coded at qp / F."},
    OptionRow{"pb-factor", 0, "F", real, "1.3", 0.1, 10, quantiser, "B pictures are coded at qp * F."},
    OptionRow{"qscale-type", 0, choices<quantiser_type_names>(), choice, "linear", 0, 0, quantiser,
        "How codes 1..31 become quantiser scales (MPEG-2 table 7-6)."},
    OptionRow{"matrix", 0, "FILE", file, "", 0, 0, quantiser,
        "Quantiser matrices: 64 numbers for intra, or 128 for intra and then non-intra, 1..255, row by row, the "
        "first of the intra matrix 8; separated by spaces, commas or lines; # begins a comment."},
    OptionRow{"trellis", 0, choices<switch_names>(), choice, "1", 0, 0, quantiser,
        "1: levels of least squared error plus lambda times bits (slower); 0: rounded with the dead zones."},
    OptionRow{"deadzone-intra", 0, "N", integer, "5", 0, 32, quantiser,
        "Without trellis: dead zone of intra coefficients in 1/64 of a step: rounding is 32 - N."},
    OptionRow{"deadzone-inter", 0, "N", integer, "32", 0, 32, quantiser, "The same for predicted blocks."},
    OptionRow{"intra-dc-precision", 0, "BITS", integer, "8", 8, 11, quantiser, "Precision of intra DC (MPEG-1: 8; 11: High Profile)."},
    OptionRow{"intra-vlc", 0, "", none, "", 0, 0, quantiser, "Codes intra coefficients by table B-15 (MPEG-2)."},
    OptionRow{"alternate-scan", 0, "", none, "", 0, 0, quantiser, "Scans coefficients in the alternate order (MPEG-2)."},

    OptionRow{"decision", 0, choices<decision_names>(), choice, "cost", 0, 0, deciding,
        "How macroblock kinds are chosen: as Test Model 5, as MPEG-1's Simulation Model 3, by the least estimated "
        "distortion plus lambda times bits, or by what each likely kind costs when it is coded (slower)."},
    OptionRow{"null-threshold", 0, "T", integer, "0", 0, 65280, deciding,
        "A macroblock whose SAD at the zero vector is at most T keeps it; 0 is off."},
    OptionRow{"null-gain", 0, "C", integer, "0", 0, 255, deciding,
        "The zero vector stays unless another lowers the distortion by more than C a sample; 0 is off."},
    OptionRow{"intra-threshold", 0, "T", integer, "0", -65536, 65536, deciding,
        "Added to the cost of an intra macroblock: above 0 there are fewer of them."},
    OptionRow{"intra-refresh", 0, "N", integer, "132", 1, 132, deciding,
        "A macroblock is intra again after being coded N times, so that inverse DCTs cannot drift apart."},

    OptionRow{"me", 0, searches<false>(), choice, "predictive", 0, 0, motion,
        "The search: every position, three-step, logarithmic, small patterns, the simplified UMHexagonS of the H.264 "
        "joint model, coarse to fine, about predictors, or phase correlation."},
    OptionRow{"merange", 0, "N", integer, "", 0, 1023, motion,
        "Reach of the search in pels each way (MPEG-1: at most 511): about predictors, from which predictive and walks "
        "begin and which may be as long as the picture makes plausible; of other searches about zero, up to 63 times "
        "the pictures to the reference. [default 4 with predictive, else 16]"},
    OptionRow{"me-start", 0, choices<start_names>(), choice, "predictors", 0, 0, motion,
        "Where tss, log, diamond, hexagon and smpuhex begin: at the best of what a coarse search of the whole picture "
        "found, or at zero, as in the papers."},
    OptionRow{"grid", 0, choices<macroblock_grid_names>(), choice, "1", 0, 0, motion,
        "Positions per pel that the search full, which alone has 2, tries over its whole range."},
};
const std::array encode_motion_rows{
    OptionRow{"me-reference", 0, choices<motion_reference_names>(), choice, "source", 0, 0, motion,
        "Motion is searched between source pictures, ahead of the coding, or against the reconstruction; "
        "half-pel steps are always made on the reconstruction."},
    OptionRow{"candidates", 0, "K", integer, "4", 1, 16, motion,
        "Vectors that the search keeps for each macroblock; the choice among them weighs the bits along the slice."},
    OptionRow{"lookahead", 0, "N", integer, "4", 1, 64, motion, "Pictures whose motion may be under way ahead of the coding."},
};
const std::array encode_other_rows{
    device_row, split_row, threads_row, simd_row,

    OptionRow{"psnr", 0, "", none, "", 0, 0, measures,
        "Measures PSNR (from the mean squared error of all pictures). --stats and --report measure both anyhow."},
    OptionRow{"ssim", 0, "", none, "", 0, 0, measures, "Measures SSIM of luma (8x8 windows, every fourth sample)."},
    OptionRow{"verify", 0, "", none, "", 0, 0, measures,
        "Decodes the stream with libavcodec as it is written and compares the pictures with the reconstruction; "
        "fails when their number differs or the PSNR of one is not over 50 dB or of all not over 60 dB."},
    OptionRow{"verify-gpu", 0, "", none, "", 0, 0, measures,
        "Searches on the CPU too what the GPUs search, and stops with the picture and the block at the first difference."},
    OptionRow{"stats", 0, "FILE", file, "", 0, 0, measures, "Writes a row of CSV for each picture, in coding order."},
    report_row, trace_row,

    quiet_row, verbose_row, help_row, version_row,
};

const std::vector encode_options =
    joined({encode_stream_rows, measure_rows(), encode_motion_rows, tuning_rows(), encode_other_rows});

constexpr std::array synth_options{
    OptionRow{"output", 'o', "FILE", file, "", 0, 0, files, "The clip: .y4m, .yuv, or - for y4m on standard output.", true},
    OptionRow{"truth", 0, "FILE", file, "", 0, 0, files, "Writes the true motion as a NumPy array, .npy; see TRUE MOTION."},
    OptionRow{"block", 0, "N", integer, "16", 1, 128, files, "One true vector for each NxN pels; 1 is the dense field."},

    OptionRow{"scene", 0, "pan|zoom|rotation|objects|noise|fade|cut", choice, "pan", 0, 0, scene,
        "What happens; the options below work with every scene and each scene has its own defaults."},
    OptionRow{"size", 0, "WxH", size, "352x288", 1, 16384, scene, "Size of the pictures."},
    OptionRow{"frames", 0, "N", integer, "100", 1, 1000000, scene,
        "Number of pictures. A fade is black at the last, a cut comes in the middle."},
    OptionRow{"fps", 0, "N[/D]", ratio, "25", 0, 0, scene, "The frame rate written in the file."},
    OptionRow{"seed", 0, "N", integer, "1", 0, 1000000000, scene, "Another number, another texture and other objects."},
    OptionRow{"speed", 0, "X,Y", pair, "", -256, 256, scene,
        "Pels that the background moves per picture, right and down, fractions allowed (pan, fade, cut: 1.5,0.75; "
        "objects: 0.5,0; noise: 1,0; zoom, rotation: 0,0)."},
    OptionRow{"zoom", 0, "F", real, "", 0.5, 2, scene, "Magnification per picture (zoom: 1.01; else 1); over all pictures 1/64 to 64."},
    OptionRow{"rotate", 0, "DEGREES", real, "", -90, 90, scene, "Clockwise turn per picture (rotation: 0.5; else 0)."},
    OptionRow{"objects", 0, "N", integer, "", 0, 1000, scene, "Textured discs and rectangles that move on their own (objects: 6; else 0)."},
    OptionRow{"object-speed", 0, "N", real, "4", 0, 128, scene, "Pels an object moves per picture, at most and each way."},
    OptionRow{"noise", 0, "SIGMA", real, "", 0, 64, scene, "Standard deviation of noise on luma, half of it on chroma (noise: 8; else 0)."},

    threads_row, quiet_row, verbose_row, help_row, version_row,
};

const std::array motion_field_rows{
    OptionRow{"output", 'o', "FIELD", file, "", 0, 0, files,
        "Writes the field; the extension chooses the format: .tmf (Tandem's own, everything), .npy, .flo, .csv "
        "(FFmpeg's AVMotionVector), .yuview.csv, .jsonl."},
    OptionRow{"step", 0, "N", integer, "1", 1, 64, files, "The reference is the picture N before."},
    input_res_row, fps_row, seek_row, frames_row,

    OptionRow{"search", 0, searches<true>(), choice, "full", 0, 0, motion, "How vectors are tried; see SEARCHES."},
    OptionRow{"block", 0, "WxH", size, "16x16", 4, 128, motion, "Size of a block, each side 4 to 128."},
    OptionRow{"range", 0, "N|X,Y|picture", range, "16", 0, largest_range, motion,
        "Whole pels each way, one number or two; picture: as far as the picture goes, 4080 at most. About predictors "
        "where the search begins at them. [with --search predictive 4]"},
    OptionRow{"start", 0, choices<start_names>(), choice, "zero", 0, 0, motion,
        "Where tss, log, diamond, hexagon and smpuhex begin: at zero, or at the best of what a coarse search of the "
        "whole picture found."},
    OptionRow{"precision", 0, choices<precision_names>(), choice, "1", 0, 0, motion,
        "Positions per pel: the best whole vectors are refined to 1/2, 1/4 or 1/8 pel. 2 and 1/2 are the same."},
    OptionRow{"grid", 0, choices<precision_names>(), choice, "1", 0, 0, motion,
        "Positions per pel that a full search tries over its whole range, at most the precision."},
};
const std::array motion_search_rows{
    OptionRow{"interpolation", 0, choices<interpolation_names>(), choice, "bilinear", 0, 0, motion,
        "Between samples: bilinear, the six taps of H.264 (to 1/4 pel), or bilinear by a GPU's texture units. --interp "
        "is the same option.", false, "interp"},
    OptionRow{"boundary", 0, choices<boundary_names>(), choice, "inside", 0, 0, motion,
        "inside: vectors keep the block in the reference; padded: the reference's edges replicate."},
    OptionRow{"lambda", 0, "F", real, "0", 0, 65536, motion,
        "Cost of a bit of the vector in the metric's unit, in steps of 1/256; 0 is distortion alone."},
    OptionRow{"rate-unit", 0, "1|2|4|8", choice, "4", 0, 0, motion,
        "Eighth-pels of one step of the coded vector, for its bits: 4 is half a pel, as in MPEG."},
    OptionRow{"predictor", 0, "zero|previous|hint|neighbours", choice, "", 0, 0, motion,
        "What a vector's bits are counted from, and where some searches begin: zero, the field of the pair before, "
        "--hint, or the median of the neighbours in a first pass (which takes --hint). [default zero, with --hint hint]"},
    OptionRow{"hint", 0, "FIELD", file, "", 0, 0, motion,
        "A field from a file (.tmf, .npy, .flo) as predictor, or for --search given as it is, whatever --range and "
        "--precision say; pairs are found by the number of their picture."},
    OptionRow{"null-threshold", 0, "T", integer, "0", 0, 4294967294, motion,
        "A block whose distortion at zero is at most T keeps zero, unsearched; 0 is off."},
    OptionRow{"null-level", 0, "C", integer, "0", 0, 65535, motion,
        "The same where it is at most C a sample: width x height x C (Massanes et al. 2011, equation 4, with 4); 0 is off."},
    OptionRow{"null-gain", 0, "C", integer, "0", 0, 65536, motion,
        "Zero stays unless a vector lowers the distortion by more than C a sample; 0 is off."},
    OptionRow{"candidates", 0, "K", integer, "1", 1, 16, motion,
        "Vectors kept for each block, best first, with their costs; from 2 on zero is among them, from 3 on the predictor."},
    OptionRow{"brute", 0, "", none, "", 0, 0, motion,
        "Full search measures every position; without, it skips those that cannot win. The field is the same."},
};
const std::array motion_output_rows{
    OptionRow{"compensate", 0, "FILE", file, "", 0, 0, pictures, "Writes the predicted pictures as .y4m or .yuv."},
    OptionRow{"residual", 0, "FILE", file, "", 0, 0, pictures,
        "Writes picture - prediction + 128, clamped to 0..255, as .y4m or .yuv."},
    OptionRow{"draw", 0, "FILE|FOLDER/", file, "", 0, 0, pictures,
        "Draws the vectors as arrows over the pictures: a .png of the first pair, a folder (with / at its end) of "
        "numbered .png, or a video (.mp4 .mkv .mpg .m2v ...). With --compare, both fields in two colours."},
    OptionRow{"draw-longest", 0, "PELS", integer, "0", 0, 4095, pictures,
        "The length at the end of the colour scale; 0 takes it from the first pair drawn."},

    OptionRow{"truth", 0, "FIELD", file, "", 0, 0, measures,
        "The true motion (.npy of tandem synth --truth, .flo, .tmf): adds end-point error, angular error and the "
        "share within 1 pel."},
    OptionRow{"compare", 0, "FIELD", file, "", 0, 0, measures,
        "Another field (.tmf, .npy, .flo): adds histograms of the differences of vectors and, where it has them, costs."},
    OptionRow{"stats", 0, "FILE", file, "", 0, 0, measures, "Writes a row of CSV for each pair and one for all."},
    report_row, trace_row,

    device_row, split_row, threads_row, simd_row,
    quiet_row, verbose_row, help_row, version_row,
};

const std::vector motion_options =
    joined({motion_field_rows, measure_rows(), motion_search_rows, tuning_rows(), motion_output_rows});

constexpr std::array devices_options{
    OptionRow{"report", 0, "FILE", file, "", 0, 0, measures, "Writes the same and more as JSON; with - there is no table."},
    help_row, version_row,
};

const std::vector compare_options_rows = compare_option_rows(encode_options);

constexpr std::array plain_options{help_row, version_row};
// clang-format on

constexpr std::string_view encode_details =
    "INPUT is a .y4m file (8-bit 4:2:0), a raw .yuv file, - for standard input (y4m, or raw with --input-res), or "
    "anything that libavformat opens, whose video is converted to 8-bit 4:2:0, with a warning where it is something "
    "else, and whose sound is left out.\n"
    "The stream depends on options, format and pictures alone, not on threads, runs or (but for --me poc) devices.\n"
    "An interrupt (SIGINT, SIGTERM) ends the stream cleanly with what is coded so far; a second one ends the program.";

std::string_view motion_details() {
    static const std::string text = [] {
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
    }();
    return text;
}

constexpr std::string_view synth_details =
    "Draws a scene whose motion is known exactly. The texture is evaluated where the camera looks, in integers, so "
    "that sub-pel motion is not interpolated and every machine draws the same samples.\n"
    "TRUE MOTION: little-endian float32 of shape (pictures - 1, rows, columns, 2), x then y in pels: prediction(p) = "
    "previous(p + vector). NaN where there is no one truth: the pels of a block belong to several objects, were "
    "hidden or outside of the picture before, or the scene was cut. Zoom and rotation: the vector of the block's "
    "centre. numpy.load() reads it.";

constexpr std::string_view compare_details =
    "Runs every point: each clip with each codec, search and device of Tandem and each peer, at each quantiser. "
    "Every run is a process of its own; bytes, PSNR and SSIM are of what libavcodec decodes from the stream. A line "
    "of results.jsonl is written when all runs of a point are done, so that an interrupted sweep goes on where it "
    "was.\n"
    "SERIES are named by what differs from the defaults, --threads and --idct too, so that results of several settings "
    "in one FOLDER are several curves; a clip at another --fps is another clip.\n"
    "PEERS: NAME or NAME:OPTION=VALUE:... is an encoder of libavcodec (mpeg2video, mpeg1video, "
    "libx264:preset=superfast); x264:preset=medium:no-cabac is x264's command; ffmpeg:ARGUMENTS is FFmpeg's, which "
    "must name -c:v and {qp} (\"ffmpeg:-c:v mpeg2video -g 12 -qscale:v {qp}\"). A comma in one is written \\,. All "
    "get --threads, and all but FFmpeg's command get --keyint; libavcodec's MPEG encoders also get --bframes and the "
    "quantiser as it is. H.264 and others with an option qp get the quantiser of the same step: 12 + 6 log2(qp / "
    "0.85). {qp} and {h264_qp} in a value put them where else they are wanted.\n"
    "Exit code 1: a point failed; the others are kept.";

// tandem bench
constexpr std::array bench_options{
    OptionRow{
        "search", 0, "LIST", text, "full", 0, 0, motion,
        "Searches, separated by commas, or all. A full search is measured twice: every position, and eliminating."},
    OptionRow{"block", 0, "LIST", text, "16x16", 0, 0, motion, "Sizes of blocks WxH, separated by commas."},
    OptionRow{"range", 0, "LIST", text, "32", 0, 0, motion, "Ranges in pels each way, separated by commas."},
    OptionRow{"metric", 0, "LIST", text, "sad", 0, 0, motion, "sad, ssd, satd, separated by commas."},
    OptionRow{"size", 0, "WxH", size, "1920x1080", 16, 16384, files,
              "Size of the pictures of noise that are searched without an INPUT."},
    input_res_row,
    seek_row,
    OptionRow{"frames", 0, "N", integer, "5", 2, 1000, files, "Pictures held in memory and searched pair by pair."},
    OptionRow{"repeat", 0, "N", integer, "5", 1, 1000, measures,
              "Rounds; each measures everything once, by turns, and medians are shown."},
    OptionRow{"peers", 0, "", none, "", 0, 0, measures,
              "Also measures FFmpeg's filter mestimate (esa, tss, hexbs, epzs, umh), where there is ffmpeg, with the "
              "block (a square from 8x8 on) and range (from 4 on) of the first row: a run of twice as many pictures "
              "less a run of as many, less the same without the filter."},
    report_row,
    OptionRow{"threads", 0, "N", integer, "1", 0, 1024, machine, "Threads; 0 is all of the machine."},
    simd_row,
    quiet_row,
    verbose_row,
    help_row,
    version_row,
};

constexpr std::string_view bench_details =
    "Columns: MSAD/s is the positions that a search answers for, in millions a second: a full search for all of the "
    "range, whether it had to measure them or not, others for those that they measure; measured/s those that were "
    "measured; fields/s pairs of pictures a second; ceiling the share that MSAD/s is of what the bare SAD instructions "
    "of the level in force do on registers, measured in the same rounds (an eliminating search may exceed it).\n"
    "With one thread, times are processor time; with more, wall clock. FFmpeg's mestimate searches each picture "
    "forwards and backwards, which counts as two fields.";

constexpr std::string_view devices_details =
    "A line for each GPU and one for the CPU: name, memory, what code runs there (a GPU's compute capability, the "
    "CPU's instruction set and threads), driver, and tandem motion's searches. What a GPU does not run, the CPU does. "
    "Where there is no GPU, or one cannot be used, a line says why.";

const std::array command_rows{
    CommandRow{"encode", "Codes raw video as MPEG-1 or MPEG-2", "INPUT", file, "The pictures; - is standard input.",
               encode_options, encode_details},
    CommandRow{"motion", "Finds, measures and draws the motion between pictures", "INPUT", file,
               "The clip, or the first of two pictures (the reference); - is standard input.", motion_options,
               motion_details(), "SECOND", "The second of two pictures, predicted from the first."},
    CommandRow{"compare", "Measures Tandem and other encoders over clips and quantisers, and reports", "[CLIP...]",
               file, "The clips, of any kind that tandem encode reads but standard input.", compare_options_rows,
               compare_details},
    CommandRow{"synth", "Draws clips whose motion is known", "", none, "", synth_options, synth_details},
    CommandRow{"devices", "Lists where motion can be searched", "", none, "", devices_options, devices_details},
    CommandRow{"bench", "Measures the speed of motion searches", "motion", choice, "What is measured.", bench_options,
               bench_details, "INPUT", "A clip; without one, noise is searched."},
    CommandRow{"completion", "Prints the shell completion", "bash", choice, "The shell.", plain_options,
               "Load it with: eval \"$(tandem completion bash)\"."},
    CommandRow{"man", "Prints the man page", "", none, "", plain_options, "Read it with: tandem man | man -l -."},
};

} // namespace

std::span<const CommandRow> commands() { return command_rows; }

const CommandRow* find_command(std::string_view name) {
    const auto found = std::ranges::find(command_rows, name, &CommandRow::name);
    return found == command_rows.end() ? nullptr : &*found;
}

const OptionRow* find_option(const CommandRow& command, std::string_view name) {
    const auto found = std::ranges::find(command.options, name, &OptionRow::name);
    return found == command.options.end() ? nullptr : &*found;
}

bool is_choice(std::string_view choices, std::string_view word) {
    if (word.empty()) return false;
    for (std::size_t begin = 0; begin <= choices.size();) {
        const std::size_t end = std::min(choices.find('|', begin), choices.size());
        if (choices.substr(begin, end - begin) == word) return true;
        begin = end + 1;
    }
    return false;
}

} // namespace tandem
