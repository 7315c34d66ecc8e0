// SPDX-License-Identifier: BSD-2-Clause
// `tandem motion` from the outside.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "files/npy_file.h"
#include "me/estimator.h"
#include "me/fields/field_file.h"
#include "tests/app/clips.h"
#include "tests/app/motion/motion_fixture.h"
#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem::test {
namespace {

std::vector<std::unique_ptr<Frame>> pictures_of(const std::string& path) {
    const auto source = open_source(path);
    std::vector<std::unique_ptr<Frame>> pictures;
    while (auto picture = source->read())
        pictures.push_back(std::move(picture));
    return pictures;
}

std::vector<FieldRecord> fields_of(const std::string& path) {
    const auto reader = open_field_file(path);
    std::vector<FieldRecord> records;
    while (auto record = reader->read())
        records.push_back(std::move(*record));
    return records;
}

TEST_F(MotionCommand, FindsThePanExactly) {
    for (const char* search : {"full", "hier"}) {
        motion({"--search", search, "--truth", "truth.npy", "--report", "r.json"});
        const Json total = json("r.json")["total"];
        EXPECT_EQ(total["pairs"], frames - 1);
        EXPECT_EQ(total["blocks"], (frames - 1) * 6 * 5);
        EXPECT_EQ(total["end_point_error"], 0.0) << search;
        EXPECT_EQ(total["angular_error"], 0.0) << search;
        EXPECT_EQ(total["within_one_pel"], 1.0) << search;
        EXPECT_GT(total["truth_known"], 0.5);
        EXPECT_LT(total["truth_known"], 1.0) << "blocks at the edge come from outside of the picture";
    }
}

TEST_F(MotionCommand, FiguresAreThoseOfItsPictures) {
    motion({"--compensate", "c.y4m", "--residual", "d.y4m", "--report", "r.json", "-o", "f.tmf"});
    const auto clip = pictures_of(folder_ / "clip.y4m"), predicted = pictures_of(folder_ / "c.y4m"),
               residual = pictures_of(folder_ / "d.y4m");
    const auto fields = fields_of(folder_ / "f.tmf");
    const Json report = json("r.json");
    ASSERT_EQ(predicted.size(), clip.size() - 1);
    ASSERT_EQ(residual.size(), clip.size() - 1);
    ASSERT_EQ(fields.size(), clip.size() - 1);
    ASSERT_EQ(report["pairs"].size(), clip.size() - 1);
    double all_squared = 0;
    for (std::size_t n = 0; n + 1 < clip.size(); ++n) {
        EXPECT_EQ(fields[n].picture, static_cast<std::int64_t>(n) + 1);
        double squared = 0, absolute = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const Mv mv = fields[n].field.best(x / 16, y / 16).mv;
                const int prediction = predicted[n]->luma().view().at(x, y);
                ASSERT_EQ(prediction, clip[n]->luma().view().at(x + mv.x / 8, y + mv.y / 8)) << x << "," << y;
                const int difference = clip[n + 1]->luma().view().at(x, y) - prediction;
                ASSERT_EQ(residual[n]->luma().view().at(x, y), std::clamp(difference + 128, 0, 255));
                squared += difference * difference;
                absolute += std::abs(difference);
            }
        }
        const Json& pair = report["pairs"][n];
        const double samples = width * height;
        EXPECT_EQ(pair["picture"], n + 1);
        EXPECT_EQ(pair["reference"], n);
        EXPECT_NEAR(pair["mse_y"], squared / samples, 1e-9);
        EXPECT_NEAR(pair["psnr_y"], 10 * std::log10(255 * 255 * samples / squared), 1e-9);
        EXPECT_NEAR(pair["psnr_kelly"], 20 * std::log10(255 * samples / absolute), 1e-9);
        EXPECT_NEAR(pair["sad_per_block"], absolute / 30, 1e-9);
        EXPECT_EQ(pair["backend"], "cpu");
        all_squared += squared;
    }
    EXPECT_NEAR(report["total"]["mse_y"], all_squared / (width * height * (frames - 1)), 1e-9);
}

