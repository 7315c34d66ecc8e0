// SPDX-License-Identifier: BSD-2-Clause
// The good path of `tandem encode`, from the outside.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "machine/simd_level.h"
#include "me/search.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/quality/quality.h"
#include "video/source.h"

namespace tandem::test {
namespace {

using Json = nlohmann::json;

class EncodeCommand : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(width, height, frames)); }
    Outcome run(const std::vector<std::string>& arguments, const Streams& streams = {}) const {
        return run_command(folder_.path(), arguments, streams);
    }
    /// Codes with these options and returns the stream.
    std::string stream(std::vector<std::string> options, const std::string& input = "clip.y4m",
                       const std::string& standard_input = "") const {
        options.insert(options.begin(), {"encode", input, "-o", "made.m2v", "-q"});
        const Outcome outcome = run(options, {standard_input, ""});
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_EQ(outcome.errors, "");
        return outcome.code == 0 ? read_file(folder_ / "made.m2v") : std::string();
    }
    std::vector<std::vector<std::string>> table(const std::string& name) const {
        std::ifstream file(folder_ / name);
        std::vector<std::vector<std::string>> rows;
        for (std::string line; std::getline(file, line);) {
            rows.emplace_back();
            std::stringstream fields(line);
            for (std::string field; std::getline(fields, field, ',');)
                rows.back().push_back(field);
        }
        return rows;
    }
    static constexpr int width = 72, height = 40, frames = 11;
    TemporaryFolder folder_;
};

int count_start_codes(const std::string& stream, char code) {
    int count = 0;
    const std::string start{'\0', '\0', '\1', code};
    for (std::size_t at = stream.find(start); at != std::string::npos; at = stream.find(start, at + 1))
        ++count;
    return count;
}

TEST_F(EncodeCommand, WritesAWholeStream) {
    const std::string coded = stream({});
    EXPECT_EQ(count_start_codes(coded, '\0'), frames);
    EXPECT_EQ(coded.substr(coded.size() - 4), std::string("\0\0\1\xB7", 4));
}

TEST_F(EncodeCommand, SaysWhatItDid) {
    const Outcome outcome = run({"encode", "clip.y4m", "-o", "a.m2v", "--psnr", "--ssim"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.output, "");
    for (const char* word : {"a.m2v: 11 frames", "kbit/s", "PSNR Y", "SSIM Y", "frames/s"})
        EXPECT_NE(outcome.errors.find(word), std::string::npos) << word << " is not in: " << outcome.errors;
    EXPECT_EQ(outcome.errors.find('\r'), std::string::npos) << "a progress line where there is no terminal";
}

TEST_F(EncodeCommand, FilePipeAndRawInputGiveOneStream) {
    const std::string expected = stream({});
    EXPECT_EQ(stream({}, "-", folder_ / "clip.y4m"), expected);
    const std::string bytes = yuv_clip(width, height, frames);
    write_file(folder_ / "clip_72x40_25.yuv", bytes);
    EXPECT_EQ(stream({}, "clip_72x40_25.yuv"), expected);
    write_file(folder_ / "plain.yuv", bytes);
    EXPECT_EQ(stream({"--input-res", "72x40", "--fps", "25"}, "plain.yuv"), expected);
    EXPECT_EQ(stream({"--input-res", "72x40", "--fps", "25"}, "-", folder_ / "plain.yuv"), expected);
}

TEST_F(EncodeCommand, StandardOutputGetsTheStreamAlone) {
    const std::string expected = stream({});
    const Outcome outcome = run({"encode", "clip.y4m", "-o", "-", "-v"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.output, expected);
}

TEST_F(EncodeCommand, OneStreamForAllThreadsAndInstructionSets) {
    const std::vector<std::string> base{"--bframes", "2", "--qp", "4"};
    const std::string expected = stream(base);
    EXPECT_NE(stream({}), expected);
    std::vector<std::vector<std::string>> variants{
        {"--threads", "1"}, {"--threads", "2"}, {"--threads", "5"}, {"--device", "cpu"}, {"--lookahead", "1"}};
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512})
        if (level <= best_simd_level()) variants.push_back({"--simd", std::string(name_of(level))});
    for (std::vector<std::string> options : variants) {
        const std::string shown = options[0] + " " + options[1];
        options.insert(options.end(), base.begin(), base.end());
        EXPECT_EQ(stream(options), expected) << shown;
    }
}

