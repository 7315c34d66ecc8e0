// SPDX-License-Identifier: BSD-2-Clause
// tandem compare as a user runs it, on tiny clips.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "app/bench/child_process.h"
#include "app/compare/encoders/stream_encoder.h"
#include "app/compare/sweep/md5.h"
#include "app/json.h"
#include "tests/app/clips.h"
#include "tests/app/compare/compare_fixture.h"
#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/quality/quality.h"
#include "video/source.h"

namespace tandem::test {
namespace {

TEST_F(CompareCommand, RatesInPlaceOfQuantisers) {
    const auto run_rates = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"compare", "clip.y4m", "-o", "out", "--devices", "cpu", "--searches", "log",
                                     "--repeat", "1", "--threads", "2"});
        return run_command(folder_.path(), words);
    };
    const Outcome outcome = run_rates({"--bitrates", "200,400", "--peers", "mpeg2video"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const auto rows = results();
    ASSERT_EQ(rows.size(), 4U);
    for (const Json& row : rows) {
        EXPECT_FALSE(row.contains("qp"));
        EXPECT_TRUE(row["target_kbps"] == 200 || row["target_kbps"] == 400);
        const bool is_tandem = row["encoder"] == "tandem";
        EXPECT_EQ(row["series"],
                  is_tandem ? "tandem mpeg2 log cpu threads=2 at rates" : "mpeg2video threads=2 at rates");
    }
    EXPECT_LT(rows[0]["bytes"].get<int>(), rows[2]["bytes"].get<int>());
    EXPECT_NE(read_file(folder_ / "out/results.md").find("By how much each encoder missed the rate"),
              std::string::npos);
    // Nothing of quantisers is taken for a rate, nor the other way round.
    ASSERT_EQ(run_rates({"--qps", "8", "--peers", "none"}).code, 0);
    EXPECT_EQ(results().size(), 5U);
    ASSERT_EQ(run_rates({"--bitrates", "200,400", "--peers", "mpeg2video"}).code, 0);
    EXPECT_EQ(results().size(), 5U) << "all are there already";
    for (const auto& [words, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--qps", "8", "--bitrates", "300"}, "exclude each other"},
             {{"--bitrates", "0"}, "--bitrates 0"},
             {{"--bitrates", "300,300"}, "given twice"},
             {{"--bitrates", "300", "--peers", "ffmpeg:-c:v mpeg2video -qscale:v {qp}"}, "{kbps}"}}) {
        const Outcome refused = run_rates(words);
        EXPECT_EQ(refused.code, 2) << why;
        EXPECT_NE(refused.errors.find(why), std::string::npos) << refused.errors;
    }
}

TEST_F(CompareCommand, WritesACompleteRowForEachPoint) {
    const Outcome outcome = run({"--codecs", "mpeg2,mpeg1", "--searches", "full,log", "--repeat", "2"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const auto rows = results();
    ASSERT_EQ(rows.size(), 2u * (2 * 2 + 1));
    std::set<std::string> keys, series;
    for (const Json& row : rows) {
        for (const char* name : {"schema",  "key",    "clip",           "encoder",    "series",       "codec",
                                 "options", "qp",     "frames",         "bytes",      "bitrate_kbps", "psnr_y",
                                 "psnr_u",  "psnr_v", "psnr",           "ssim_y",     "ssim",         "encode_s",
                                 "total_s", "runs",   "peak_rss_bytes", "stream_md5", "pictures",     "provenance"})
            EXPECT_TRUE(row.contains(name)) << name << " is not in " << row.dump();
        EXPECT_EQ(row["runs"].size(), 2u);
        EXPECT_EQ(row["clip"]["md5"], md5_of_file(folder_ / "clip.y4m"));
        EXPECT_EQ(row["clip"]["frames"], pictures);
        EXPECT_EQ(row["clip"]["fps_ratio"], "25/1");
        EXPECT_GE(row["total_s"].get<double>(), row["encode_s"].get<double>() * 0.5);
        EXPECT_GT(row["peak_rss_bytes"].get<std::int64_t>(), 1000000);
        std::uint64_t bytes = 0;
        for (const Json& picture : row["pictures"])
            bytes += picture["bytes"].get<std::uint64_t>();
        EXPECT_LE(bytes, row["bytes"].get<std::uint64_t>());
        EXPECT_EQ(row["pictures"].size(), static_cast<std::size_t>(pictures));
        EXPECT_EQ(row["pictures"][0]["type"], "I");
        const bool is_tandem = row["encoder"] == "tandem";
        EXPECT_EQ(row.contains("motion_s"), is_tandem);
        EXPECT_EQ(row.contains("field"), is_tandem && row["qp"] == 16);
        EXPECT_EQ(row["provenance"].contains("peer"), !is_tandem);
        keys.insert(row["key"]);
        series.insert(row["series"]);
    }
    EXPECT_EQ(keys.size(), rows.size());
    EXPECT_EQ(series, (std::set<std::string>{"tandem mpeg2 full cpu threads=2", "tandem mpeg2 log cpu threads=2",
                                             "tandem mpeg1 full cpu threads=2", "tandem mpeg1 log cpu threads=2",
                                             "mpeg2video threads=2"}));
}

TEST_F(CompareCommand, AFieldHasAPlaceForEachMacroblock) {
    ASSERT_EQ(run({"--peers", "none", "--qps", "8", "--bframes", "0"}).code, 0);
    const Json field = results()[0]["field"];
    EXPECT_EQ(field["columns"], width / 16);
    EXPECT_EQ(field["rows"], height / 16);
    ASSERT_EQ(field["mv"].size(), static_cast<std::size_t>(width / 16 * height / 16));
    // The scene pans by (1.5, 0.75): most blocks come from there, to half a pel.
    int right = 0;
    for (const Json& vector : field["mv"])
        right += vector.is_array() && std::abs(vector[0].get<double>() + 1.5) <= 0.5 &&
                 std::abs(vector[1].get<double>() + 0.75) <= 0.5;
    EXPECT_GE(right, static_cast<int>(field["mv"].size()) / 2) << field.dump();
}

/// Decodes a stream and compares it with the clip, by other means than the command.
struct Decoded {
    SquaredErrors errors;
    std::array<double, 3> ssim{}; ///< Sums, of Y, Cb, Cr.
    int count = 0;
};

Decoded decoded(const std::string& stream, const std::string& clip, const StreamDecoderOptions& options) {
    Decoded sum;
    const auto source = open_source(clip);
    const auto decoder = make_stream_decoder("mpeg2video", options, [&](const DecodedPicture& picture) {
        const auto original = source->read();
        sum.errors.add(squared_errors(*original, picture.frame, width, height));
        for (int plane = 0; plane < 3; ++plane)
            sum.ssim[static_cast<std::size_t>(plane)] +=
                ssim(original->plane(plane).view(), picture.frame.plane(plane).view());
        ++sum.count;
    });
    const std::string bytes = read_file(stream);
    decoder->push({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    decoder->finish();
    return sum;
}

TEST_F(CompareCommand, MeasuresWhatADecoderGivesOfWhatEncodeWrites) {
    for (const bool exact : {false, true}) {
        const std::string output = exact ? "exact" : "plain";
        const std::vector<std::string> more{
            "--bframes", "2", "--merange", "9", "--idct", exact ? "exact" : "ffmpeg", "--keep-streams"};
        ASSERT_EQ(run(more, output).code, 0);
        for (const Json& row : results(output)) {
            const std::string stream = folder_ / (output + "/streams/" + row["key"].get<std::string>() +
                                                  (row["encoder"] == "tandem" ? ".m2v" : ".bin"));
            EXPECT_EQ(row["stream_md5"], md5_of_file(stream));
            EXPECT_EQ(row["bytes"], std::filesystem::file_size(stream));
            const Decoded measured = decoded(stream, folder_ / "clip.y4m", {exact, false});
            EXPECT_EQ(measured.count, pictures);
            EXPECT_DOUBLE_EQ(row["psnr_y"].get<double>(), measured.errors.psnr(0));
            EXPECT_DOUBLE_EQ(row["psnr_u"].get<double>(), measured.errors.psnr(1));
            EXPECT_DOUBLE_EQ(row["psnr_v"].get<double>(), measured.errors.psnr(2));
            const auto& [y, u, v] = measured.ssim;
            EXPECT_DOUBLE_EQ(row["ssim_y"].get<double>(), y / pictures);
            EXPECT_DOUBLE_EQ(row["ssim"].get<double>(), (4 * y + u + v) / 6 / pictures) << "of 4:2:0's samples";
            EXPECT_DOUBLE_EQ(row["bitrate_kbps"].get<double>(), row["bytes"].get<double>() * 8 * 25 / 1000 / pictures);
            if (row["encoder"] != "tandem") continue;
            const std::string qp = std::to_string(row["qp"].get<int>());
            ASSERT_EQ(run_command(folder_.path(), {"encode", "clip.y4m", "-o", "same.m2v", "--me", "log", "--bframes",
                                                   "2", "--merange", "9", "--qp", qp})
                          .code,
                      0);
            EXPECT_EQ(row["stream_md5"], md5_of_file(folder_ / "same.m2v"));
        }
    }
}

TEST_F(CompareCommand, PicturesAreInCodingOrderWithTheirDisplayNumbers) {
    ASSERT_EQ(run({"--bframes", "2", "--b-adapt", "0", "--qps", "8"}).code, 0);
    for (const Json& row : results()) {
        std::vector<int> numbers;
        for (const Json& picture : row["pictures"])
            numbers.push_back(picture["n"]);
        ASSERT_EQ(numbers.size(), static_cast<std::size_t>(pictures)) << row["series"];
        EXPECT_EQ(numbers[0], 0);
        EXPECT_EQ(numbers[1], 3);
        EXPECT_EQ(numbers[2], 1);
        EXPECT_EQ(row["pictures"][2]["type"], "B");
    }
}

TEST_F(CompareCommand, ClipsMayHaveAnyName) {
    const std::string name = "\xff {{\"name\"}}.y4m";
    std::filesystem::rename(folder_ / "clip.y4m", folder_ / name);
    const Outcome outcome = run_command(folder_.path(), {"compare", name, "-o", "out", "--qps", "8", "--repeat", "1",
                                                         "--devices", "cpu", "--peers", "none", "--searches", "log"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(results().size(), 1u);
}

TEST_F(CompareCommand, WritesTheReportAlsoAlone) {
    ASSERT_EQ(run({"--qps", "4,8,16,31"}).code, 0);
    const std::vector<std::string> names{"report.html", "summary.json", "results.csv", "results.md"};
    std::vector<std::string> before;
    for (const std::string& name : names) {
        before.push_back(read_file(folder_ / ("out/" + name)));
        std::filesystem::remove(folder_ / ("out/" + name));
    }
    ASSERT_EQ(run_command(folder_.path(), {"compare", "-o", "out", "--report-only"}).code, 0);
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(read_file(folder_ / ("out/" + names[i])), before[i]) << names[i];
}

TEST_F(CompareCommand, OnePointAloneGivesTheSameRow) {
    ASSERT_EQ(run().code, 0);
    const auto rows = results();
    const Outcome list = run({"--list-points"});
    ASSERT_EQ(list.code, 0);
    std::istringstream lines(list.output);
    std::size_t n = 0;
    for (std::string line; std::getline(lines, line); ++n) {
        const std::string start = std::to_string(n + 1) + "\t" + rows.at(n)["key"].get<std::string>() + "\tclip\t" +
                                  rows[n]["series"].get<std::string>() + "\t" + rows[n]["qp"].dump();
        EXPECT_EQ(line, start);
    }
    EXPECT_EQ(n, rows.size());
    for (const std::string& name : {rows[1]["key"].get<std::string>(), std::string("2")}) {
        const Outcome one = run({"--point", name}, "elsewhere");
        ASSERT_EQ(one.code, 0) << one.errors;
        ASSERT_EQ(rows_of(one.output).size(), 1u);
        EXPECT_EQ(without_times(rows_of(one.output)[0]), without_times(rows[1]));
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
}

TEST_F(CompareCommand, APeerThatIsNamedAndMissingIsAnErrorBeforeAnythingStarts) {
    const Outcome wrong = run({"--peers", "mpeg2video,no_such_encoder"});
    EXPECT_EQ(wrong.code, 2) << wrong.errors;
    EXPECT_NE(wrong.errors.find("--peers no_such_encoder: libavcodec has no such encoder"), std::string::npos)
        << wrong.errors;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out")) << wrong.errors;
    EXPECT_EQ(run({"--peers", "cpu"}).code, 2) << "a device's name";
}

TEST_F(CompareCommand, AFullDiskEndsItWithOne) {
    std::filesystem::create_directory(folder_ / "out");
    std::filesystem::create_symlink("/dev/full", folder_ / "out/results.jsonl");
    const Outcome outcome = run({"--qps", "8", "--peers", "none"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.errors.find("results.jsonl"), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.errors.find("No space left"), std::string::npos) << outcome.errors;
}

TEST_F(CompareCommand, APointThatFailsIsToldAndTheOthersAreKept) {
    // The streams' names are taken by folders: those points cannot be written.
    const Outcome list = run({"--list-points"});
    const std::string key = list.output.substr(2, 32);
    std::filesystem::create_directories(folder_ / ("out/streams/" + key + ".m2v"));
    const Outcome outcome = run({"--keep-streams"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.errors.find("1 of 4 points failed"), std::string::npos) << outcome.errors;
    EXPECT_EQ(results().size(), 3u);
}

TEST_F(CompareCommand, TheSizeIsForRawClipsThatDoNotTellTheirs) {
    write_file(folder_ / "a_32x16.yuv", yuv_clip(32, 16, 3));
    write_file(folder_ / "b.yuv", yuv_clip(48, 16, 3));
    const Outcome outcome =
        run({"a_32x16.yuv", "b.yuv", "--input-res", "48x16", "--fps", "25", "--peers", "none", "--qps", "8"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const auto rows = results();
    ASSERT_EQ(rows.size(), 3u);
    for (const auto& [index, width] : {std::pair{0, 64}, {1, 32}, {2, 48}})
        EXPECT_EQ(rows[static_cast<std::size_t>(index)]["clip"]["width"], width) << index;
}

TEST_F(CompareCommand, AUsualPeerThatCannotCodeAClipIsLeftOut) {
    if (!library_has_encoder("libx264")) GTEST_SKIP() << "libavcodec has no libx264 here";
    write_file(folder_ / "odd.y4m", y4m_clip(35, 17, 3));
    const Outcome outcome = run_command(folder_.path(), {"compare", "clip.y4m", "odd.y4m", "-o", "out", "--devices",
                                                         "cpu", "--qps", "8", "--searches", "log", "--repeat", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_NE(outcome.errors.find("libx264:preset=superfast is left out: "), std::string::npos) << outcome.errors;
}

TEST_F(CompareCommand, H264PeersAreMeasuredToo) {
    if (!library_has_encoder("libx264")) GTEST_SKIP() << "libavcodec has no libx264 here";
    const Outcome outcome = run({"--peers", "libx264:preset=ultrafast", "--qps", "8"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const Json row = results()[1];
    EXPECT_EQ(row["codec"], "h264");
    EXPECT_EQ(row["series"], "libx264 preset=ultrafast threads=2");
    EXPECT_GT(row["psnr_y"].get<double>(), 25);
    EXPECT_NE(row["provenance"]["peer"].get<std::string>().find("x264 core"), std::string::npos);
}

TEST_F(CompareCommand, TheLibraryCodesWhatFfmpegsCommandCodes) {
    if (!program_exists("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    const Outcome outcome =
        run({"--peers", "mpeg2video,ffmpeg:-c:v mpeg2video -g 120 -bf 2 -qscale:v {qp}", "--threads", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const auto rows = results();
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows[1]["stream_md5"], rows[2]["stream_md5"]);
    EXPECT_FALSE(rows[2].contains("encode_s"));
}

/// Bad input where there are GPUs, a failure where there are none.
constexpr int either = -1;

struct Broken {
    const char* name;
    std::vector<std::string> more;
    std::vector<std::string> said;
    int code = 2;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenComparison : public CompareCommand, public testing::WithParamInterface<Broken> {};

TEST_P(BrokenComparison, IsToldAndWritesNothing) {
    write_file(folder_ / "text.y4m", "This is no video.\n");
    write_file(folder_ / "wide.y4m", y4m_clip(4100, 16, 1));
    std::filesystem::create_directory(folder_ / "foreign");
    write_file(folder_ / "foreign/results.jsonl", "not mine\n");
    write_file(folder_ / "foreign/summary.json", y4m_clip(width, height, 1));
    std::filesystem::copy_file(folder_ / "clip.y4m", folder_ / "copy.y4m");
    const auto before = snapshot_of(folder_.path());
    const Outcome outcome = run(GetParam().more);
    EXPECT_EQ(outcome.code, GetParam().code == either ? outcome.code : GetParam().code) << outcome.errors;
    EXPECT_GT(outcome.code, 0) << outcome.errors;
    for (const std::string& word : GetParam().said)
        EXPECT_NE(outcome.errors.find(word), std::string::npos) << "\"" << word << "\" is not in: " << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

const std::vector<Broken> broken{
    {"codec", {"--codecs", "mpeg2,mpeg4"}, {"--codecs mpeg4", "mpeg1, mpeg2"}},
    {"codec_twice", {"--codecs", "mpeg2,mpeg2"}, {"mpeg2 is given twice"}},
    {"search", {"--searches", "fast"}, {"--searches fast", "full"}},
    {"device", {"--devices", "cpu,fpga"}, {"--devices fpga: must be"}},
    {"device_auto", {"--devices", "auto"}, {"--devices auto"}},
    {"no_gpu", {"--devices", "gpu:63", "--peers", "none"}, {"gpu:63"}, either},
    {"qp_high", {"--qps", "2,32"}, {"--qps 32", "1 to 31"}},
    {"qp_zero", {"--qps", "0"}, {"--qps 0", "1 to 31"}},
    {"qp_word", {"--qps", "two"}, {"--qps two", "1 to 31"}},
    {"qp_empty_word", {"--qps", "2,,4"}, {"--qps 2,,4", "missing"}},
    {"qp_twice", {"--qps", "4,4"}, {"4 is given twice"}},
    {"repeat_zero", {"--repeat", "0"}, {"--repeat 0", "1 to 99"}},
    {"frames_zero", {"--frames", "0"}, {"--frames 0", "1 to"}},
    {"keyint", {"--keyint", "0"}, {"--keyint 0", "1 to 1024"}},
    {"merange", {"--codecs", "mpeg1", "--merange", "600"}, {"600", "511"}},
    {"peer_option", {"--peers", "mpeg2video:no_such_option=1"}, {"no_such_option"}},
    {"peer_value", {"--peers", "mpeg2video:b=many"}, {"mpeg2video:b=many"}},
    {"peer_without_quantiser", {"--peers", "ffv1"}, {"ffv1", "{qp}"}},
    {"peer_twice", {"--peers", "mpeg2video,mpeg2video"}, {"mpeg2video threads=2 is asked for twice"}},
    {"ffmpeg_without_qp", {"--peers", "ffmpeg:-c:v mpeg2video"}, {"{qp}"}},
    {"clip_missing", {"none.y4m"}, {"none.y4m"}},
    {"clip_is_no_video", {"text.y4m"}, {"text.y4m"}},
    {"clip_twice", {"copy.y4m"}, {"are the same clip"}},
    {"clip_from_standard_input", {"-"}, {"standard input"}},
    {"clip_too_wide_for_mpeg1", {"wide.y4m", "--codecs", "mpeg1"}, {"wide.y4m", "4100"}},
    {"foreign_results", {"-o", "foreign"}, {"line 1", "--fresh"}},
    {"input_res_for_nobody", {"--input-res", "64x48"}, {"--input-res 64x48: no clip needs it"}},
    {"clip_is_an_output", {"foreign/summary.json", "-o", "foreign"}, {"foreign/summary.json: this clip is one of"}},
    {"folder_is_a_file", {"-o", "clip.y4m"}, {"clip.y4m"}},
    {"anchor", {"--anchor", "nobody"}, {"--anchor nobody", "mpeg2video"}},
    {"report_of_nothing", {"--report-only"}, {"out/results.jsonl"}},
    {"point", {"--point", "5"}, {"--point 5", "1 to 4"}},
    {"point_key", {"--point", "0123456789abcdef0123456789abcdef"}, {"neither a point's number, 1 to ", "nor its key"}},
    {"point_and_fresh", {"--point", "1", "--fresh"}, {"--fresh", "--point"}},
    {"idct", {"--idct", "good"}, {"--idct good", "ffmpeg|exact"}},
    {"nothing_left", {"--peers", "no_such_encoder", "--devices", "gpu:63"}, {}, either},
};

INSTANTIATE_TEST_SUITE_P(Table, BrokenComparison, testing::ValuesIn(broken),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tandem::test