TEST_F(MotionCommand, TableAndCsvSayTheSame) {
    const Outcome outcome = motion({"--stats", "s.csv", "--truth", "truth.npy"});
    EXPECT_NE(outcome.output.find("PSNR Y"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("EPE"), std::string::npos) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1 + frames - 1 + 1);
    const std::string csv = read_file(folder_ / "s.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + frames - 1 + 1);
    EXPECT_EQ(csv.find("picture,reference,psnr_y,"), 0u);
    EXPECT_NE(csv.find("\nall,,"), std::string::npos);
    EXPECT_EQ(motion({"-q"}).output, "");
    EXPECT_EQ(motion({"--compensate", "-"}).output.substr(0, 9), "YUV4MPEG2") << "pictures, and no table";
}

TEST_F(MotionCommand, CsvAndReportSayTheSameOfTheTime) {
    motion({"--stats", "s.csv", "--report", "r.json"});
    const Json report = json("r.json");
    std::istringstream csv(read_file(folder_ / "s.csv"));
    std::string line;
    std::getline(csv, line);
    EXPECT_TRUE(line.ends_with(",search_us,backend")) << line;
    const auto expect_row = [&](double seconds) {
        std::getline(csv, line);
        EXPECT_TRUE(line.ends_with(fmt::format(",{:.0f},cpu", seconds * 1e6))) << line << " of " << seconds << " s";
    };
    double sum = 0;
    for (const Json& pair : report["pairs"]) {
        expect_row(pair["search_seconds"]);
        sum += pair["search_seconds"].get<double>();
    }
    EXPECT_DOUBLE_EQ(report["total"]["search_seconds"], sum);
    expect_row(sum);
    EXPECT_TRUE(line.starts_with("all,,")) << line;
}

TEST_F(MotionCommand, FieldAndPredictionAreTheSameForThreadsAndKernels) {
    const auto made = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"--precision", "1/4", "-o", "f.tmf", "--compensate", "c.y4m", "-q"};
        words.insert(words.end(), more.begin(), more.end());
        motion(words);
        return read_file(folder_ / "f.tmf") + read_file(folder_ / "c.y4m");
    };
    const std::string expected = made({});
    EXPECT_EQ(made({"--threads", "1", "--simd", "scalar"}), expected);
    EXPECT_EQ(made({"--threads", "5"}), expected);
    EXPECT_EQ(made({"--brute"}), expected);
}

TEST_F(MotionCommand, PreviousFieldIsThePredictorOfTheNext) {
    motion({"--predictor", "previous", "--lambda", "8", "-o", "f.tmf"});
    const auto estimator = make_cpu_estimator(1);
    const auto source = open_source(folder_ / "clip.y4m");
    MotionRequest request;
    request.params.lambda_q8 = 8 * 256;
    request.params.predictor = Predictor::hint;
    request.reference = source->read();
    for (const FieldRecord& record : fields_of(folder_ / "f.tmf")) {
        request.current = source->read();
        const auto field = std::make_shared<const MotionField>(estimator->estimate(request));
        EXPECT_EQ(record.field, *field) << record.picture;
        request.reference = request.current;
        request.hint = field;
    }
}

