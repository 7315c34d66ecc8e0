// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/shared_rows.h"
#include "app/view/view.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

// clang-format off
std::vector<OptionRow> view_rows() {
    OptionRow shown = frames_row();
    shown.fallback = "60";
    shown.help = "Shows at most N pictures: each makes the page larger.";
    return {
    {"output", 'o', "FILE", file, "", 0, 0, files, "The page, .html: one file that needs nothing else.", true, {}, true},
    {"decisions", 0, "FILE", file, "", 0, 0, files,
        "What tandem encode --decisions wrote of the stream: modes, bits, candidates and all the rest.", false, {}, true},
    {"second-decisions", 0, "FILE", file, "", 0, 0, files, "The same of the second stream."},
    {"source", 0, "FILE", file, "", 0, 0, files,
        "The clip that was coded, for PSNR: y4m, yuv or whatever FFmpeg reads. Without it PSNR is that of the decisions."},
    input_res_row(),
    seek_row(),
    shown,
    {"images", 0, "webp|png", choice, "webp", 0, 0, pictures,
        "How pictures stand in the page: webp is small, png is exact and several times as large."},
    {"quality", 0, "N", integer, "85", 0, 100, pictures, "Of webp."},
    {"title", 0, "TEXT", text, "", 0, 0, pictures, "The page's title; otherwise the streams' names."},
    };
}
// clang-format on

} // namespace

CommandRow view_command() {
    return {"view",
            "Opens a stream up: modes, vectors, quantisers and bits over its pictures",
            "STREAM",
            file,
            "The coded stream, Tandem's or any that FFmpeg decodes.",
            rows_by_section({view_rows(), message_rows()}),
            "Writes one HTML page that opens offline: a timeline of the pictures, each picture with layers over it "
            "(modes, partitions, vectors, quantisers, bits, residual, importance), and everything that is known of a "
            "block. With --decisions all is there; of other streams what libavcodec tells: types, sizes, vectors and "
            "quantisers. docs/view.md says more.",
            "SECOND",
            "Another stream of the same pictures, shown beside the first.",
            {{"tandem view clip.m2v -o clip.html --decisions clip.tdf", "all that tandem encode --decisions told"},
             {"tandem view theirs.mp4 ours.m2v -o both.html", "two streams side by side"}}};
}

} // namespace tandem
