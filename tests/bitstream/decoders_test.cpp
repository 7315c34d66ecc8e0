// SPDX-License-Identifier: BSD-2-Clause
// Other programs read our streams: without a word, and as the same pictures that the standards' formulas give.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "bitstream/mpeg/vlc_tables.h"
#include "tests/bitstream/random_stream.h"
#include "tests/bitstream/reference_decoder.h"

namespace tandem::test {
namespace {

bool have(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// What a command prints on both streams, with its exit status.
struct Outcome {
    std::string text;
    int status = -1;
};

Outcome outcome_of(const std::string& command) {
    Outcome outcome;
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        outcome.text.append(buffer.data(), count);
    }
    outcome.status = pclose(pipe);
    return outcome;
}

std::vector<std::uint8_t> file_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of the running test's own, gone with it.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& ending)
        : path_(testing::TempDir() + "tandem_bitstream_" + std::to_string(getpid()) + ending) {}
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

void save(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    ASSERT_TRUE(file.flush());
}

RandomStream empty_stream(bool mpeg1, int columns, int rows, std::string_view types) {
    RandomStream stream =
        random_stream({.mpeg1 = mpeg1, .width = columns * 16, .height = rows * 16, .tools = false, .types = ""});
    for (const char type : types) {
        MpegPicture picture;
        picture.temporal_reference = static_cast<int>(stream.pictures.size());
        picture.type = type == 'I' ? PictureType::intra : PictureType::predicted;
        if (type == 'P') picture.f_code[0] = {1, 1};
        picture.resize(columns, rows);
        std::fill(picture.quantiser_scale_code.begin(), picture.quantiser_scale_code.end(), std::uint8_t{8});
        for (int row = 0; row < rows; ++row)
            picture.slices.push_back({row * columns, (row + 1) * columns});
        stream.pictures.push_back(std::move(picture));
    }
    return stream;
}

/// A grey I picture and a P picture whose blocks each have one row of the coefficient table with one sign, in an intra
/// or a non-intra block, with a quantiser at which one level more or less is seen; the flat blocks that are left over
/// have a first coefficient of one.
RandomStream every_coefficient(bool mpeg1, bool table_one) {
    constexpr int columns = 16, rows = 5;
    RandomStream stream = empty_stream(mpeg1, columns, rows, "IP");
    MpegPicture& key = stream.pictures[0];
    MpegPicture& next = stream.pictures[1];
    key.intra_vlc_format = next.intra_vlc_format = table_one;
    std::size_t intra_block = 0, other_block = 0;
    for (const RunLevelRow& row : table_b14) {
        for (const int sign : {1, -1}) {
            const auto level = static_cast<std::int16_t>(sign * row.level);
            const auto set = [level](MpegPicture& picture, std::size_t block, int position) {
                picture.nonzero[block] |= std::uint64_t{1} << position;
                picture.levels[block * 64 + static_cast<std::size_t>(position)] = level;
            };
            set(key, intra_block++, 1 + row.run);
            set(next, other_block++, row.run);
            if (row.run > 0) continue;
            set(next, other_block, 0); // The other code of run 0: not in the first place.
            set(next, other_block++, 1);
        }
    }
    for (std::size_t block = 0; block < key.nonzero.size(); ++block)
        key.levels[block * 64] = 128;
    for (; other_block < next.nonzero.size(); ++other_block) {
        next.nonzero[other_block] = 1;
        next.levels[other_block * 64] = 1;
    }
    std::fill(key.flags.begin(), key.flags.end(), std::uint8_t{mb_intra});
    std::fill(key.pattern.begin(), key.pattern.end(), std::uint8_t{63});
    std::fill(next.pattern.begin(), next.pattern.end(), std::uint8_t{63});
    return stream;
}

class Decoders : public testing::TestWithParam<bool> {
  protected:
    bool mpeg1() const { return GetParam(); }
    std::vector<std::uint8_t> bytes_of(const RandomStream& stream) const {
        return write_stream(stream, *(mpeg1() ? make_mpeg1_writer() : make_mpeg2_writer()));
    }

    /// FFmpeg says nothing, and its pictures differ from ours by no more than one inverse DCT does from another.
    void expect_ffmpeg_agrees(const std::vector<std::uint8_t>& bytes, int most_difference) {
        const TemporaryFile coded(mpeg1() ? ".m1v" : ".m2v"), raw(".yuv");
        save(coded.path(), bytes);
        const Outcome outcome =
            outcome_of("ffmpeg -nostdin -y -v error -xerror -err_detect explode -threads 1 -idct faani -i " +
                       coded.path() + " -fps_mode passthrough -f rawvideo -pix_fmt yuv420p " + raw.path());
        EXPECT_EQ(outcome.text, "");
        ASSERT_EQ(outcome.status, 0);
        const ParsedStream parsed = parse_stream(bytes);
        expect_near(parsed, file_bytes(raw.path()), most_difference);
    }