TEST_F(MotionCommand, HintsAreFoundByTheirPictures) {
    motion({"-o", "hint.tmf", "--search", "diamond"});
    motion({"--hint", "hint.tmf", "--lambda", "8", "--seek", "2", "-o", "f.tmf"});
    const auto hints = fields_of(folder_ / "hint.tmf"), fields = fields_of(folder_ / "f.tmf");
    ASSERT_EQ(fields.size(), 2u);
    const auto clip = pictures_of(folder_ / "clip.y4m");
    const auto frame_of = [](const Frame& from) {
        auto copy = std::make_shared<Frame>(from.width(), from.height());
        for (int plane = 0; plane < 3; ++plane)
            copy_and_extend(from.plane(plane).view(), copy->plane(plane).view());
        return copy;
    };
    MotionRequest request;
    request.params.lambda_q8 = 8 * 256;
    request.params.predictor = Predictor::hint;
    request.reference = frame_of(*clip[2]);
    request.current = frame_of(*clip[3]);
    request.hint = std::make_shared<const MotionField>(hints[2].field);
    EXPECT_EQ(fields[0].picture, 3);
    EXPECT_EQ(fields[0].field, make_cpu_estimator(1)->estimate(request));
}

TEST_F(MotionCommand, GivenVectorsAreMeasuredAsTheyAre) {
    // Refinement goes beyond the range of 3, and the precision is not said again.
    motion({"-o", "f.tmf", "--range", "3", "--precision", "1/8", "--report", "f.json"});
    const Outcome outcome =
        motion({"--search", "given", "--hint", "f.tmf", "-o", "g.tmf", "--range", "1", "--report", "g.json"});
    EXPECT_EQ(read_file(folder_ / "g.tmf"), read_file(folder_ / "f.tmf")) << "vectors, distortions and costs";
    EXPECT_EQ(json("g.json")["total"]["psnr_y"], json("f.json")["total"]["psnr_y"]);
    EXPECT_EQ(json("g.json")["total"]["share_without_vector"], 0.0);
    EXPECT_EQ(outcome.errors.find("without a vector"), std::string::npos) << outcome.errors;
}

TEST_F(MotionCommand, BlocksWithoutAVectorAreSaid) {
    const auto writer = create_field_file(folder_ / "h.tmf");
    for (int n = 1; n < frames; ++n) {
        FieldRecord record{MotionField(width, height, 16, 16, 1), n, -1};
        for (Candidate& candidate : record.field.all())
            candidate = {{3, -1}, 0, 0};
        record.field.block(2, 2)[0] = Candidate{};
        writer->write(record);
    }
    writer->finish();
    // The top row and the last column leave the picture.
    const Outcome inside = motion({"--search", "given", "--hint", "h.tmf", "--report", "r.json", "--stats", "s.csv"});
    EXPECT_NEAR(json("r.json")["total"]["share_without_vector"], 11.0 / 30, 1e-9);
    EXPECT_EQ(json("r.json")["total"]["zero_share"], 0.0) << "no vector is not zero";
    EXPECT_NE(read_file(folder_ / "s.csv").find(",share_without_vector,"), std::string::npos);
    EXPECT_NE(inside.errors.find("120 blocks (44 without a vector)"), std::string::npos) << inside.errors;
    const std::size_t warning = inside.errors.find("picture 1: 11 of 30 blocks have no vector");
    EXPECT_NE(warning, std::string::npos) << inside.errors;
    EXPECT_EQ(inside.errors.find("have no vector", warning + 40), std::string::npos) << "once: " << inside.errors;
    motion({"--search", "given", "--hint", "h.tmf", "--boundary", "padded", "--report", "r.json"});
    EXPECT_NEAR(json("r.json")["total"]["share_without_vector"], 1.0 / 30, 1e-9);
}

TEST_F(MotionCommand, TwoFilesHaveOneRange) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    const std::string white = "P5\n16 16\n255\n" + std::string(256, '\xff');
    write_file(folder_ / "a.pgm", white);
    const std::string limited = std::string(256, '\xeb') + std::string(128, '\x80'); // 235 is white.
    write_file(folder_ / "b.y4m", "YUV4MPEG2 W16 H16 F25:1\nFRAME\n" + limited);
    for (const auto& [first, second] : {std::pair{"a.pgm", "b.y4m"}, {"b.y4m", "a.pgm"}, {"a.pgm", "a.pgm"}}) {
        const Outcome outcome = run({"motion", first, second, "--range", "0", "--report", "r.json"});
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        EXPECT_EQ(json("r.json")["total"]["psnr_y"], "inf") << first << " " << second;
    }
}

