// SPDX-License-Identifier: BSD-2-Clause
// Every limit of the settings, from both sides, and all problems at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "encoder/encoder.h"
#include "encoder/settings.h"
#include "machine/errors.h"

namespace tandem {
namespace {

struct Given {
    Settings settings;
    VideoFormat format;
    Given() {
        format.width = 352;
        format.height = 288;
        settings.search.algorithm = Algorithm::full; // It has a grid.
    }
};

struct Row {
    const char* what;
    std::function<void(Given&)> change;
    std::vector<const char*> says; ///< All in one problem; none: the change is a good one.
};

void mpeg1(Given& given) { given.settings.codec = Codec::mpeg1; }

template <class Field, class Value> std::function<void(Given&)> set(Field Settings::*field, Value value) {
    return [=](Given& given) { given.settings.*field = value; };
}
template <class Value> std::function<void(Given&)> set(Value SearchParams::*field, Value value) {
    return [=](Given& given) { given.settings.search.*field = value; };
}
std::function<void(Given&)> size(int width, int height) {
    return [=](Given& given) {
        given.format.width = width;
        given.format.height = height;
    };
}
std::function<void(Given&)> rate(std::int64_t numerator, std::int64_t denominator) {
    return [=](Given& given) { given.format.frame_rate = {numerator, denominator}; };
}
std::function<void(Given&)> colour(ColourDescription given_colour) {
    return [=](Given& given) { given.format.colour = given_colour; };
}
std::function<void(Given&)> in_mpeg1(std::function<void(Given&)> change) {
    return [change = std::move(change)](Given& given) {
        mpeg1(given);
        change(given);
    };
}
std::function<void(Given&)> matrix(std::optional<QuantiserMatrix> Settings::*field, std::size_t at, int value) {
    return [=](Given& given) {
        QuantiserMatrix entries = default_intra_matrix();
        entries[at] = static_cast<std::uint8_t>(value);
        given.settings.*field = entries;
    };
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<Row> size_rows() {
    return {
        {"1x1", size(1, 1), {}},
        {"width 0", size(0, 16), {"width", "0", "1 to 16383"}},
        {"width -1", size(-1, 16), {"width", "-1"}},
        {"height 0", size(16, 0), {"height", "0", "1 to 16383"}},
        {"16383", size(16383, 16383), {}},
        {"width 16384", size(16384, 16), {"width", "16384", "1 to 16383"}},
        {"height 16384", size(16, 16384), {"height", "16384", "1 to 16383"}},
        {"colours", colour({1, 255, 9}), {}},
        {"primaries 0", colour({0, 1, 1}), {"colour primaries", "0", "1 to 255"}},
        {"transfer 256", colour({1, 256, 1}), {"transfer characteristics", "256", "1 to 255"}},
        {"matrix -1", colour({1, 1, -1}), {"matrix coefficients", "-1", "1 to 255"}},
        {"MPEG-1 primaries 0", in_mpeg1(colour({0, 1, 1})), {}},
        {"width 4096", size(4096, 16), {"width", "4096", "multiple"}},
        {"height 8192", size(16, 8192), {"height", "8192", "multiple"}},
        {"4095 and 4097", size(4095, 4097), {}},
        {"MPEG-1 4095", in_mpeg1(size(4095, 4095)), {}},
        {"MPEG-1 width 4097", in_mpeg1(size(4097, 16)), {"width", "4097", "1 to 4095"}},
        {"MPEG-1 height 4097", in_mpeg1(size(16, 4097)), {"height", "4097", "1 to 4095"}},
        {"rate 30000/1001", rate(30000, 1001), {}},
        {"rate 50/2, which is 25", rate(50, 2), {}},
        {"rate 12.5", rate(25, 2), {}},
        {"MPEG-1 rate 12.5", in_mpeg1(rate(25, 2)), {"25/2", "MPEG-1", "24000/1001", "--fps"}},
        {"MPEG-1 rate 26", in_mpeg1(rate(26, 1)), {"26/1", "25/1", "30000/1001"}},
        {"MPEG-2 rate 29.99", rate(2999, 100), {"2999/100", "MPEG-2", "30000/1001", "30/1"}},
        {"rate 0", rate(0, 1), {"frame rate", "0/1"}},
        {"rate 1/0", rate(1, 0), {"frame rate", "1/0"}},
        {"rate -25", rate(-25, 1), {"frame rate", "-25/1"}},
        {"huge rate", rate(std::numeric_limits<std::int64_t>::max(), 1), {"frame rate"}},
    };
}

std::vector<Row> quantiser_rows() {
    return {
        {"qp 1", set(&Settings::qp, 1), {}},
        {"qp 31", set(&Settings::qp, 31), {}},
        {"qp 0", set(&Settings::qp, 0), {"qp", "0", "1 to 31"}},
        {"qp 32", set(&Settings::qp, 32), {"qp", "32", "1 to 31"}},
        {"ip 0", set(&Settings::ip_factor, 0.0), {"ip-factor", "0", "10"}},
        {"ip 11", set(&Settings::ip_factor, 11.0), {"ip-factor", "11"}},
        {"ip nan", set(&Settings::ip_factor, not_a_number), {"ip-factor", "nan"}},
        {"pb 0.05", set(&Settings::pb_factor, 0.05), {"pb-factor", "0.05"}},
        {"pb inf", set(&Settings::pb_factor, infinite), {"pb-factor", "inf"}},
        {"DC 11", set(&Settings::intra_dc_precision, 11), {}},
        {"DC 7", set(&Settings::intra_dc_precision, 7), {"intra-dc-precision", "7", "8 to 11"}},
        {"DC 12", set(&Settings::intra_dc_precision, 12), {"intra-dc-precision", "12", "8 to 11"}},
        {"intra matrix", matrix(&Settings::intra_matrix, 63, 255), {}},
        {"intra matrix 0", matrix(&Settings::intra_matrix, 5, 0), {"intra matrix", "5", "0"}},
        {"intra matrix DC", matrix(&Settings::intra_matrix, 0, 9), {"first", "intra matrix", "8"}},
        {"other matrix 0", matrix(&Settings::non_intra_matrix, 63, 0), {"non-intra matrix", "63", "0"}},
        {"other matrix DC", matrix(&Settings::non_intra_matrix, 0, 9), {}},
        {"dead zone -1", set(&Settings::deadzone_intra, -1), {"deadzone-intra", "-1", "0 to 32"}},
        {"dead zone 33", set(&Settings::deadzone_inter, 33), {"deadzone-inter", "33", "0 to 32"}},
        {"bit rate -1", set(&Settings::max_bitrate_kbps, -1), {"maxrate", "-1"}},
        {"MPEG-1 bit rate", in_mpeg1(set(&Settings::max_bitrate_kbps, 104856)), {}},
        {"MPEG-1 bit rate + 1", in_mpeg1(set(&Settings::max_bitrate_kbps, 104857)), {"maxrate", "104857", "104856"}},
        {"MPEG-2 bit rate", set(&Settings::max_bitrate_kbps, 429496729), {}},
        {"MPEG-2 bit rate + 1", set(&Settings::max_bitrate_kbps, 429496730), {"maxrate", "429496730"}},
        {"MPEG-1 non-linear",
         in_mpeg1(set(&Settings::non_linear_quantiser, true)),
         {"MPEG-1", "qscale-type is nonlinear", "linear"}},
        {"MPEG-1 VLC", in_mpeg1(set(&Settings::intra_table, IntraTable::b15)), {"MPEG-1", "intra-vlc"}},
        {"MPEG-1 scan", in_mpeg1(set(&Settings::alternate_scan, true)), {"MPEG-1", "alternate-scan"}},
        {"MPEG-1 DC", in_mpeg1(set(&Settings::intra_dc_precision, 9)), {"intra-dc-precision is 9; MPEG-1 has only 8"}},
    };
}

std::vector<Row> structure_rows() {
    return {
        {"keyint 1", set(&Settings::keyint, 1), {}},
        {"keyint 1024", set(&Settings::keyint, 1024), {}},
        {"keyint 0", set(&Settings::keyint, 0), {"keyint", "0", "1 to 1024"}},
        {"keyint 1025", set(&Settings::keyint, 1025), {"keyint", "1025", "1 to 1024"}},
        {"8 B", set(&Settings::bframes, 8), {}},
        {"9 B", set(&Settings::bframes, 9), {"bframes", "9", "0 to 8"}},
        {"-1 B", set(&Settings::bframes, -1), {"bframes", "-1"}},
        {"MPEG-2 slices", set(&Settings::slices, 18), {}},
        {"MPEG-2 too few slices", set(&Settings::slices, 17), {"slices", "17", "18 to 396", "row"}},
        {"as many slices as macroblocks", set(&Settings::slices, 396), {}},
        {"too many slices", set(&Settings::slices, 397), {"slices", "397", "396"}},
        {"MPEG-1 one slice", in_mpeg1(set(&Settings::slices, 1)), {}},
        {"MPEG-1 slices -1", in_mpeg1(set(&Settings::slices, -1)), {"slices is -1; it must be 0"}},
        {"MPEG-1 too many slices", in_mpeg1(set(&Settings::slices, 397)), {"slices", "397"}},
        {"lookahead 1", set(&Settings::lookahead, 1), {}},
        {"lookahead 0", set(&Settings::lookahead, 0), {}},
        {"lookahead -1", set(&Settings::lookahead, -1), {"lookahead", "-1", "0 to 64"}},
        {"lookahead 65", set(&Settings::lookahead, 65), {"lookahead", "65", "0 to 64"}},
        {"threads -1", set(&Settings::threads, -1), {"threads", "-1", "0 to 1024"}},
        {"threads 1025", set(&Settings::threads, 1025), {"threads", "1025"}},
    };
}

void grid_of_walk(Given& given) {
    given.settings.search.algorithm = Algorithm::hexagon;
    given.settings.search.grid = 2;
}

std::vector<Row> decision_rows() {
    return {
        {"null-threshold", set(&SearchParams::null_threshold, 65281U), {"null-threshold", "65281", "65280"}},
        {"null-gain", set(&SearchParams::null_gain, 256U), {"null-gain", "256", "255"}},
        {"intra threshold low", set(&Settings::intra_threshold, -65537), {"intra-threshold", "-65537"}},
        {"intra threshold high", set(&Settings::intra_threshold, 65537), {"intra-threshold", "65537"}},
        {"refresh 1", set(&Settings::intra_refresh, 1), {}},
        {"refresh 0", set(&Settings::intra_refresh, 0), {"intra-refresh", "0", "1 to 132"}},
        {"refresh 133", set(&Settings::intra_refresh, 133), {"intra-refresh", "133", "1 to 132"}},
        {"range 0", set(&Settings::range, 0), {}},
        {"range 1023", set(&Settings::range, 1023), {}},
        {"range -1", set(&Settings::range, -1), {"merange", "-1"}},
        {"range 1024", set(&Settings::range, 1024), {"merange", "1024", "1023"}},
        {"MPEG-1 range 511", in_mpeg1(set(&Settings::range, 511)), {}},
        {"MPEG-1 range 512", in_mpeg1(set(&Settings::range, 512)), {"merange", "512", "511"}},
        {"given vectors", set(&SearchParams::algorithm, Algorithm::given), {"me is 9; it must be one of full"}},
        {"16 candidates", set(&SearchParams::candidates, 16), {}},
        {"no candidates", set(&SearchParams::candidates, 0), {"candidates", "0", "1 to 16"}},
        {"17 candidates", set(&SearchParams::candidates, 17), {"candidates", "17", "1 to 16"}},
        {"grid 2", set(&SearchParams::grid, 2), {}},
        {"grid 0", set(&SearchParams::grid, 0), {"grid is 0; it must be one of 1, 2"}},
        {"grid 4", set(&SearchParams::grid, 4), {"grid is 4; it must be one of 1, 2"}},
        {"grid 2 of a walk", grid_of_walk, {"grid (", "'hexagon'"}},
        {"no passes", set(&SearchParams::passes, 0), {"passes", "0", "1 to 4"}},
    };
}

std::vector<Row> enumerator_rows() {
    constexpr auto number = std::uint8_t{200};
    return {
        {"codec 200", set(&Settings::codec, Codec{number}), {"codec is 200; it must be one of mpeg1, mpeg2"}},
        {"codec -1", set(&Settings::codec, Codec{-1}), {"codec is -1; it must be one of mpeg1"}},
        {"decision 200", set(&Settings::decision, Decision{number}), {"decision is 200; it must be one of tm5"}},
        {"motion reference 200",
         set(&Settings::motion_reference, MotionReference{number}),
         {"me-reference is 200; it must be one of source"}},
        {"algorithm 200", set(&SearchParams::algorithm, Algorithm{number}), {"me is 200; it must be one of full"}},
        {"metric 200", set(&SearchParams::metric, Metric{number}), {"metric is 200; it must be one of sad"}},
    };
}

std::string joined(const std::vector<std::string>& problems) {
    std::string all;
    for (const std::string& problem : problems)
        all += problem + "\n";
    return all;
}

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        SCOPED_TRACE(row.what);
        Given given;
        row.change(given);
        const std::vector<std::string> problems = given.settings.validate(given.format);
        if (row.says.empty()) {
            EXPECT_TRUE(problems.empty()) << joined(problems);
            continue;
        }
        const bool said = std::any_of(problems.begin(), problems.end(), [&](const std::string& problem) {
            return std::all_of(row.says.begin(), row.says.end(),
                               [&](const char* part) { return problem.find(part) != std::string::npos; });
        });
        EXPECT_TRUE(said) << joined(problems);
        EXPECT_LE(problems.size(), 2U) << "one wrong field, many problems:\n" << joined(problems);
    }
}

TEST(Settings, DefaultsAreGood) {
    for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
        Given given;
        given.settings.codec = codec;
        EXPECT_TRUE(given.settings.validate(given.format).empty());
    }
}