TEST_F(EncodeCommand, EverySearchCodesAWholeStream) {
    for (const SearchRow& row : search_table()) {
        if (row.from_hint || !is_built(row)) continue; // The encoder has no hint to give.
        EXPECT_EQ(count_start_codes(stream({"--me", std::string(row.name), "--bframes", "1"}), '\0'), frames)
            << row.name;
    }
}

TEST_F(EncodeCommand, SeekAndFramesChoosePictures) {
    write_file(folder_ / "part.y4m", y4m_clip(width, height, 7));
    EXPECT_EQ(stream({"--frames", "7"}), stream({}, "part.y4m"));
    EXPECT_EQ(stream({"--frames", "100"}), stream({}));
    EXPECT_EQ(count_start_codes(stream({"--seek", "4"}), '\0'), frames - 4);
    EXPECT_EQ(count_start_codes(stream({"--seek", "4", "--frames", "2"}), '\0'), 2);
    EXPECT_EQ(count_start_codes(stream({"--seek", "10"}), '\0'), 1);
}

TEST_F(EncodeCommand, ReportHasTheTotals) {
    const std::string coded = stream({"--bframes", "2", "--report", "r.json", "--qp", "6"});
    const Json report = Json::parse(read_file(folder_ / "r.json"));
    for (const char* key : {"frames", "bytes", "bitrate_kbps", "psnr_y", "psnr_u", "psnr_v", "ssim_y", "fps", "device",
                            "settings", "versions", "machine", "simd", "input", "output"})
        EXPECT_TRUE(report.contains(key)) << key;
    EXPECT_EQ(report["frames"], frames);
    EXPECT_EQ(report["bytes"], coded.size());
    EXPECT_DOUBLE_EQ(report["bitrate_kbps"], static_cast<double>(coded.size()) * 8 * 25 / frames / 1000);
    EXPECT_EQ(report["settings"]["qp"], 6);
    EXPECT_EQ(report["settings"]["bframes"], 2);
    EXPECT_EQ(report["device"], "cpu");
    EXPECT_GT(report["psnr_y"], 30);
    EXPECT_GT(report["ssim_y"], 0.9);
    EXPECT_EQ(report["pictures"]["I"].get<int>() + report["pictures"]["P"].get<int>() +
                  report["pictures"]["B"].get<int>(),
              frames);
}

TEST_F(EncodeCommand, WhatIsSaidOfQualityIsWhatTheReportHas) {
    const Outcome outcome = run({"encode", "clip.y4m", "-o", "a.m2v", "--psnr", "--ssim", "--report", "r.json"});
    const Json report = Json::parse(read_file(folder_ / "r.json"));
    const auto figure = [&](const char* key) { return report[key].get<double>(); };
    const std::string u = fmt::format("{:.2f}", figure("psnr_u")), v = fmt::format("{:.2f}", figure("psnr_v"));
    EXPECT_NE(u, v) << "one could stand for the other";
    const std::string line =
        fmt::format("tandem: PSNR Y {:.2f} U {} V {} dB, SSIM Y {:.4f}\n", figure("psnr_y"), u, v, figure("ssim_y"));
    EXPECT_NE(outcome.errors.find(line), std::string::npos) << line << outcome.errors;
}