TEST_F(MotionCommand, RefusesOneFileInTwoRolesWhicheverNameItHas) {
    motion({"--candidates", "3", "-o", "a.npy"});
    motion({"-o", "f%d.flo"});
    std::filesystem::create_directory(folder_ / "drawn");
    std::filesystem::copy_file(folder_ / "clip.y4m", folder_ / "drawn/000001.png");
    const auto before = snapshot_of(folder_.path());
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--compare", "a.candidates.npy", "-o", "a.npy"},
          {"--hint", "./a.candidates.npy", "-o", "a.npy"},
          {"-o", "a.npy", "--stats", "a.cost.npy"},
          {"-o", "a.npy", "--report", "a.distortion.npy"},
          {"-o", "f%d.flo", "--stats", "f1.flo"},
          {"-o", "f%d.flo", "--trace", "f77.flo"},
          {"-o", "f%d.flo", "--compare", "f2.flo"},
          {"--compare", "f%d.flo", "-o", "f2.flo"},
          {"--draw", "drawn/", "--report", "drawn/000002.png"},
          {"--draw", "drawn", "--stats", "drawn/1234567.png"},
          {"--draw", "new/", "--report", "new/000002.png"}}) {
        std::vector<std::string> all{"motion", "clip.y4m"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.code, 2) << words[1] << " " << words[3];
        EXPECT_NE(outcome.errors.find("is one of the files of"), std::string::npos) << outcome.errors;
    }
    const Outcome input = run({"motion", "drawn/000001.png", "--draw", "drawn/"});
    EXPECT_EQ(input.code, 2);
    EXPECT_NE(input.errors.find("INPUT (drawn/000001.png) is one of the files of --draw (drawn/)"), std::string::npos)
        << input.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
    motion({"-o", "b.npy", "--compare", "a.candidates.npy", "--stats", "a.csv", "--hint", "f%d.flo"});
}