    static void expect_near(const ParsedStream& parsed, const std::vector<std::uint8_t>& raw, int most_difference) {
        const auto decoded = decode_pictures(parsed);
        const MpegSequence& sequence = parsed.sequences[0];
        std::size_t at = 0;
        int largest = 0;
        for (const std::size_t index : display_order(parsed)) {
            for (std::size_t plane = 0; plane < 3; ++plane) {
                const int width = plane == 0 ? sequence.width : (sequence.width + 1) / 2;
                const int height = plane == 0 ? sequence.height : (sequence.height + 1) / 2;
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x, ++at) {
                        ASSERT_LT(at, raw.size()) << "pictures are missing";
                        largest = std::max(largest, std::abs(raw[at] - decoded[index].planes[plane].at(x, y)));
                    }
                }
            }
        }
        EXPECT_EQ(at, raw.size());
        EXPECT_LE(largest, most_difference);
    }

    /// mpeg2dec knows no exit code: count and compare what it decodes. Its inverse DCT is of integers.
    void expect_mpeg2dec_agrees(const std::vector<std::uint8_t>& bytes, double least_psnr) {
        const TemporaryFile coded(mpeg1() ? ".m1v" : ".m2v"), images(".pgm");
        save(coded.path(), bytes);
        const Outcome outcome = outcome_of("(mpeg2dec -o pgmpipe " + coded.path() + " 2>&1 >" + images.path() + ")");
        EXPECT_EQ(outcome.text.find("rror"), std::string::npos) << outcome.text;
        const ParsedStream parsed = parse_stream(bytes);
        const auto decoded = decode_pictures(parsed);
        const auto raw = file_bytes(images.path());
        std::size_t at = 0;
        double error = 0, count = 0;
        for (const std::size_t index : display_order(parsed)) {
            const DecodedPlane& luma = decoded[index].planes[0];
            int width = 0, height = 0, consumed = 0;
            const std::string header(raw.begin() + static_cast<std::ptrdiff_t>(std::min(at, raw.size())),
                                     raw.begin() + static_cast<std::ptrdiff_t>(std::min(at + 32, raw.size())));
            ASSERT_EQ(std::sscanf(header.c_str(), "P5 %d %d 255%n", &width, &height, &consumed), 2)
                << "pictures are missing";
            at += static_cast<std::size_t>(consumed) + 1;
            ASSERT_LE(at + static_cast<std::size_t>(width * height), raw.size());
            for (int y = 0; y < std::min(parsed.sequences[0].height, height * 2 / 3); ++y) {
                for (int x = 0; x < std::min(parsed.sequences[0].width, width); ++x, ++count) {
                    const double difference = raw[at + static_cast<std::size_t>(y * width + x)] - luma.at(x, y);
                    error += difference * difference;
                }
            }
            at += static_cast<std::size_t>(width * height);
        }
        EXPECT_EQ(at, raw.size());
        EXPECT_GE(10 * std::log10(255.0 * 255.0 * count / std::max(error, 1e-9)), least_psnr);
    }
};

/// Levels small enough that no decoder has to cut a coefficient to its range, which some do later than others.
RandomOptions moderate(bool mpeg1, std::uint32_t seed) {
    return {.mpeg1 = mpeg1,
            .width = 176,
            .height = 80,
            .most_level = 60,
            .most_quantiser = 1,
            .vectors_inside = true,
            .types = "IPBBPB",
            .seed = seed};
}

