// SPDX-License-Identifier: BSD-2-Clause
// Wrong usage and broken input: one table of what is asked for and what must be said. Every case also holds the command
// to leaving each file of its folder as it was, and no new one.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

struct Case {
    const char* name;
    std::vector<std::string> arguments;
    int code;
    std::vector<std::string> words; ///< All of them are in the message.
    const char* input = "";         ///< What standard input reads.
    const char* output = "";        ///< Where standard output leads.
};

void PrintTo(const Case& broken, std::ostream* out) { *out << broken.name; }

/// `tandem encode good.y4m -o out.m2v` and more words.
std::vector<std::string> encode(std::vector<std::string> more) {
    std::vector<std::string> words{"encode", "good.y4m", "-o", "out.m2v"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// `tandem motion good.y4m` without its table, and more words.
std::vector<std::string> motion(std::vector<std::string> more) {
    std::vector<std::string> words{"motion", "good.y4m", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<std::string> encode_from(const std::string& input) { return {"encode", input, "-o", "out.m2v"}; }
std::vector<std::string> encode_to(const std::string& output) { return {"encode", "good.y4m", "-o", output}; }

const std::vector<Case>& cases() {
    static const std::vector<Case> table{
        // Commands and words.
        {"no_command", {}, 2, {"command is missing"}},
        {"unknown_command", {"encod"}, 2, {"encod", "did you mean encode"}},
        {"empty_command", {""}, 2, {"unknown command"}},
        {"no_input", {"encode", "-o", "out.m2v"}, 2, {"INPUT is missing"}},
        {"no_output", {"encode", "good.y4m"}, 2, {"--output", "missing"}},
        {"two_inputs", encode({"cut.y4m"}), 2, {"too many", "cut.y4m"}},
        {"unknown_option", encode({"--bframe", "2"}), 2, {"--bframe ", "did you mean --bframes"}},
        {"unknown_option_with_value", encode({"--qpp=3"}), 2, {"--qpp", "did you mean --qp"}},
        {"unknown_option_like_nothing", encode({"--zzzzzzzzzz"}), 2, {"unknown option --zzzzzzzzzz"}},
        {"unknown_letter", encode({"-x"}), 2, {"-x"}},
        {"value_missing", encode({"--qp"}), 2, {"--qp"}},
        {"given_twice", encode({"--csv", "a.csv", "--csv", "b.csv"}), 2, {"--csv", "2 times"}},
        {"switch_with_value", encode({"--psnr=5"}), 2, {"--psnr takes no value"}},
        {"quiet_and_verbose", encode({"-q", "-v"}), 2, {"--quiet", "--verbose"}},
        {"unknown_shell", {"completion", "tcsh"}, 2, {"tcsh", "bash"}},
        // Values.
        {"qp_negative", encode({"--qp", "-1"}), 2, {"--qp -1", "1 to 31"}},
        {"qp_zero", encode({"--qp", "0"}), 2, {"--qp 0", "1 to 31"}},
        {"qp_too_large", encode({"--qp", "32"}), 2, {"--qp 32", "1 to 31"}},
        {"qp_leading_zero", encode({"--qp", "010"}), 2, {"--qp 010", "1 to 31"}},
        {"qp_plus", encode({"--qp", "+8"}), 2, {"--qp +8", "1 to 31"}},
        {"qp_nan", encode({"--qp", "nan"}), 2, {"--qp nan", "1 to 31"}},
        {"qp_inf", encode({"--qp", "inf"}), 2, {"--qp inf", "1 to 31"}},
        {"qp_exponent", encode({"--qp", "1e1"}), 2, {"--qp 1e1", "1 to 31"}},
        {"qp_fraction", encode({"--qp", "8.5"}), 2, {"--qp 8.5", "1 to 31"}},
        {"qp_huge", encode({"--qp", "99999999999"}), 2, {"--qp 99999999999", "1 to 31"}},
        {"qp_beyond_64_bits", encode({"--qp", "99999999999999999999999"}), 2, {"--qp", "1 to 31"}},
        {"qp_empty", encode({"--qp", ""}), 2, {"--qp", "1 to 31"}},
        {"qp_blank", encode({"--qp", " 8"}), 2, {"--qp  8", "1 to 31"}},
        {"qp_trailing", encode({"--qp", "8x"}), 2, {"--qp 8x", "1 to 31"}},
        {"factor_nan", encode({"--ip-factor", "nan"}), 2, {"--ip-factor nan", "0.1 to 10"}},
        {"factor_inf", encode({"--ip-factor", "inf"}), 2, {"--ip-factor inf", "0.1 to 10"}},
        {"factor_zero", encode({"--pb-factor", "0"}), 2, {"--pb-factor 0", "0.1 to 10"}},
        {"factor_large", encode({"--pb-factor", "1e3"}), 2, {"--pb-factor 1e3", "0.1 to 10"}},
        {"factor_word", encode({"--pb-factor", "two"}), 2, {"--pb-factor two", "0.1 to 10"}},
        {"keyint_zero", encode({"--keyint", "0"}), 2, {"--keyint 0", "1 to 1024"}},
        {"bframes_too_many", encode({"--bframes", "9"}), 2, {"--bframes 9", "0 to 8"}},
        {"frames_zero", encode({"--frames", "0"}), 2, {"--frames 0", "1 to"}},
        {"frames_negative", encode({"--frames", "-5"}), 2, {"--frames -5"}},
        {"seek_negative", encode({"--seek", "-1"}), 2, {"--seek -1"}},
        {"seek_at_the_end", encode({"--seek", "5"}), 2, {"good.y4m"}},
        {"seek_time_past_the_end", encode({"--seek", "1:00"}), 2, {"--seek 60 s", "only 5 pictures"}},
        {"seek_half_a_time", encode({"--seek", "1:"}), 2, {"--seek 1:", "a time"}},
        {"seek_minute_of_75", encode({"--seek", "1:75"}), 2, {"--seek 1:75", "a time"}},
        {"duration_nothing", encode({"--duration", "0"}), 2, {"--duration 0"}},
        {"duration_word", encode({"--duration", "long"}), 2, {"--duration long", "a time"}},
        {"aspect_and_sar", encode({"--aspect", "4:3", "--sar", "1:1"}), 2, {"--sar", "--aspect"}},
        {"aspect_zero", encode({"--aspect", "16:0"}), 2, {"--aspect 16:0", "16:9"}},
        {"unknown_primaries", encode({"--colorprim", "bt2020"}), 2, {"--colorprim bt2020", "bt709|"}},
        {"assumed_zero", encode({"--assume-fps", "0"}), 2, {"--assume-fps 0"}},
        {"filter_on_raw",
         {"encode", "right_64x48_25.yuv", "-o", "out.m2v", "--filter", "hflip"},
         2,
         {"filters", "raw"}},
        {"unknown_filter", encode({"--filter", "nonsense"}), 2, {"nonsense"}},
        {"seek_past_the_end", encode({"--seek", "50"}), 2, {"--seek 50", "only 5 pictures"}},
        {"threads_negative", encode({"--threads", "-1"}), 2, {"--threads -1", "0 to 1024"}},
        {"range_too_large", encode({"--merange", "2000"}), 2, {"--merange 2000", "0 to 1023"}},
        {"candidates_zero", encode({"--candidates", "0"}), 2, {"--candidates 0", "1 to 16"}},
        {"unknown_codec", encode({"--codec", "h264"}), 2, {"--codec h264", "mpeg1|mpeg2"}},
        {"part_of_a_choice", encode({"--codec", "mpeg"}), 2, {"--codec mpeg", "mpeg1|mpeg2"}},
        {"range_of_what",
         encode({"--range", "wide"}),
         2,
         {"--range wide", "limited|full", "a number as --merange takes it"}},
        {"range_of_the_search_large", encode({"--range", "1024"}), 2, {"--range 1024", "0 to 1023"}},
        {"choices_as_choice", encode({"--codec", "mpeg1|mpeg2"}), 2, {"--codec mpeg1|mpeg2: must be one of"}},
        {"empty_choice", encode({"--codec", ""}), 2, {"--codec", "mpeg1|mpeg2"}},
        {"unknown_search", encode({"--me", "umh"}), 2, {"--me umh", "full|tss|log|"}},
        {"unknown_device", encode({"--device", "tpu"}), 2, {"--device tpu", "auto, cpu, gpu"}},
        {"unknown_simd", encode({"--simd", "sse"}), 2, {"--simd sse", "scalar"}},
        {"fps_zero", encode({"--fps", "0"}), 2, {"--fps 0"}},
        {"fps_negative", encode({"--fps", "-25"}), 2, {"--fps -25"}},
        {"fps_over_zero", encode({"--fps", "25/0"}), 2, {"--fps 25/0"}},
        {"fps_decimal", encode({"--fps", "29.9.7"}), 2, {"--fps 29.9.7", "30000/1001"}},
        {"fps_nothing_below", encode({"--fps", "25/"}), 2, {"--fps 25/"}},
        {"fps_unsayable", encode({"--fps", "1000/7"}), 2, {"1000/7", "nearest"}},
        {"size_of_one_number", encode({"--input-res", "352"}), 2, {"--input-res 352", "352x288"}},
        {"size_zero", encode({"--input-res", "0x0"}), 2, {"--input-res 0x0"}},
        {"size_huge", encode({"--input-res", "4294967424x8"}), 2, {"--input-res 4294967424x8", "16384"}},
        {"slices_too_few", encode({"--slices", "1"}), 2, {"slices is 1"}},
        {"mpeg1_range", encode({"--codec", "mpeg1", "--merange", "1000"}), 2, {"1000", "511"}},
        {"mpeg1_scan", encode({"--codec", "mpeg1", "--alternate-scan"}), 2, {"MPEG-1", "alternate-scan"}},
        {"mpeg1_dc", encode({"--codec", "mpeg1", "--intra-dc-precision", "10"}), 2, {"10", "MPEG-1"}},
        // Inputs.
        {"missing_input", encode_from("none.y4m"), 2, {"none.y4m"}},
        {"directory_as_input", encode_from("folder"), 2, {"folder", "directory"}},
        {"empty_y4m", encode_from("empty.y4m"), 2, {"empty.y4m"}},
        {"empty_yuv", encode_from("empty_32x32_25.yuv"), 2, {"empty_32x32_25.yuv"}},
        {"header_alone", encode_from("header.y4m"), 2, {"header.y4m"}},
        {"cut_y4m", encode_from("cut.y4m"), 2, {"cut.y4m"}},
        {"no_newline", encode_from("no_newline.y4m"), 2, {"no_newline.y4m"}},
        {"width_overflow", encode_from("overflow.y4m"), 2, {"overflow.y4m", "4294967424"}},
        {"width_missing", encode_from("no_width.y4m"), 2, {"no_width.y4m"}},
        {"wrong_frame_word", encode_from("framx.y4m"), 2, {"framx.y4m"}},
        {"chroma_422", encode_from("c422.y4m"), 2, {"c422.y4m", "422"}},
        {"ten_bits", encode_from("c420p10.y4m"), 2, {"c420p10.y4m", "420p10"}},
        {"long_tag", encode_from("long_tag.y4m"), 2, {"long_tag.y4m"}},
        {"wrong_size_yuv", encode_from("wrong_64x48_25.yuv"), 2, {"wrong_64x48_25.yuv"}},
        {"yuv_without_size", encode_from("plain.yuv"), 2, {"plain.yuv", "size"}},
        {"mp4_named_yuv", encode_from("film_64x48_25.yuv"), 2, {"film_64x48_25.yuv"}},
        {"text_named_y4m", encode_from("text.y4m"), 2, {"text.y4m"}},
        {"standard_input_twice", {"motion", "-", "-"}, 2, {"standard input", "the same"}},
        {"nothing_on_standard_input", {"encode", "-", "-o", "out.m2v"}, 2, {"standard input"}},
        {"too_wide_for_mpeg1", {"encode", "wide.y4m", "-o", "out.m1v", "--codec", "mpeg1"}, 2, {"4100", "4095"}},
        // Outputs.
        {"no_such_folder", encode_to("nowhere/out.m2v"), 2, {"nowhere"}},
        {"output_is_a_folder", encode_to("folder"), 2, {"folder"}},
        {"unwritable", encode_to("/proc/out.m2v"), 2, {"/proc/out.m2v"}},
        {"unknown_extension", encode_to("out.xyz"), 2, {".xyz"}},
        {"output_full", encode_to("/dev/full"), 1, {"/dev/full"}},
        {"output_device_full", {"encode", "good.y4m", "-o", "-"}, 1, {"standard output"}, "", "/dev/full"},
        {"empty_output_name", encode_to(""), 2, {"--output"}},
        {"recon_full", encode({"--recon", "full.y4m"}), 1, {"full.y4m"}},
        {"stats_full", encode({"--csv", "/dev/full"}), 1, {"/dev/full"}},
        {"report_full", encode({"--report", "/dev/full"}), 1, {"/dev/full"}},
        {"trace_full", encode({"--trace", "/dev/full"}), 1, {"/dev/full"}},
        {"recon_nowhere", encode({"--recon", "nowhere/r.y4m"}), 2, {"nowhere"}},
        {"stats_nowhere", encode({"--csv", "nowhere/s.csv"}), 2, {"nowhere"}},
        {"report_nowhere", encode({"--report", "nowhere/r.json"}), 2, {"nowhere"}},
        {"help_full", {"encode", "--help"}, 1, {"standard output"}, "", "/dev/full"},
        {"man_full", {"man"}, 1, {"standard output"}, "", "/dev/full"},
        // One file in two roles.
        {"output_is_input", encode_to("good.y4m"), 2, {"same file", "good.y4m"}},
        {"output_is_input_by_path", encode_to("./folder/../good.y4m"), 2, {"same file"}},
        {"output_is_hard_link", encode_to("hard.m2v"), 2, {"same file", "hard.m2v"}},
        {"output_is_symbolic_link", encode_to("soft.m2v"), 2, {"same file", "soft.m2v"}},
        {"output_is_redirected_input", {"encode", "-", "-o", "good.y4m"}, 2, {"same file"}, "good.y4m"},
        {"stats_is_output", encode({"--csv", "out.m2v"}), 2, {"same file", "--csv"}},
        {"stats_is_output_by_path", encode({"--csv", "./out.m2v"}), 2, {"same file", "--csv"}},
        {"new_files_by_path", {"encode", "good.y4m", "-o", "new.m2v", "--report", "./new.m2v"}, 2, {"same file"}},
        {"recon_is_input", encode({"--recon", "good.y4m"}), 2, {"same file", "--recon"}},
        {"trace_is_input", encode({"--trace", "good.y4m"}), 2, {"same file", "--trace"}},
        {"report_is_matrix", encode({"--matrix", "flat.txt", "--report", "flat.txt"}), 2, {"same file", "--matrix"}},
        {"trace_is_report", encode({"--trace", "x.json", "--report", "x.json"}), 2, {"same file"}},
        {"two_on_standard_output",
         {"encode", "good.y4m", "-o", "-", "--recon", "-"},
         2,
         {"same file", "standard output"}},
        // Matrices.
        {"matrix_missing", encode({"--matrix", "none.txt"}), 2, {"none.txt"}},
        {"matrix_and_cqm", encode({"--matrix", "flat.txt", "--cqm", "flat"}), 2, {"--cqm", "--matrix", "exclude"}},
        {"cqm_of_x264", encode({"--cqm", "jvt"}), 2, {"--cqm", "jvt", "flat", "mpeg"}},
        {"matrix_is_folder", encode({"--matrix", "folder"}), 2, {"folder", "directory"}},
        {"matrix_short", encode({"--matrix", "short.txt"}), 2, {"short.txt", "3 numbers", "64"}},
        {"matrix_zero", encode({"--matrix", "zero.txt"}), 2, {"zero.txt:2", "0", "1 to 255"}},
        {"matrix_word", encode({"--matrix", "text.y4m"}), 2, {"text.y4m:1", "1 to 255"}},
        {"matrix_dc", encode({"--matrix", "dc.txt"}), 2, {"dc.txt", "begins with 8"}},
        {"matrix_endless", encode({"--matrix", "/dev/zero"}), 2, {"/dev/zero"}},
        // Motion.
        {"motion_of_nothing", {"motion"}, 2, {"INPUT is missing"}},
        {"motion_of_three", {"motion", "good.y4m", "cut.y4m", "tiny.y4m"}, 2, {"too many", "tiny.y4m"}},
        {"motion_missing", {"motion", "none.y4m"}, 2, {"none.y4m"}},
        {"motion_missing_second", {"motion", "good.y4m", "none.png"}, 2, {"none.png"}},
        {"motion_of_two_sizes", {"motion", "good.y4m", "tiny.y4m"}, 2, {"64x48", "16x16", "same size"}},
        {"motion_of_one_picture", {"motion", "tiny.y4m"}, 2, {"tiny.y4m", "needs 2 pictures"}},
        {"motion_step_too_far", motion({"--step", "5"}), 2, {"needs 6 pictures", "here are 5"}},
        {"motion_step_zero", motion({"--step", "0"}), 2, {"--step 0", "1 to 64"}},
        {"motion_seek_of_two", {"motion", "good.y4m", "good.y4m", "--seek", "1"}, 2, {"--seek", "clips"}},
        {"motion_cut", {"motion", "cut.y4m", "-q", "-o", "f.tmf"}, 2, {"cut.y4m"}},
        {"motion_block_small", motion({"--block", "3x16"}), 2, {"--block 3x16", "4 to 128"}},
        {"motion_block_large", motion({"--block", "16x129"}), 2, {"--block 16x129", "128"}},
        {"motion_block_number", motion({"--block", "16"}), 2, {"--block 16"}},
        {"motion_range_large", motion({"--range", "4081"}), 2, {"--range 4081", "0 to 4080"}},
        {"motion_range_negative", motion({"--range", "8,-8"}), 2, {"--range 8,-8", "the word picture"}},
        {"motion_range_word", motion({"--range", "all"}), 2, {"--range all", "the word picture"}},
        {"motion_precision", motion({"--precision", "1/3"}), 2, {"--precision 1/3", "1/4"}},
        {"motion_grid_too_fine", motion({"--grid", "4"}), 2, {"grid", "is 4"}},
        {"motion_six_tap_eighths",
         motion({"--interpolation", "six-tap", "--precision", "8"}),
         2,
         {"six-tap", "1 to 4"}},
        {"motion_unknown_search", motion({"--search", "umh"}), 2, {"--search umh", "full|tss|"}},
        {"motion_unknown_metric", motion({"--metric", "mse"}), 2, {"--metric mse", "sad|ssd|satd"}},
        {"motion_lambda_nan", motion({"--lambda", "nan"}), 2, {"--lambda nan"}},
        {"motion_candidates", motion({"--candidates", "17"}), 2, {"--candidates 17", "1 to 16"}},
        {"motion_no_hint", motion({"--predictor", "hint"}), 2, {"--predictor hint", "--hint FIELD"}},
        {"motion_nothing_given", motion({"--search", "given"}), 2, {"--search given", "--hint FIELD"}},
        {"motion_idle_hint", motion({"--predictor", "zero", "--hint", "text.y4m"}), 2, {"--hint is not used"}},
        {"motion_given_and_previous",
         motion({"--search", "given", "--hint", "text.y4m", "--predictor", "previous"}),
         2,
         {"--hint is not used"}},
        {"motion_hint_is_no_field", motion({"--hint", "text.y4m"}), 2, {"text.y4m"}},
        {"motion_truth_missing", motion({"--truth", "none.npy"}), 2, {"none.npy"}},
        {"motion_truth_is_text", motion({"--truth", "text.npy"}), 2, {"text.npy"}},
        {"motion_compare_is_text", motion({"--compare", "text.tmf"}), 2, {"text.tmf"}},
        {"motion_to_standard_output", motion({"-o", "-"}), 2, {"--output -", "extension"}},
        {"motion_drawn_on_standard_output", motion({"--draw", "-"}), 2, {"--draw -", "extension"}},
        {"motion_unknown_extension", motion({"-o", "f.xyz"}), 2, {"f.xyz"}},
        {"motion_drawn_unknown", motion({"--draw", "f.xyz"}), 2, {".xyz"}},
        {"motion_drawn_nowhere", motion({"--draw", "nowhere/f.png"}), 2, {"nowhere"}},
        {"motion_folder_nowhere", motion({"--draw", "nowhere/f/"}), 2, {"nowhere"}},
        {"motion_nowhere", motion({"-o", "nowhere/f.tmf"}), 2, {"nowhere"}},
        {"motion_over_its_input", motion({"--compensate", "good.y4m"}), 2, {"same file", "--compensate"}},
        {"motion_over_its_link", motion({"--residual", "soft.m2v"}), 2, {"same file", "--residual"}},
        {"motion_truth_is_field", motion({"--truth", "f.npy", "-o", "./f.npy"}), 2, {"same file", "--truth"}},
        {"motion_two_in_one", motion({"--stats", "x", "--report", "x"}), 2, {"same file"}},
        {"motion_full", motion({"--compensate", "full.y4m"}), 1, {"full.y4m"}},
        {"motion_residual_full", motion({"--residual", "full.y4m"}), 1, {"full.y4m"}},
        {"motion_stats_full", motion({"--stats", "/dev/full"}), 1, {"/dev/full"}},
        {"motion_report_full", motion({"--report", "/dev/full"}), 1, {"/dev/full"}},
        {"motion_drawing_full", motion({"--draw", "full.m2v"}), 1, {"full.m2v"}},
        {"motion_table_full", {"motion", "good.y4m"}, 1, {"standard output"}, "", "/dev/full"},
        // Scenes.
        {"scene_unknown", {"synth", "--scene", "dance", "-o", "s.y4m"}, 2, {"--scene dance", "pan|zoom"}},
        {"scene_of_no_size", {"synth", "--size", "0x16", "-o", "s.y4m"}, 2, {"--size 0x16"}},
        {"scene_speed", {"synth", "--speed", "1", "-o", "s.y4m"}, 2, {"--speed 1", "X,Y"}},
        {"scene_speed_nan", {"synth", "--speed", "nan,0", "-o", "s.y4m"}, 2, {"--speed nan,0"}},
        {"scene_zooms_away", {"synth", "--zoom", "1.5", "-o", "s.y4m"}, 2, {"zoom", "1/64..64"}},
        {"scene_truth_is_clip", {"synth", "--truth", "s.y4m", "-o", "s.y4m"}, 2, {"same file"}},
        {"scene_full", {"synth", "--size", "32x32", "--frames", "2", "-o", "full.y4m"}, 1, {"full.y4m"}},
        {"truth_full",
         {"synth", "--size", "32x32", "--frames", "2", "-o", "s.y4m", "--truth", "full.npy"},
         1,
         {"full.npy"}},
        {"truth_name",
         {"synth", "--size", "32x32", "--frames", "2", "-o", "s.y4m", "--truth", "t.flo"},
         2,
         {"t.flo", ".npy"}},
        {"scene_nowhere", {"synth", "--size", "32x32", "--frames", "2", "-o", "nowhere/s.y4m"}, 2, {"nowhere"}},
    };
    return table;
}

class BrokenInput : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        const std::string good = y4m_clip(64, 48, 5);
        const auto clip = [&](const std::string& name, const std::string& bytes) { write_file(folder_ / name, bytes); };
        clip("tiny.y4m", y4m_clip(16, 16, 1));
        clip("good.y4m", good);
        clip("out.m2v", "what was here before");
        clip("empty.y4m", "");
        clip("empty_32x32_25.yuv", "");
        clip("header.y4m", "YUV4MPEG2 W64 H48 F25:1\n");
        clip("cut.y4m", good.substr(0, good.size() - 100));
        clip("no_newline.y4m", "YUV4MPEG2 W64 H48 F25:1");
        clip("overflow.y4m", "YUV4MPEG2 W4294967424 H48 F25:1\nFRAME\n");
        clip("no_width.y4m", "YUV4MPEG2 H48 F25:1\nFRAME\n");
        clip("c422.y4m", y4m_clip(16, 16, 1, "F25:1 C422"));
        clip("c420p10.y4m", y4m_clip(16, 16, 1, "F25:1 C420p10"));
        clip("long_tag.y4m", y4m_clip(16, 16, 1, "F25:1 " + std::string(5000, 'Z')));
        clip("right_64x48_25.yuv", yuv_clip(64, 48, 2));
        clip("wide.y4m", y4m_clip(4100, 16, 1));
        std::string framx = good;
        clip("framx.y4m", framx.replace(framx.find("FRAME"), 5, "FRAMX"));
        clip("wrong_64x48_25.yuv", yuv_clip(64, 48, 2) + "x");
        clip("plain.yuv", yuv_clip(64, 48, 2));
        std::string film = yuv_clip(64, 48, 2);
        clip("film_64x48_25.yuv", film.replace(0, 12,
                                               std::string("\0\0\0\x18"
                                                           "ftypisom",
                                                           12)));
        clip("text.y4m", "This is no video at all.\n");
        clip("text.npy", "This is no array.\n");
        clip("text.tmf", "This is no field.\n");
        clip("short.txt", "8 16 16\n");
        clip("zero.txt", "8 16 # fine\n0\n");
        std::string sixteens;
        for (int i = 0; i < 64; ++i)
            sixteens += "16 ";
        clip("dc.txt", sixteens);
        clip("flat.txt", "8 " + sixteens.substr(3));
        std::filesystem::create_directory(folder_ / "folder");
        std::filesystem::create_hard_link(folder_ / "good.y4m", folder_ / "hard.m2v");
        std::filesystem::create_symlink("good.y4m", folder_ / "soft.m2v");
        std::filesystem::create_symlink("/dev/full", folder_ / "full.y4m");
        std::filesystem::create_symlink("/dev/full", folder_ / "full.m2v");
        std::filesystem::create_symlink("/dev/full", folder_ / "full.npy");
    }
    TemporaryFolder folder_;
};

TEST_P(BrokenInput, IsToldAndTouchesNothing) {
    const Case& broken = GetParam();
    const auto before = snapshot_of(folder_.path());
    const std::string input = *broken.input == '\0' ? "" : folder_ / broken.input;
    const Outcome outcome = run_command(folder_.path(), broken.arguments, {input, broken.output});
    EXPECT_EQ(outcome.code, broken.code) << outcome.errors;
    for (const std::string& word : broken.words)
        EXPECT_NE(outcome.errors.find(word), std::string::npos) << "\"" << word << "\" is not in: " << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

INSTANTIATE_TEST_SUITE_P(Table, BrokenInput, testing::ValuesIn(cases()),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tandem::test