TEST(Settings, SizesAndRates) { check(size_rows()); }
TEST(Settings, Quantisers) { check(quantiser_rows()); }
TEST(Settings, Structure) { check(structure_rows()); }
TEST(Settings, Decisions) { check(decision_rows()); }
TEST(Settings, ValuesThatEnumerationsDoNotHave) { check(enumerator_rows()); }

/// One wrong value in every field that can be wrong.
Given all_wrong() {
    Given given;
    given.format.width = 0;
    given.format.height = 20000;
    given.format.frame_rate = {26, 1};
    Settings& settings = given.settings;
    settings.codec = Codec::mpeg1;
    settings.qp = 99;
    settings.ip_factor = settings.pb_factor = 0;
    settings.intra_dc_precision = 5;
    settings.intra_matrix = QuantiserMatrix{};
    settings.non_intra_matrix = QuantiserMatrix{};
    settings.deadzone_intra = settings.deadzone_inter = 40;
    settings.max_bitrate_kbps = -5;
    settings.keyint = 0;
    settings.bframes = 10;
    settings.slices = -3;
    settings.search.null_threshold = settings.search.null_gain = 1000000;
    settings.intra_threshold = 1000000;
    settings.intra_refresh = 0;
    settings.range = 5000;
    settings.search.candidates = 0;
    settings.lookahead = 65;
    settings.threads = -1;
    return given;
}