TEST_F(MotionCommand, TextureUnitsNeedAGpu) {
    const Outcome outcome =
        run({"motion", "clip.y4m", "--interpolation", "texture", "--precision", "2", "--device", "cpu"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.output, "") << "no heading without a table";
    EXPECT_NE(outcome.errors.find("--interpolation texture needs a GPU"), std::string::npos) << outcome.errors;
}

TEST_F(MotionCommand, SaysWhichSearchHasNoGrid) {
    const Outcome outcome = run({"motion", "clip.y4m", "--search", "tss", "--grid", "2", "--precision", "2"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("only the search 'full' has a grid finer than 1, 'tss'"), std::string::npos)
        << outcome.errors;
}

TEST_F(MotionCommand, StepIsTheDistanceOfTheReference) {
    motion({"--step", "2", "-o", "f.tmf", "--report", "r.json"});
    const auto fields = fields_of(folder_ / "f.tmf");
    ASSERT_EQ(fields.size(), static_cast<std::size_t>(frames) - 2);
    EXPECT_EQ(fields[0].picture, 2);
    EXPECT_EQ(fields[0].reference_offset, -2);
    // Twice the pan: three pels right and two up a picture, so the reference has it left and below.
    EXPECT_EQ(fields[0].field.best(3, 2).mv, mv_from_pels(-6, 4));
}

TEST_F(MotionCommand, ComparesWithAnotherField) {
    motion({"-o", "f.tmf"});
    motion({"--compare", "f.tmf", "--report", "same.json"});
    EXPECT_EQ(json("same.json")["total"]["equal_vectors"], 1.0);
    EXPECT_EQ(json("same.json")["total"]["mean_cost_difference"], 0.0);
    const Outcome outcome = motion({"--compare", "f.tmf", "--range", "1", "--report", "other.json"});
    EXPECT_NE(outcome.output.find("length of the difference"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("cost in the other field"), std::string::npos) << outcome.output;
    const Json other = json("other.json");
    EXPECT_LT(other["total"]["equal_vectors"], 0.5);
    EXPECT_LT(other["total"]["mean_cost_difference"], 0.0) << "the wider search is cheaper";
    std::int64_t blocks = 0;
    for (const Json& bin : other["differences"]["vector_difference_pels"])
        blocks += bin["blocks"].get<std::int64_t>();
    EXPECT_EQ(blocks, 30 * (frames - 1));
}

TEST_F(MotionCommand, TwoStillPictures) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to read pictures with";
    // A texture that lies 5 pels further right in the second picture.
    const auto picture = [](int shift) {
        std::string ppm = "P6\n64 48\n255\n";
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x)
                for (int channel = 0; channel < 3; ++channel)
                    ppm +=
                        static_cast<char>(60 + ((x - shift + 100) * 37 + y * 101 + (x - shift + 100) * y * 13) % 150);
        return ppm;
    };
    write_file(folder_ / "frame1.ppm", picture(0));
    write_file(folder_ / "frame2.ppm", picture(5));
    const Outcome outcome = run({"motion", "frame1.ppm", "frame2.ppm", "-o", "f.tmf"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const auto fields = fields_of(folder_ / "f.tmf");
    ASSERT_EQ(fields.size(), 1u);
    EXPECT_EQ(fields[0].field.best(2, 1).mv, mv_from_pels(-5, 0)) << "the second is predicted from the first";
}

TEST_F(MotionCommand, DrawsPngFoldersAndVideo) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to write PNG with";
    motion({"-o", "f.tmf", "--draw", "one.png"});
    motion({"--compare", "f.tmf", "--range", "2", "--draw", "folder/"});
    motion({"--draw", "film.mkv"});
    const auto one = pictures_of(folder_ / "one.png");
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0]->width(), 11 * width) << "enlarged to at least 1000";
    EXPECT_EQ(one[0]->height(), 11 * height + 30) << "and a legend";
    for (int n = 1; n < frames; ++n)
        EXPECT_TRUE(std::filesystem::exists(folder_ / ("folder/00000" + std::to_string(n) + ".png"))) << n;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "folder/000000.png"));
    const auto film = pictures_of(folder_ / "film.mkv");
    ASSERT_EQ(film.size(), static_cast<std::size_t>(frames) - 1);
    EXPECT_EQ(film[0]->width(), 11 * width);
}

TEST_F(MotionCommand, EndsCleanlyWhenInterrupted) {
    const std::string pipe = folder_ / "pipe.y4m";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    write_file(folder_ / "f.tmf", "before");
    Command command(folder_.path(), {"motion", "pipe.y4m", "-o", "f.tmf", "--stats", "s.csv", "-v"});
    const int writer = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(writer, 0);
    const std::string clip = y4m_clip(64, 48, 6);
    ASSERT_EQ(::write(writer, clip.data(), clip.size()), static_cast<ssize_t>(clip.size()));
    // The source waits for a seventh picture; some pairs are measured before the last ones are searched.
    ASSERT_TRUE(command.says("picture 2 searched"));
    EXPECT_EQ(read_file(folder_ / "f.tmf"), "before");
    command.signal(SIGINT);
    const Outcome outcome = command.wait();
    ::close(writer);
    EXPECT_EQ(outcome.code, 130) << outcome.errors;
    EXPECT_NE(outcome.errors.find("interrupted; what is written ends with"), std::string::npos) << outcome.errors;
    EXPECT_GE(fields_of(folder_ / "f.tmf").size(), 2u);
    EXPECT_NE(read_file(folder_ / "s.csv").find("\nall,"), std::string::npos);
}

} // namespace
} // namespace tandem::test