TEST_F(EncodeCommand, StatsHaveARowForEachPictureInCodingOrder) {
    const std::string coded = stream({"--bframes", "2", "--csv", "s.csv"});
    const auto rows = table("s.csv");
    ASSERT_EQ(rows.size(), frames + 1u);
    const std::vector<std::string> first{"coding", "display", "type",   "bytes", "qp",
                                         "psnr_y", "psnr_u",  "psnr_v", "ssim_y"};
    EXPECT_EQ(std::vector<std::string>(rows[0].begin(), rows[0].begin() + 9), first);
    std::string types, display;
    std::size_t bytes = 4; // the end code
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][0], std::to_string(i - 1));
        display += rows[i][1] + " ";
        types += rows[i][2];
        bytes += std::stoul(rows[i][3]);
    }
    EXPECT_EQ(types, "IPBBPBBPBBP");
    EXPECT_EQ(display, "0 3 1 2 6 4 5 9 7 8 10 ");
    EXPECT_EQ(bytes, coded.size());
}

TEST_F(EncodeCommand, StatsHaveTheQuantiserOfEachTypeAndEveryMacroblock) {
    stream(
        {"--bframes", "2", "--qp", "9", "--ip-factor", "1.3", "--pb-factor", "1.2", "--mbtree", "0", "--csv", "s.csv"});
    const auto rows = table("s.csv");
    ASSERT_EQ(rows.size(), frames + 1u);
    EXPECT_EQ((std::vector<std::string>(rows[0].begin() + 9, rows[0].begin() + 14)),
              (std::vector<std::string>{"intra", "forward", "backward", "both", "skipped"}));
    // 9 / 1.3 and 9 * 1.2, rounded.
    const std::map<std::string, std::string> quantisers{{"I", "7"}, {"P", "9"}, {"B", "11"}};
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][4], quantisers.at(rows[i][2])) << i;
        int macroblocks = 0;
        for (std::size_t column = 9; column < 14; ++column)
            macroblocks += std::stoi(rows[i][column]);
        EXPECT_EQ(macroblocks, 5 * 3) << i;
    }
}

TEST_F(EncodeCommand, ReconstructionIsInDisplayOrderAndAsGoodAsReported) {
    stream({"--bframes", "2", "--recon", "recon.y4m", "--report", "r.json"});
    const Json report = Json::parse(read_file(folder_ / "r.json"));
    const auto source = open_source(folder_ / "clip.y4m");
    const auto recon = open_source(folder_ / "recon.y4m");
    EXPECT_EQ(recon->format().width, width);
    EXPECT_EQ(recon->format().frame_rate, source->format().frame_rate);
    SquaredErrors errors;
    int count = 0;
    for (auto a = source->read(), b = recon->read(); a && b; a = source->read(), b = recon->read(), ++count)
        errors.add(squared_errors(*a, *b, width, height));
    EXPECT_EQ(count, frames);
    EXPECT_NEAR(errors.psnr(0), report["psnr_y"].get<double>(), 1e-9);
    EXPECT_NEAR(errors.psnr(1), report["psnr_u"].get<double>(), 1e-9);
    EXPECT_NEAR(errors.psnr(2), report["psnr_v"].get<double>(), 1e-9);
}

TEST_F(EncodeCommand, LosslessPsnrIsWrittenAsInf) {
    // Even grey is coded without loss.
    std::string grey = "YUV4MPEG2 W32 H32 F25:1\n";
    for (int i = 0; i < 3; ++i)
        grey += "FRAME\n" + std::string(32 * 32 * 3 / 2, static_cast<char>(128));
    write_file(folder_ / "grey.y4m", grey);
    stream({"--report", "r.json", "--csv", "s.csv"}, "grey.y4m");
    const Json report = Json::parse(read_file(folder_ / "r.json"));
    EXPECT_EQ(report["psnr_y"], "inf");
    EXPECT_EQ(report["psnr_v"], "inf");
    EXPECT_EQ(table("s.csv")[1][5], "inf");
}

TEST_F(EncodeCommand, NamesThatAreNotUtf8) {
    const std::string name = "caf\xE9.y4m";
    std::filesystem::copy_file(folder_ / "clip.y4m", folder_ / name);
    EXPECT_EQ(run({"encode", name, "-o", "\xFF.m2v", "-q", "--report", "r.json"}).code, 0);
    EXPECT_EQ(Json::parse(read_file(folder_ / "r.json"))["frames"], frames);
}