TEST(Settings, AProblemIsSaidOnce) {
    Given given;
    in_mpeg1(set(&Settings::range, 5000))(given);
    EXPECT_EQ(given.settings.validate(given.format).size(), 1u);
}

TEST(Settings, AllProblemsAreSaidAtOnce) {
    const Given given = all_wrong();
    const std::string all = joined(given.settings.validate(given.format));
    for (const char* word : {"width",
                             "height",
                             "frame rate",
                             "qp",
                             "ip-factor",
                             "pb-factor",
                             "intra-dc-precision",
                             "intra matrix",
                             "non-intra matrix",
                             "deadzone-intra",
                             "deadzone-inter",
                             "maxrate",
                             "keyint",
                             "bframes",
                             "slices",
                             "null-threshold",
                             "null-gain",
                             "intra-threshold",
                             "intra-refresh",
                             "merange",
                             "candidates",
                             "lookahead",
                             "threads"}) {
        EXPECT_NE(all.find(word), std::string::npos) << word << " is not in:\n" << all;
    }
}

TEST(Encoder, RefusesPicturesOfAnotherSizeAndThoseAfterTheEnd) {
    Coprocessor motion({}, make_cpu_estimator(1));
    const Given given;
    Encoder encoder(given.settings, given.format, motion, [](const EncodedPicture&) {});
    const Frame fitting(given.format.width, given.format.height);
    EXPECT_THROW(encoder.push(Frame(given.format.width, given.format.height + 1)), InputError);
    EXPECT_NO_THROW(encoder.push(fitting));
    EXPECT_FALSE(encoder.finish().empty());
    EXPECT_THROW(encoder.push(fitting), std::logic_error);
    EXPECT_THROW(encoder.finish(), std::logic_error);
}

TEST(Settings, TheEncoderRefusesWhatValidateFinds) {
    Coprocessor motion({}, make_cpu_estimator(1));
    const Given given = all_wrong();
    try {
        Encoder encoder(given.settings, given.format, motion, [](const EncodedPicture&) {});
        FAIL() << "bad settings were taken";
    } catch (const InputError& error) {
        for (const std::string& problem : given.settings.validate(given.format))
            EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << problem;
    }
}

} // namespace
} // namespace tandem
