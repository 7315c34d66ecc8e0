// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/option_rows.h"

namespace tandem::test {

namespace {

QuantiserMatrix matrix_of(std::size_t step) {
    QuantiserMatrix matrix;
    for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = static_cast<std::uint8_t>(8 + i * step % 248);
    return matrix;
}

/// The least weights there may be, among larger ones: small levels are rebuilt as 0.
void set_finest_matrices(Settings& settings) {
    QuantiserMatrix matrix;
    for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = i == 0 ? 8 : i % 5 == 4 ? 40 : 1;
    settings.intra_matrix = settings.non_intra_matrix = matrix;
    settings.qp = 1;
}

std::vector<OptionRow> rows_of_both() {
    return {
        {"qp 1", [](Settings& s) { s.qp = 1; }},
        {"qp 2", [](Settings& s) { s.qp = 2; }},
        {"qp 31", [](Settings& s) { s.qp = 31; }},
        {"no factors", [](Settings& s) { s.ip_factor = s.pb_factor = 1; }},
        {"large factors", [](Settings& s) { s.qp = 10, s.ip_factor = 3, s.pb_factor = 4; }},
        {"trellis", [](Settings& s) { s.trellis = true; }},
        {"no trellis", [](Settings& s) { s.trellis = false; }},
        {"matrices", [](Settings& s) { s.intra_matrix = matrix_of(3), s.non_intra_matrix = matrix_of(5); }},
        {"finest matrices", [](Settings& s) { set_finest_matrices(s), s.trellis = true; }},
        {"finest matrices, no trellis", [](Settings& s) { set_finest_matrices(s), s.trellis = false; }},
        {"bit rate", [](Settings& s) { s.max_bitrate_kbps = 1500; }},
        {"tm5", [](Settings& s) { s.decision = Decision::tm5; }},
        {"sm3", [](Settings& s) { s.decision = Decision::sm3; }},
        {"cost", [](Settings& s) { s.decision = Decision::cost; }},
        {"rd", [](Settings& s) { s.decision = Decision::rd; }},
        {"rd, finest matrices", [](Settings& s) { set_finest_matrices(s), s.decision = Decision::rd; }},
        {"rd, no trellis, slices",
         [](Settings& s) { s.decision = Decision::rd, s.trellis = false, s.slices = 5, s.qp = 20; }},
        {"reconstruction", [](Settings& s) { s.motion_reference = MotionReference::recon; }},
        {"source", [](Settings& s) { s.motion_reference = MotionReference::source; }},
        {"three-step", [](Settings& s) { s.search.algorithm = Algorithm::three_step, s.search.grid = 1; }},
        {"logarithmic", [](Settings& s) { s.search.algorithm = Algorithm::logarithmic, s.search.grid = 1; }},
        {"half-pel grid",
         [](Settings& s) {
             s.search.algorithm = Algorithm::full, s.search.grid = 2, s.motion_reference = MotionReference::recon;
         }},
        {"squared error of all planes",
         [](Settings& s) { s.search.metric = Metric::ssd, s.search.planes = Planes::all; }},
        {"no range", [](Settings& s) { s.range = 0; }},
        {"one candidate", [](Settings& s) { s.search.candidates = 1; }},
        {"null threshold", [](Settings& s) { s.search.null_threshold = 3000; }},
        {"null gain", [](Settings& s) { s.search.null_gain = 4; }},
        {"never intra", [](Settings& s) { s.intra_threshold = 65536; }},
        {"rather intra", [](Settings& s) { s.intra_threshold = -2000; }},
        {"no dead zones", [](Settings& s) { s.trellis = false, s.deadzone_intra = 0, s.deadzone_inter = 0; }},
        {"wide dead zones", [](Settings& s) { s.trellis = false, s.deadzone_intra = 32, s.deadzone_inter = 32; }},
        {"a slice per macroblock", [](Settings& s) { s.slices = 9; }},
        {"slices", [](Settings& s) { s.slices = 5; }},
        {"refresh 3", [](Settings& s) { s.intra_refresh = 3; }},
        {"refresh 1", [](Settings& s) { s.intra_refresh = 1; }},
        {"closed groups", [](Settings& s) { s.closed_gop = true; }},
        {"planned", [](Settings& s) { s.bframes = 2, s.b_adapt = BAdapt::paths, s.scenecut = 40, s.mbtree = true; }},
        {"planned, strongest",
         [](Settings& s) { s.mbtree = true, s.mbtree_strength = 1, s.qp = 25, s.decision = Decision::rd; }},
        {"texture", [](Settings& s) { s.aq_mode = AqMode::usual, s.aq_strength = 2; }},
        {"planned, texture", [](Settings& s) { s.mbtree = true, s.aq_mode = AqMode::picture, s.bframes = 2; }},
        {"all intra", [](Settings& s) { s.keyint = 1; }},
    };
}

std::vector<OptionRow> rows_of_mpeg1() {
    return {{"one slice", [](Settings& s) { s.slices = 1; }}, {"two slices", [](Settings& s) { s.slices = 2; }}};
}

std::vector<OptionRow> rows_of_mpeg2() {
    return {
        {"non-linear quantiser", [](Settings& s) { s.non_linear_quantiser = true, s.qp = 20; }},
        {"non-linear quantiser, finest", [](Settings& s) { s.non_linear_quantiser = true, s.qp = 1; }},
        {"non-linear quantiser, coarsest", [](Settings& s) { s.non_linear_quantiser = true, s.qp = 31; }},
        {"non-linear quantiser, planned, texture",
         [](Settings& s) { s.non_linear_quantiser = s.mbtree = true, s.qp = 12, s.aq_mode = AqMode::picture; }},
        {"table B-15", [](Settings& s) { s.intra_table = IntraTable::b15, s.qp = 3; }},
        {"table B-14", [](Settings& s) { s.intra_table = IntraTable::b14, s.qp = 3; }},
        {"the shorter table", [](Settings& s) { s.qp = 4; }},
        {"alternate scan", [](Settings& s) { s.alternate_scan = true; }},
        {"DC 9", [](Settings& s) { s.intra_dc_precision = 9; }},
        {"DC 10", [](Settings& s) { s.intra_dc_precision = 10; }},
        {"DC 11", [](Settings& s) { s.intra_dc_precision = 11; }},
        {"all of MPEG-2",
         [](Settings& s) {
             s.non_linear_quantiser = s.alternate_scan = true;
             s.intra_table = IntraTable::b15;
             s.intra_dc_precision = 11;
             s.qp = 2;
             s.intra_matrix = matrix_of(7);
         }},
    };
}

} // namespace

std::vector<OptionRow> option_rows(Codec codec) {
    std::vector<OptionRow> rows = rows_of_both();
    for (OptionRow& row : codec == Codec::mpeg1 ? rows_of_mpeg1() : rows_of_mpeg2())
        rows.push_back(std::move(row));
    return rows;
}

} // namespace tandem::test
