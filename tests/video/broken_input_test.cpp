// SPDX-License-Identifier: BSD-2-Clause
// One table of inputs that must be refused, each with words that its message must contain. To add a case, add a row.
#include <gtest/gtest.h>

#include <unistd.h>

#include <random>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/source.h"

namespace tandem {
namespace {

using Size = std::pair<int, int>;

struct BrokenInput {
    std::string label;
    std::string name;  ///< Of the file, which decides how it is read.
    std::string bytes; ///< What is in it.
    std::vector<std::string> words;
    std::optional<Size> input_res = {};
};

void PrintTo(const BrokenInput& input, std::ostream* out) { *out << input.name; }

/// `begin`, then zeros up to `size` bytes.
std::string padded(std::string begin, std::size_t size) {
    begin.resize(size, '\0');
    return begin;
}

std::string bytes_of(std::initializer_list<int> values) {
    std::string out;
    for (const int value : values)
        out.push_back(static_cast<char>(value));
    return out;
}

std::string header(const std::string& tags) { return "YUV4MPEG2 " + tags + "\n"; }
std::string good_frame() { return "FRAME\n" + std::string(24, 'x'); } // of 4x4

std::vector<BrokenInput> y4m_headers() {
    const std::string frame = good_frame();
    return {
        {"EmptyFile", "x.y4m", "", {"empty"}},
        {"OneByte", "x.y4m", "Y", {"YUV4MPEG2", "'Y'"}},
        {"OtherMagic", "x.y4m", "YUV4MPEG3 W4 H4 F25:1\n" + frame, {"YUV4MPEG2", "YUV4MPEG3"}},
        {"MagicRunsOn", "x.y4m", "YUV4MPEG2W4 H4 F25:1\n" + frame, {"YUV4MPEG2"}},
        {"Binary", "x.y4m", bytes_of({0, 1, 2, 3, 255, '\n'}), {"YUV4MPEG2"}},
        {"NoNewline", "x.y4m", "YUV4MPEG2 W4 H4 F25:1", {"no newline"}},
        {"OnlyMagic", "x.y4m", "YUV4MPEG2", {"no newline"}},
        {"NoTags", "x.y4m", "YUV4MPEG2\n" + frame, {"no width"}},
        {"LineTooLong", "x.y4m", header("W4 H4 F25:1 X" + std::string(5000, 'a')) + frame, {"longer than 4096"}},
        {"NoWidth", "x.y4m", header("H4 F25:1") + frame, {"no width"}},
        {"NoHeight", "x.y4m", header("W4 F25:1") + frame, {"no height"}},
        {"WidthZero", "x.y4m", header("W0 H4 F25:1") + frame, {"'W0'", "1 to 16384"}},
        {"WidthNegative", "x.y4m", header("W-4 H4 F25:1") + frame, {"'W-4'", "1 to 16384"}},
        {"WidthPlus", "x.y4m", header("W+4 H4 F25:1") + frame, {"'W+4'"}},
        {"WidthEmpty", "x.y4m", header("W H4 F25:1") + frame, {"'W'"}},
        {"WidthTrailing", "x.y4m", header("W4x H4 F25:1") + frame, {"'W4x'"}},
        {"WidthHex", "x.y4m", header("W0x4 H4 F25:1") + frame, {"'W0x4'"}},
        {"WidthTooLarge", "x.y4m", header("W16385 H4 F25:1") + frame, {"'W16385'", "16384"}},
        {"WidthWraps32Bits", "x.y4m", header("W4294967424 H4 F25:1") + frame, {"'W4294967424'"}},
        {"WidthWraps64Bits", "x.y4m", header("W18446744073709551620 H4 F25:1") + frame, {"W18446744073709551620"}},
        {"HeightZero", "x.y4m", header("W4 H0 F25:1") + frame, {"height", "'H0'"}},
        {"HeightHuge", "x.y4m", header("W4 H99999999999999999999 F25:1") + frame, {"height"}},
        {"WidthTwice", "x.y4m", header("W4 H4 W5 F25:1") + frame, {"W twice", "'W5'"}},
        {"NoRate", "x.y4m", header("W4 H4") + frame, {"frame rate"}},
        {"RateUnknown", "x.y4m", header("W4 H4 F0:0") + frame, {"frame rate"}},
        {"RateZero", "x.y4m", header("W4 H4 F0:1") + frame, {"'F0:1'"}},
        {"RateOverZero", "x.y4m", header("W4 H4 F25:0") + frame, {"'F25:0'"}},
        {"RateNegative", "x.y4m", header("W4 H4 F-25:1") + frame, {"'F-25:1'"}},
        {"RateWithoutColon", "x.y4m", header("W4 H4 F25") + frame, {"'F25'"}},
        {"RateTooLarge", "x.y4m", header("W4 H4 F2147483648:1") + frame, {"2147483648"}},
        {"RateThreeParts", "x.y4m", header("W4 H4 F25:1:1") + frame, {"'F25:1:1'"}},
        {"RateDecimal", "x.y4m", header("W4 H4 F29.97:1") + frame, {"F29.97:1"}},
        {"AspectHalfZero", "x.y4m", header("W4 H4 F25:1 A1:0") + frame, {"aspect", "'A1:0'"}},
        {"MixedInterlacing", "x.y4m", header("W4 H4 F25:1 Im") + frame, {"'Im'", "mixed", "progressive"}},
        {"UnknownInterlacing", "x.y4m", header("W4 H4 F25:1 Ix") + frame, {"'Ix'"}},
        {"ChromaOfMjpegtools", "x.y4m", header("W4 H4 F25:1 XYSCSS=422") + frame, {"'XYSCSS=422'", "4:2:0"}},
        {"ChromaAlmost", "x.y4m", header("W4 H4 F25:1 C420mpeg") + frame, {"'C420mpeg'"}},
        {"UnknownTag", "x.y4m", header("W4 H4 F25:1 Q7") + frame, {"unknown tag", "'Q7'"}},
        {"TagOfControlBytes", "x.y4m", header("W4 H4 F25:1 \x1B[31m") + frame, {"unknown tag", "'?[31m'"}},
        {"CarriageReturn", "x.y4m", header("W4 H4 F25:1\r") + frame, {"'F25:1?'"}},
    };
}

std::vector<BrokenInput> y4m_frames() {
    const std::string start = header("W4 H4 F25:1");
    const std::string frame = good_frame();
    return {
        {"NoPicture", "x.y4m", start, {"no picture"}},
        {"FrameWordRunsOn", "x.y4m", start + "FRAMX\n" + std::string(24, 'x'), {"frame 1", "FRAME"}},
        {"FrameWordLonger", "x.y4m", start + "FRAMES\n" + std::string(24, 'x'), {"frame 1", "FRAME"}},
        {"FrameWordShort", "x.y4m", start + "FRAM\n" + std::string(24, 'x'), {"frame 1", "FRAME"}},
        {"SecondFrameWrong", "x.y4m", start + frame + "frame\n" + std::string(24, 'x'), {"frame 2", "FRAME"}},
        {"FrameHeaderCutOff", "x.y4m", start + frame + "FRA", {"cut off", "header of frame 2"}},
        {"FrameHeaderTooLong",
         "x.y4m",
         start + "FRAME X" + std::string(5000, 'a'),
         {"header of frame 1", "longer than 4096"}},
        {"FrameWithoutSamples", "x.y4m", start + frame + "FRAME\n", {"cut off in frame 2", "24 of its 24 bytes"}},
        {"LastFrameCutOff",
         "x.y4m",
         start + frame + frame.substr(0, frame.size() - 7),
         {"cut off in frame 2", "7 of its 24 bytes"}},
        {"GarbageAfterTheLast", "x.y4m", start + frame + "\n", {"frame 2", "FRAME"}},
    };
}

std::vector<BrokenInput> raw_files() {
    const std::optional<Size> size{{4, 4}};
    const auto container = [&](const std::string& label, const std::string& begin, const std::string& word) {
        return BrokenInput{label, "x.yuv", padded(begin, 240), {word, "not raw"}, size};
    };
    std::string transport;
    for (int i = 0; i < 6; ++i)
        transport += padded(bytes_of({0x47, 0x40, 0x00, 0x10 + i}), 188);
    return {
        {"Empty", "x_4x4.yuv", "", {"empty"}},
        {"NoSize", "x.yuv", std::string(24, 'x'), {"size is not given"}},
        {"Remainder", "x_4x4_30.yuv", std::string(60, 'x'), {"60 bytes", "2 pictures of 4x4", "remainder of 12"}},
        {"SmallerThanAPicture", "x_4x4_30.yuv", std::string(23, 'x'), {"0 pictures", "remainder of 23"}},
        {"SizeOptionZero", "x.yuv", std::string(24, 'x'), {"0x4", "1x1 to 16384x16384"}, {{0, 4}}},
        {"SizeOptionHuge", "x.yuv", std::string(24, 'x'), {"4x16385"}, {{4, 16385}}},
        {"TenBitName", "x_4x4_30_10bit.yuv", std::string(48, 'x'), {"'10bit'", "8-bit 4:2:0"}},
        container("Y4m", "YUV4MPEG2 W4 H4 F25:1\nFRAME\n", "YUV4MPEG2"),
        container("Mp4", bytes_of({0, 0, 0, 24}) + "ftypisom", "MP4"),
        container("Matroska", "\x1A\x45\xDF\xA3", "Matroska"),
        container("Avi",
                  "RIFF\x10\x20\x30\x01"
                  "AVI LIST",
                  "RIFF"),
        container("Ogg", "OggS", "Ogg"),
        container("Ivf", "DKIF", "IVF"),
        container("Png", "\x89PNG\r\n\x1A\n", "PNG"),
        container("Jpeg", "\xFF\xD8\xFF\xE0", "JPEG"),
        container("Gzip", "\x1F\x8B\x08", "gzip"),
        container("ProgramStream", bytes_of({0, 0, 1, 0xBA}), "program stream"),
        container("MpegVideo", bytes_of({0, 0, 1, 0xB3}), "MPEG-2 video"),
        container("H264", bytes_of({0, 0, 0, 1, 0x67}), "H.264"),
        container("H265", bytes_of({0, 0, 0, 1, 0x40, 1}), "H.265"),
        {"TransportStream", "x_4x4.yuv", transport, {"transport stream"}},
    };
}

std::vector<BrokenInput> other_files() {
    // Without FFmpeg the reason is that, with it that nothing is recognised; both name the file.
    return {
        {"Empty", "x.mkv", "", {"empty"}},
        {"Zeros", "x.mkv", padded("", 5000), {"x.mkv"}},
        {"Text", "x.txt", "This is a text.\nIt is not a video.\n", {"x.txt"}},
        {"TextNamedMp4", "x.mp4", "This is a text.\nIt is not a video.\n", {"x.mp4"}},
        {"OnlyAMatroskaHeader", "x.mkv", padded("\x1A\x45\xDF\xA3", 64), {"x.mkv"}},
    };
}

class BrokenInputs : public testing::TestWithParam<BrokenInput> {};

TEST_P(BrokenInputs, AreRefusedWithTheReason) {
    const BrokenInput& broken = GetParam();
    const test::Scratch scratch;
    const std::string path = scratch.file(broken.name, broken.bytes);
    SourceOptions options;
    options.input_res = broken.input_res;
    try {
        const auto source = open_source(path, options);
        while (source->read()) {
        }
        FAIL() << "it was accepted";
    } catch (const InputError& error) {
        const std::string message = error.what();
        const bool option_is_wrong = broken.label.starts_with("SizeOption");
        EXPECT_TRUE(option_is_wrong || message.starts_with(path + ": ")) << message;
        EXPECT_EQ(message.find_first_of("\n\x1B"), std::string::npos) << message;
        for (const std::string& word : broken.words)
            EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
    }
}

std::string label_of(const testing::TestParamInfo<BrokenInput>& info) { return info.param.label; }

INSTANTIATE_TEST_SUITE_P(Y4mHeader, BrokenInputs, testing::ValuesIn(y4m_headers()), label_of);
INSTANTIATE_TEST_SUITE_P(Y4mFrame, BrokenInputs, testing::ValuesIn(y4m_frames()), label_of);
INSTANTIATE_TEST_SUITE_P(Raw, BrokenInputs, testing::ValuesIn(raw_files()), label_of);
INSTANTIATE_TEST_SUITE_P(Other, BrokenInputs, testing::ValuesIn(other_files()), label_of);

TEST(UnreadableInput, MissingFileAndDirectory) {
    const test::Scratch scratch;
    for (const char* extension : {".y4m", ".yuv", ".mkv", ""}) {
        const std::string path = scratch.path(std::string("missing") + extension);
        try {
            open_source(path);
            FAIL() << path << " was opened";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
            EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(open_source(scratch.path("")), InputError);
    EXPECT_THROW(open_source(""), InputError);
}

TEST(UnreadableInput, NoPermission) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const test::Scratch scratch;
    const std::string path = scratch.file("x.y4m", header("W4 H4 F25:1") + good_frame());
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_THROW(open_source(path), InputError);
}

TEST(UnreadableInput, APictureSizeIsForRawPicturesOnly) {
    const test::Scratch scratch;
    SourceOptions options;
    options.input_res = {4, 4};
    EXPECT_THROW(open_source(scratch.file("x.y4m", header("W4 H4 F25:1") + good_frame()), options), InputError);
    EXPECT_THROW(open_source(scratch.file("x.mkv", "anything"), options), InputError);
}

/// Whatever happens to the bytes, the answer is pictures or an InputError.
TEST(DamagedInput, NeverEndsInAnythingElse) {
    const test::Scratch scratch;
    const std::string whole = header("W4 H4 F25:1 Ip A1:1 C420jpeg") + good_frame() + good_frame();
    std::mt19937 random(99);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = whole;
        for (std::uint32_t change = 0; change <= random() % 3; ++change) {
            const std::size_t at = random() % bytes.size();
            const std::uint32_t kind = random() % 3;
            if (kind == 0) bytes[at] = static_cast<char>(random());
            if (kind == 1) bytes.erase(at, 1 + random() % 8);
            if (kind == 2) bytes.insert(at, 1 + random() % 8, static_cast<char>('0' + random() % 12));
            if (bytes.empty()) bytes = "Y";
        }
        try {
            const auto source = open_source(scratch.file("x.y4m", bytes));
            while (source->read()) {
            }
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(UnreadableInput, AFrameRateOptionMustBePositive) {
    const test::Scratch scratch;
    const std::string path = scratch.file("x.y4m", header("W4 H4 F25:1") + good_frame());
    for (const Rational rate : {Rational{0, 1}, Rational{-25, 1}, Rational{25, 0}}) {
        SourceOptions options;
        options.frame_rate = rate;
        EXPECT_THROW(open_source(path, options), InputError);
    }
}

} // namespace
} // namespace tandem
