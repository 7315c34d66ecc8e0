// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/bench_rows.h"

#include "app/options/shared_rows.h"
#include "encoder/settings/presets.h"
#include "me/rows/search_names.h"
#include "me/search.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

std::vector<OptionRow> own_rows() {
    return {
        {"me", 0, "LIST", text, "full", 0, 0, motion,
         "Searches, separated by commas, or all. A full search is measured twice: every position, and eliminating. "
         "encode has one, and the preset's where this is not given.",
         false, "search|searches", false, search_names("|", false) + "|all"},
        {"block", 0, "LIST", text, "16x16", 0, 0, motion, "Sizes of blocks WxH, separated by commas."},
        {"merange", 0, "LIST", text, "32", 0, 0, motion, "Ranges in pels each way, separated by commas.", false,
         "range"},
        {"metric",
         0,
         "LIST",
         text,
         "sad",
         0,
         0,
         motion,
         "sad, ssd, satd, separated by commas.",
         false,
         {},
         false,
         joined_names(metric_names, "|")},
        {"size", 0, "WxH", size, "1920x1080", 16, 16384, files,
         "Size of the pictures of noise that are searched without an INPUT."},
        input_res_row(),
        seek_row(),
        {"frames", 0, "N", integer, "5", 2, 1000, files,
         "Pictures held in memory and searched pair by pair; encode holds 24 where this is not given."},
        {"pictures", 0, "N", integer, "96", 8, 1000000, files,
         "encode: pictures that a run codes, to and fro through those in memory."},
        {"preset", 0, preset_names("|"), choice, std::string(default_preset), 0, 0, stream,
         "encode: which settings it has but for those that are given here."},
        {"qp", 0, "N", integer, "8", 1, 31, quantiser, "encode: the quantiser of P pictures."},
        {"keyint", 0, "N", integer, "12", 1, 1024, section::pictures, "encode: an I picture after so many pictures."},
        {"repeat", 0, "N", integer, "5", 1, 1000, measures,
         "Rounds; each measures everything once, by turns, and medians are shown."},
        {"peers", 0, "", none, "", 0, 0, measures,
         "Also measures FFmpeg's filter mestimate (esa, tss, hexbs, epzs, umh), where there is ffmpeg, with the "
         "block (a square from 8x8 on) and range (from 4 on) of the first row: a run of twice as many pictures "
         "less a run of as many, less the same without the filter."},
        report_row(),
        {"threads", 0, "N|auto", integer, "1", 0, 1024, machine,
         "Threads; auto, or 0, is as many as the machine runs at once. encode is measured on 1, 2, 4 and so on up to "
         "them."},
        simd_row(),
    };
}

} // namespace

CommandRow bench_command() {
    return {
        "bench",
        "Measures the speed of motion searches, or of an encode by its stages",
        "motion|encode",
        choice,
        "What is measured.",
        rows_by_section({own_rows(), message_rows()}),
        "Columns: MSAD/s is the positions that a search answers for, in millions a second: a full search for all of "
        "the "
        "range, whether it had to measure them or not, others for those that they measure; measured/s those that were "
        "measured; fields/s pairs of pictures a second; ceiling the share that MSAD/s is of what the bare SAD "
        "instructions "
        "of the level in force do on registers, measured in the same rounds (an eliminating search may exceed it).\n"
        "With one thread, times are processor time; with more, wall clock. FFmpeg's mestimate searches each picture "
        "forwards and backwards, which counts as two fields.\n"
        "encode: us/picture is microseconds of one core for a picture on average. Reading, lookahead (its searches, "
        "costs, types and importance), filter, search and planes are measured alone, in processor time; refine, "
        "decide, residual and entropy by the clock in a run with one "
        "thread; "
        "whole is the processor time of that run with the reading, and the rest what is left of it. The floor is what "
        "the stage cannot do without: bytes moved at the speed at which this machine copies, or differences of samples "
        "at the speed of the bare instructions. Pictures/s are of a long run less one of a quarter of its pictures, by "
        "the clock, without reading.",
        "INPUT",
        "A clip; without one, noise is searched; encode needs one."};
}

} // namespace tandem
