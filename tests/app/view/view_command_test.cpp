// SPDX-License-Identifier: BSD-2-Clause
// `tandem view` from the outside: what its page holds, against the files that it was made from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/view/decisions_reader.h"
#include "encoder/rate/vbv.h"
#include "machine/errors.h"
#include "tests/app/run_command.h"
#include "tests/app/view/viewed_page.h"
#include "video/libav/writing/web_image.h"

namespace tandem::test {
namespace {

using Json = nlohmann::json;

class ViewCommand : public testing::Test {
  protected:
    void SetUp() override {
        run({"synth", "--scene", "objects", "--size", "112x72", "--frames", "8", "-o", "clip.y4m", "-q"});
        run({"encode", "clip.y4m", "-o", "clip.m2v", "-q", "--decisions", "clip.tdf", "--csv", "clip.csv", "--bitrate",
             "400", "--vbv-maxrate", "600", "--vbv-bufsize", "300"});
    }
    Outcome run(const std::vector<std::string>& arguments, int expected = 0) const {
        const Outcome outcome = run_command(folder_.path(), arguments);
        EXPECT_EQ(outcome.code, expected) << outcome.errors;
        return outcome;
    }
    Json view(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "view");
        arguments.insert(arguments.end(), {"-o", "page.html", "-q"});
        run(arguments);
        return data_of_page(read_file(folder_ / "page.html"));
    }
    void expect_refusal(std::vector<std::string> arguments, const std::string& words) const {
        write_file(folder_ / "page.html", "before");
        arguments.insert(arguments.begin(), "view");
        arguments.insert(arguments.end(), {"-o", "page.html"});
        const Outcome outcome = run(arguments, 2);
        EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
        EXPECT_EQ(read_file(folder_ / "page.html"), "before");
    }
    TemporaryFolder folder_;
};

TEST_F(ViewCommand, WithDecisionsThePicturesAreThoseOfTheFile) {
    const Json stream = view({"clip.m2v", "--decisions", "clip.tdf"})["streams"][0];
    DecisionsReader file(folder_ / "clip.tdf");
    EXPECT_EQ(stream["columns"], 7);
    EXPECT_EQ(stream["rows"], 5);
    EXPECT_EQ(stream["codec"], "mpeg2video");
    ASSERT_EQ(stream["pictures"].size(), 8U);
    ASSERT_EQ(file.pictures(), 8U);
    Vbv buffer({600000, 300000 / 16384 * 16384, static_cast<std::int64_t>(0.9 * (300000 / 16384 * 16384)), {25, 1}});
    for (std::size_t at = 0; at < 8; ++at) {
        const auto display = static_cast<std::size_t>(file.value(at, "display"));
        const Json& picture = stream["pictures"][display];
        SCOPED_TRACE(display);
        EXPECT_EQ(picture["display"], display);
        EXPECT_EQ(picture["coding"], at);
        EXPECT_EQ(picture["type"], std::string(1, "?IPB"[static_cast<int>(file.value(at, "type"))]));
        EXPECT_EQ(picture["bytes"], file.value(at, "bits") / 8);
        EXPECT_EQ(picture["quantiser"], file.value(at, "quantiser"));
        const double error = file.value(at, "squared_error", 0);
        EXPECT_NEAR(picture["psnr"][0].get<double>(), 10 * std::log10(255.0 * 255.0 * 112 * 72 / error), 1e-9);
        EXPECT_EQ(picture["fullness"], buffer.fullness());
        EXPECT_TRUE(buffer.take(static_cast<std::int64_t>(file.value(at, "bits"))));
        EXPECT_EQ(picture["record"], base64(deflated(file.record(at))));
    }
    EXPECT_EQ(stream["settings"]["bitrate"], 400);
}

TEST_F(ViewCommand, OfAnotherEncodersStreamWhatLibavcodecTells) {
    const Json stream = view({"clip.m2v", "--source", "clip.y4m"})["streams"][0];
    DecisionsReader file(folder_ / "clip.tdf");
    EXPECT_EQ(stream["decisions"], false);
    std::int64_t bytes = 0;
    for (std::size_t at = 0; at < 8; ++at) {
        const Json& picture = stream["pictures"][static_cast<std::size_t>(file.value(at, "display"))];
        SCOPED_TRACE(picture["display"].get<int>());
        EXPECT_EQ(picture["coding"], at);
        EXPECT_EQ(picture["type"], std::string(1, "?IPB"[static_cast<int>(file.value(at, "type"))]));
        bytes += picture["bytes"].get<std::int64_t>();
        // The decoder's inverse DCT differs a little from the exact one.
        const double error = file.value(at, "squared_error", 0);
        EXPECT_NEAR(picture["psnr"][0].get<double>(), 10 * std::log10(255.0 * 255.0 * 112 * 72 / error), 0.3);
        if (picture["display"] == 7) continue; // libavcodec tells less of the last picture.
        if (picture["type"] == "I") {
            EXPECT_EQ(picture["vector_count"], 0);
            double codes = 0;
            for (std::size_t i = 0; i < 35; ++i)
                codes += file.value(at, "quantiser_code", i);
            EXPECT_NEAR(picture["quantiser"].get<double>(), codes / 35, 1e-6);
        } else {
            EXPECT_GT(picture["vector_count"], 0);
        }
    }
    EXPECT_EQ(bytes, static_cast<std::int64_t>(std::filesystem::file_size(folder_ / "clip.m2v")));
}

TEST_F(ViewCommand, TheBufferIsWhatAnMpegStreamDeclares) {
    run({"encode", "clip.y4m", "-o", "clip.m1v", "-q", "--vbv-maxrate", "600", "--vbv-bufsize", "300"});
    for (const char* name : {"clip.m2v", "clip.m1v"}) {
        const Json stream = view({name})["streams"][0];
        EXPECT_EQ(stream["bits_per_second"], 600000) << name;
        EXPECT_EQ(stream["buffer_bits"], 300000 / 16384 * 16384) << name;
        std::vector<Json> coded(8);
        for (const Json& picture : stream["pictures"])
            coded[picture["coding"].get<std::size_t>()] = picture;
        Vbv buffer({600000, 300000 / 16384 * 16384, 300000 / 16384 * 16384, {25, 1}});
        for (const Json& picture : coded) {
            EXPECT_EQ(picture["fullness"], buffer.fullness());
            buffer.take(8 * picture["bytes"].get<std::int64_t>());
        }
    }
    run({"encode", "clip.y4m", "-o", "open.m1v", "-q"});
    EXPECT_EQ(view({"open.m1v"})["streams"][0]["buffer_bits"], nullptr) << "a rate that varies";
}

TEST_F(ViewCommand, LargeRatesAndBuffersAreInTheExtension) {
    run({"encode", "clip.y4m", "-o", "fast.m2v", "-q", "--vbv-maxrate", "200000", "--vbv-bufsize", "90000"});
    const Json stream = view({"fast.m2v"})["streams"][0];
    EXPECT_EQ(stream["bits_per_second"], 200000000);
    EXPECT_EQ(stream["buffer_bits"], 90000000 / 16384 * 16384);
}

TEST_F(ViewCommand, SeekAndFramesKeepThePageSmall) {
    const Json part = view({"clip.m2v", "--decisions", "clip.tdf", "--seek", "3", "--frames", "2"})["streams"][0];
    ASSERT_EQ(part["pictures"].size(), 2U);
    EXPECT_EQ(part["pictures"][0]["display"], 3);
    const Json whole = view({"clip.m2v", "--decisions", "clip.tdf"})["streams"][0];
    for (const char* key : {"coding", "bytes", "fullness", "image", "record"})
        EXPECT_EQ(part["pictures"][1][key], whole["pictures"][4][key]) << key;
    expect_refusal({"clip.m2v", "--seek", "8"}, "8");
}

/// Pictures of noise, so that others are smaller: 60 of them are below 15 MB.
TEST_F(ViewCommand, TwentyPicturesOfCifAreBelow5Megabytes) {
    run({"synth", "--scene", "noise", "--noise", "12", "--size", "352x288", "--frames", "20", "-o", "cif.y4m", "-q"});
    run({"encode", "cif.y4m", "-o", "cif.m2v", "-q", "--decisions", "cif.tdf", "--preset", "fast"});
    view({"cif.m2v", "--decisions", "cif.tdf"});
    EXPECT_LT(std::filesystem::file_size(folder_ / "page.html"), 5000000U);
}

TEST_F(ViewCommand, TwoStreamsAndImagesAsPng) {
    run({"encode", "clip.y4m", "-o", "second.m1v", "-q", "--qp", "20", "--bframes", "0"});
    const Json data = view({"clip.m2v", "second.m1v", "--images", "png", "--title", "a<b>"});
    ASSERT_EQ(data["streams"].size(), 2U);
    EXPECT_EQ(data["streams"][1]["codec"], "mpeg1video");
    EXPECT_EQ(data["streams"][1]["pictures"][2]["image"].get<std::string>().substr(0, 22), "data:image/png;base64,");
    const std::string page = read_file(folder_ / "page.html");
    EXPECT_NE(page.find("<title>a&lt;b&gt;</title>"), std::string::npos);
    EXPECT_EQ(page.find("http:"), page.find("http://www.w3.org/2000/svg")) << "something is fetched";
    EXPECT_EQ(page.find("https:"), std::string::npos) << "something is fetched";
}

TEST_F(ViewCommand, WhatDoesNotBelongTogetherIsRefused) {
    run({"encode", "clip.y4m", "-o", "other.m2v", "-q", "--decisions", "other.tdf", "--bframes", "0"});
    expect_refusal({"clip.m2v", "--decisions", "other.tdf"}, "is not of");
    run({"encode", "clip.y4m", "-o", "part.m2v", "-q", "--decisions", "part.tdf", "--frames", "4", "--bframes", "0"});
    expect_refusal({"other.m2v", "--decisions", "part.tdf"}, "there is no picture 4");
    run({"synth", "--size", "96x64", "--frames", "8", "-o", "small.y4m", "-q"});
    expect_refusal({"clip.m2v", "--source", "small.y4m"}, "96x64");
    run({"synth", "--size", "112x72", "--frames", "3", "-o", "short.y4m", "-q"});
    expect_refusal({"clip.m2v", "--source", "short.y4m"}, "3 pictures");
    expect_refusal({"clip.m2v", "--second-decisions", "clip.tdf"}, "--second-decisions");
    expect_refusal({"clip.m2v", "--decisions", "clip.csv"}, "no decisions");
    expect_refusal({"-"}, "reads files");
    expect_refusal({"nothing.m2v"}, "nothing.m2v");
    expect_refusal({"clip.csv"}, "clip.csv");
    expect_refusal({"page.html"}, "page.html");
}

TEST_F(ViewCommand, BrokenDecisionsAreRefused) {
    const std::string good = read_file(folder_ / "clip.tdf");
    const auto expect_broken = [&](const std::string& file, const std::string& words) {
        write_file(folder_ / "broken.tdf", file);
        expect_refusal({"clip.m2v", "--decisions", "broken.tdf"}, words);
    };
    expect_broken("", "no decisions");
    expect_broken(good.substr(0, 15), "no decisions");
    expect_broken(good.substr(0, 100), "header");
    expect_broken(good.substr(0, good.size() - 1), "cut off in the record of picture 7");
    std::string other = good;
    other[8] = 2;
    expect_broken(other, "version 2");
    other = good;
    other[15] = '\x7f';
    expect_broken(other, "header");
    other = good;
    other.replace(other.find("(5,7,)u1"), 8, "(5,7,)q1");
    expect_broken(other, "(5,7,)q1");
    other = good;
    other.replace(other.find("\"rows\""), 6, "\"rowz\"");
    expect_broken(other, "rows");
    other = good;
    other[16] = '[';
    expect_broken(other, "no JSON");
}

TEST_F(ViewCommand, ADamagedStreamIsRefused) {
    std::string stream = read_file(folder_ / "clip.m2v");
    std::fill(stream.begin(), stream.begin() + 600, 'x');
    write_file(folder_ / "bad.m2v", stream.substr(0, 700));
    expect_refusal({"bad.m2v"}, "bad.m2v");
}

} // namespace
} // namespace tandem::test
