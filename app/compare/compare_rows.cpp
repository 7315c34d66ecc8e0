// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_rows.h"

#include <algorithm>

#include "app/encode/encode_rows.h"
#include "app/options/shared_rows.h"
#include "encoder/settings/setting_names.h"
#include "me/search.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

// clang-format off
std::vector<OptionRow> own_rows() {
    return {
    {"output", 'o', "FOLDER", file, "", 0, 0, files,
        "Gets results.jsonl, a line for each point, and the report. It is made where it does not exist. Points that are in "
        "results.jsonl already are not run again.", true},
    {"frames", 0, "N", integer, "", 1, 1000000000, files, "Takes at most N pictures of each clip."},
    {"input-res", 0, "WxH", size, "", 1, 16384, files, "The size of raw .yuv clips whose names do not tell it."},
    {"fps", 0, "N[/D]", ratio, "", 0, 0, files, "The frame rate; overrides what the clips say."},
    {"fresh", 0, "", none, "", 0, 0, files, "Drops the results that are there and begins anew."},
    {"keep-streams", 0, "", none, "", 0, 0, files, "Keeps the coded streams in FOLDER/streams, named by their points' keys; of points that are run."},
    {"report-only", 0, "", none, "", 0, 0, files, "Runs nothing: writes the report of the results that are there."},
    {"list-points", 0, "", none, "", 0, 0, files,
        "Runs nothing: prints number, key, clip, series and quantiser of each point, separated by tabs."},
    {"point", 0, "KEY|NUMBER", text, "", 0, 0, files,
        "Runs this one point and prints its line of results.jsonl on standard output; nothing else is written. For sweeps over several "
        "machines; name --threads there, so that all run the same."},

    {"codecs", 0, "LIST", text, "mpeg2", 0, 0, points, "Of mpeg1 and mpeg2, separated by commas.",
        false, {}, false, joined_names(codec_names, "|")},
    {"me", 0, "LIST", text, "full,smpuhex,hier,log", 0, 0, points,
        "Tandem's searches, as tandem encode has them; all: each of them.", false, "search|searches", false,
        search_names("|", false) + "|all"},
    {"devices", 0, "LIST", text, "", 0, 0, points,
        "Where motion is searched, as --device of tandem encode has it: cpu, gpu, gpu:0,1, cpu+gpu. [default cpu, and gpu where there is one]",
        false, {}, false, "cpu|gpu|gpu:0|cpu+gpu"},
    {"qps", 0, "LIST", text, "2,4,8,16,31", 0, 0, points, "Quantiser scale codes 1 to 31; see PEERS for what the others make of them."},
    {"bitrates", 0, "LIST", text, "", 0, 0, points,
        "Bit rates in kbit/s in place of quantisers: every encoder keeps them by its own rate control, in one pass; the "
        "report says how far each missed them."},
    {"peers", 0, "LIST", text, "mpeg2video,libx264:preset=superfast", 0, 0, points,
        "Other encoders, see PEERS; none: Tandem alone. A usual one that this machine lacks is left out with a warning; one that is named is an error.",
        false, {}, false, "none|mpeg2video|mpeg1video|libx264|x264"},

    {"repeat", 0, "N", integer, "3", 1, 99, measures, "Runs of each point; times are medians. Encoders take turns from run to run. Points that are there already keep the runs that they have."},
    {"idct", 0, "ffmpeg|exact", choice, "ffmpeg", 0, 0, measures,
        "The inverse DCT of the decoder that pictures are measured from (MPEG): FFmpeg's own, which most viewers have, or one as the standard defines it."},
    {"no-vmaf", 0, "", none, "", 0, 0, measures, "Leaves out VMAF, which takes long and is measured where the filters of the ffmpeg command include libvmaf."},
    {"anchor", 0, "SERIES", text, "", 0, 0, measures, "What the report compares with, by the series' name. [default mpeg2video, or the first series]"},
    };
}
// clang-format on

bool is_among(std::initializer_list<std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Points differ in codec, quantiser and search.
bool is_taken(const OptionRow& row) {
    if (row.is_setting) return !is_among({"codec", "qp", "crf", "bitrate", "cbr", "me", "compat"}, row.name);
    return is_among({"preset", "tune", "simd", "quiet", "verbose", "help", "fullhelp", "version"}, row.name);
}

std::vector<OptionRow> rows_of_encode() {
    std::vector<OptionRow> rows = encode_rows();
    std::erase_if(rows, [](const OptionRow& row) { return !is_taken(row); });
    return rows;
}

} // namespace

CommandRow compare_command() {
    return {
        "compare",
        "Measures Tandem and other encoders over clips and quantisers or bit rates, and reports",
        "[CLIP...]",
        file,
        "The clips, of any kind that tandem encode reads but standard input.",
        rows_by_section({own_rows(), rows_of_encode()}),
        "Runs every point: each clip with each codec, search and device of Tandem and each peer, at each quantiser. "
        "Every run is a process of its own; bytes, PSNR and SSIM are of what libavcodec decodes from the stream. A "
        "line "
        "of results.jsonl is written when all runs of a point are done, so that an interrupted sweep goes on where it "
        "was.\n"
        "SERIES are named by what differs from the defaults, --threads and --idct too, so that results of several "
        "settings "
        "in one FOLDER are several curves; a clip at another --fps is another clip.\n"
        "PEERS: NAME or NAME:OPTION=VALUE:... is an encoder of libavcodec (mpeg2video, mpeg1video, "
        "libx264:preset=superfast); x264:preset=medium:no-cabac is x264's command; ffmpeg:ARGUMENTS is FFmpeg's, which "
        "must name -c:v and {qp} (\"ffmpeg:-c:v mpeg2video -g 12 -qscale:v {qp}\"). A comma in one is written \\,. All "
        "get --threads, and all but FFmpeg's command get --keyint; libavcodec's MPEG encoders also get --bframes, at "
        "most two where --b-adapt decides how many ours are, and the "
        "quantiser as it is. H.264 and others with an option qp get the quantiser of the same step: 12 + 6 log2(qp / "
        "0.85). {qp} and {h264_qp} in a value put them where else they are wanted. With --bitrates each gets the rate "
        "by the option that is its own, FFmpeg's command by {kbps} (\"ffmpeg:-c:v mpeg2video -g 12 -b:v {kbps}k\"), "
        "and "
        "--vbv-maxrate and --vbv-bufsize where they are given.\n"
        "Exit code 1: a point failed; the others are kept."};
}

} // namespace tandem