TEST_F(EncodeCommand, TraceShowsMotionAndCoding) {
    stream({"--preset", "superfast", "--trace", "t.json"});
    const Json trace = Json::parse(read_file(folder_ / "t.json"));
    std::map<std::string, int> spans;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X") ++spans[event["name"]];
    EXPECT_EQ(spans["motion"], frames - 1);
    EXPECT_GE(spans.size(), 2u);
}

TEST_F(EncodeCommand, MatrixFileReachesTheStream) {
    std::string text = "8";
    for (int i = 1; i < 64; ++i)
        text += " 50";
    write_file(folder_ / "m.txt", text);
    const std::string plain = stream({}), coarse = stream({"--matrix", "m.txt"});
    EXPECT_LT(coarse.size(), plain.size());
    // 95 bits stand before the matrix (13818-2 clause 6.2.2.1), so a row of 50s reads as bytes of 50 << 1.
    EXPECT_NE(coarse.find(std::string(8, '\x64')), std::string::npos);
}

TEST_F(EncodeCommand, VerifyDecodesEveryKindOfStream) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, {"--bframes", "2"}, {"--codec", "mpeg1", "--bframes", "1"}, {"--keyint", "1"}}) {
        std::vector<std::string> words{"encode", "clip.y4m", "-o", "a.m2v", "--verify"};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_NE(outcome.errors.find("verified: 11 pictures"), std::string::npos) << outcome.errors;
    }
}

TEST_F(EncodeCommand, ContainersHoldTheStream) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    for (const char* name : {"a.mpg", "a.ts", "a.mkv", "a.mp4"}) {
        const Outcome outcome = run({"encode", "clip.y4m", "-o", name, "--bframes", "2", "-q"});
        ASSERT_EQ(outcome.code, 0) << name << ": " << outcome.errors;
        const auto source = open_source(folder_ / name);
        int count = 0;
        while (source->read())
            ++count;
        EXPECT_EQ(count, frames) << name;
    }
}

TEST_F(EncodeCommand, SaysWhatPlayersMayLeaveOut) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    const Outcome private_data = run({"encode", "clip.y4m", "-o", "a.m2ts", "--codec", "mpeg1"});
    EXPECT_NE(private_data.errors.find("private data"), std::string::npos) << private_data.errors;
    const Outcome known = run({"encode", "clip.y4m", "-o", "a.m2ts"});
    EXPECT_EQ(known.errors.find("private data"), std::string::npos) << known.errors;
}

TEST_F(EncodeCommand, WhatTellsOfAStreamIsThereOnlyWithIt) {
    const Outcome full = run({"encode", "clip.y4m", "-o", "/dev/full", "--csv", "s.csv", "--report", "r.json"});
    EXPECT_EQ(full.code, 1);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "s.csv") || std::filesystem::exists(folder_ / "r.json"));
    const auto before = snapshot_of(folder_.path());
    const Outcome told = run({"encode", "clip.y4m", "-o", "out.m2v", "--recon", "r.y4m", "--csv", "s.csv", "--report",
                              "r.json", "--trace", "/dev/full"});
    EXPECT_EQ(told.code, 1);
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

TEST_F(EncodeCommand, HelpAndVersionNeedNothingElse) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--help"}, {"-h"}, {"encode", "--help"}, {"synth", "--help"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_NE(outcome.output.find("Usage: tandem"), std::string::npos);
    }
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--version"}, {"encode", "--version"}}) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.output.find("tandem "), 0u);
    }
    EXPECT_NE(run({"man"}).output.find(".TH TANDEM 1"), std::string::npos);
    EXPECT_NE(run({"completion", "bash"}).output.find("complete -F _tandem tandem"), std::string::npos);
}

} // namespace
} // namespace tandem::test