TEST_P(Decoders, EveryCoefficientCode) {
    if (!have("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    for (const bool table_one : {false, true}) {
        if (mpeg1() && table_one) continue;
        SCOPED_TRACE(table_one ? "table B-15" : "table B-14");
        expect_ffmpeg_agrees(bytes_of(every_coefficient(mpeg1(), table_one)), 1);
    }
}

TEST_P(Decoders, RandomStreamsInFfmpeg) {
    if (!have("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    std::set<int> patterns, types, motion;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        const RandomStream stream = random_stream(moderate(mpeg1(), seed));
        expect_ffmpeg_agrees(bytes_of(stream), 4);
        for (const MpegPicture& picture : stream.pictures) {
            patterns.insert(picture.pattern.begin(), picture.pattern.end());
            for (std::size_t at = 0; at < picture.flags.size(); ++at) {
                types.insert((static_cast<int>(picture.type) * 16 + picture.flags[at]) * 2 +
                             (picture.pattern[at] != 0));
            }
        }
    }
    EXPECT_EQ(patterns.size(), 64U);
    // I: intra. P: intra, skipped, no MC, MC with and without a pattern. B: intra, and each direction coded, not coded,
    // skipped.
    EXPECT_EQ(types.size(), 1U + 5 + 10);
}

TEST_P(Decoders, EveryMotionCode) {
    if (!have("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    // A textured I picture, and P pictures whose vectors walk through all differences of f_code 1 and 3.
    RandomStream stream = random_stream({.mpeg1 = mpeg1(),
                                         .width = 1024,
                                         .height = 256,
                                         .most_level = 60,
                                         .most_quantiser = 1,
                                         .types = "I",
                                         .seed = 9});
    const RandomStream shapes = empty_stream(mpeg1(), 64, 16, "PP");
    for (MpegPicture picture : shapes.pictures) {
        const int f_code = stream.pictures.size() == 1 ? 1 : 3;
        picture.temporal_reference = static_cast<int>(stream.pictures.size());
        picture.f_code[0] = {f_code, f_code};
        const int range = 32 << (f_code - 1);
        for (int address = 0; address < picture.macroblocks(); ++address) {
            const auto at = static_cast<std::size_t>(address);
            picture.flags[at] = mb_forward;
            const int column = address % 64, row = address / 64;
            const bool inner = column >= 4 && column < 60 && row >= 4 && row < 12;
            if (!inner) continue;
            const auto component = [range](int step) {
                return static_cast<std::int16_t>((step % range - range / 2) * eighths_per_half_pel);
            };
            picture.forward[at] = {component(address * 7), component(address * 5 + row)};
        }
        stream.pictures.push_back(std::move(picture));
    }
    stream.sequence.low_delay = !mpeg1();
    expect_ffmpeg_agrees(bytes_of(stream), 3);
}

TEST_P(Decoders, RandomStreamsInMpeg2dec) {
    if (!have("mpeg2dec")) GTEST_SKIP() << "mpeg2dec is not installed";
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(seed);
        RandomOptions options = moderate(mpeg1(), seed);
        options.most_level = 4; // Its inverse DCT has no room for much more than pictures need.
        expect_mpeg2dec_agrees(bytes_of(random_stream(options)), 50);
    }
}

TEST_P(Decoders, ExtremeStreamsWithoutAWord) {
    if (!have("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    constexpr std::array<std::array<int, 2>, 5> sizes = {{{1, 1}, {16, 16}, {17, 33}, {352, 288}, {32, 2832}}};
    std::uint32_t seed = 50;
    for (const auto [width, height] : sizes) {
        SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
        const TemporaryFile coded(mpeg1() ? ".m1v" : ".m2v");
        save(coded.path(), bytes_of(random_stream({.mpeg1 = mpeg1(),
                                                   .width = width,
                                                   .height = height,
                                                   .vectors_inside = true,
                                                   .types = "IPBBPBPIB",
                                                   .seed = seed++})));
        const Outcome outcome = outcome_of("ffmpeg -nostdin -v error -xerror -err_detect explode -threads 1 -i " +
                                           coded.path() + " -f null -");
        EXPECT_EQ(outcome.text, "");
        EXPECT_EQ(outcome.status, 0);
    }
}

TEST_P(Decoders, FfmpegsOwnStreamIsWrittenByteForByte) {
    if (!have("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
    const TemporaryFile coded(mpeg1() ? ".m1v" : ".m2v");
    const std::string codec = mpeg1() ? "mpeg1video" : "mpeg2video";
    const Outcome outcome = outcome_of("ffmpeg -nostdin -y -v error -f lavfi -i "
                                       "testsrc2=size=352x288:rate=25:duration=1,format=yuv420p -threads 1 -c:v " +
                                       codec + " -g 6 -bf 2 -qscale:v 3 -f " + codec + " " + coded.path());
    ASSERT_EQ(outcome.status, 0) << outcome.text;
    const auto bytes = file_bytes(coded.path());
    const ParsedStream parsed = parse_stream(bytes);
    EXPECT_EQ(parsed.pictures.size(), 25U);
    const auto writer = mpeg1() ? make_mpeg1_writer() : make_mpeg2_writer();
    for (const ParsedPicture& picture : parsed.pictures) {
        BitWriter out;
        writer->write_picture_header(out, picture.code);
        for (int slice = 0; slice < static_cast<int>(picture.code.slices.size()); ++slice) {
            writer->write_slice(out, parsed.sequences[0], picture.code, slice);
        }
        const auto written = out.bytes();
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(picture.offset);
        EXPECT_EQ(std::vector<std::uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(picture.bytes)),
                  std::vector<std::uint8_t>(written.begin(), written.end()));
    }
}

INSTANTIATE_TEST_SUITE_P(Standards, Decoders, testing::Bool(),
                         [](const auto& standard) { return standard.param ? "Mpeg1" : "Mpeg2"; });

} // namespace
} // namespace tandem::test
