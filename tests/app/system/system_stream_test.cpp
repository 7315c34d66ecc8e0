// SPDX-License-Identifier: BSD-2-Clause
// Program and transport streams of the command beside the models of a decoder, 13818-1 clauses 2.4.2 and 2.5.2.
#include <gtest/gtest.h>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "tests/app/system/system_stream.h"

namespace tandem::test {
namespace {

constexpr double frame_rate = 25;

class SystemStreams : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(352, 288, 75, "F25:1 Ip A128:117 C420jpeg")); }
    std::vector<std::uint8_t> bytes_of(const std::string& name, std::vector<std::string> words) {
        words.insert(words.begin(), {"encode", "clip.y4m", "-o", name, "-q", "--threads", "1", "--me", "log"});
        const Outcome outcome = run_command(folder_.path(), words);
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        const std::string text = read_file(folder_ / name);
        return {text.begin(), text.end()};
    }
    TemporaryFolder folder_;
};

void expect_holds(const SystemStream& stream, double buffer_bytes) {
    EXPECT_TRUE(stream.problems.empty()) << stream.problems.front();
    const SystemFindings found = play(stream, buffer_bytes, frame_rate);
    EXPECT_EQ(found.pictures, 75U);
    EXPECT_EQ(found.late, 0U);
    EXPECT_EQ(found.overflows, 0U) << found.fullest_bytes << " of " << buffer_bytes;
    EXPECT_LE(found.longest_stay, 1.0) << "clause 2.4.2.6";
    EXPECT_LE(stream.longest_clock_gap, 0.7) << "clause 2.7.1";
}

TEST_F(SystemStreams, ProgramStreamsHold) {
    const std::vector<std::string> held{"--bitrate", "1500", "--vbv-maxrate", "2000", "--vbv-bufsize", "1000"};
    expect_holds(read_program_stream(bytes_of("held.mpg", held)), 236 * 1024);
    const std::vector<std::string> constant{"--bitrate", "1500", "--cbr", "--bframes", "2"};
    const SystemStream stream = read_program_stream(bytes_of("constant.mpg", constant));
    expect_holds(stream, 236 * 1024);
    EXPECT_GT(stream.bits_per_second, 1500e3);
    EXPECT_LT(stream.bits_per_second, 1700e3) << "the real rate";
}

TEST_F(SystemStreams, Mpeg1HasItsClockReferences) {
    for (const std::vector<std::string>& rate : {std::vector<std::string>{},
                                                 {"--bitrate", "1500", "--cbr"},
                                                 {"--vbv-maxrate", "2000", "--vbv-bufsize", "1000"}}) {
        std::vector<std::string> words{"--codec", "mpeg1"};
        words.insert(words.end(), rate.begin(), rate.end());
        const SystemStream stream = read_program_stream(bytes_of("one.mpg", words));
        expect_holds(stream, 236 * 1024);
        EXPECT_LT(stream.longest_clock_gap, 0.55) << "the first picture waits half a second";
    }
    const SystemStream constant =
        read_program_stream(bytes_of("rate.mpg", {"--codec", "mpeg1", "--bitrate", "1500", "--cbr"}));
    EXPECT_GT(constant.bits_per_second, 1500e3) << "the real rate";
    EXPECT_LT(constant.bits_per_second, 1700e3);
}

TEST_F(SystemStreams, DiscsHaveTheirBuffersAndRates) {
    const SystemStream vcd = read_program_stream(bytes_of("vcd.mpg", {"--compat", "vcd"}));
    EXPECT_EQ(vcd.bits_per_second, 1411200);
    expect_holds(vcd, 46 * 1024);
    const SystemStream dvd = read_program_stream(bytes_of("dvd.mpg", {"--compat", "dvd", "--aspect", "4:3"}));
    EXPECT_EQ(dvd.bits_per_second, 10080000);
    EXPECT_EQ(dvd.buffer_bytes, 230 * 1024);
    expect_holds(dvd, dvd.buffer_bytes);
}

TEST_F(SystemStreams, TransportStreamsHold) {
    // The three buffers of clause 2.4.2 together, at Low and Main Level: of packets, of multiplexing, of the video.
    const double vbv = 1000e3 / 8, around = 512 + (0.004 + 1 / 750.0) * 2e6 / 8;
    const std::vector<std::string> constant{"--bitrate", "2000", "--cbr", "--vbv-bufsize", "1000", "--bframes", "2"};
    const std::vector<std::uint8_t> bytes = bytes_of("constant.ts", constant);
    const SystemStream stream = read_transport_stream(bytes);
    expect_holds(stream, vbv + around);
    // Filled up with null packets to one rate.
    std::size_t null_packets = 0;
    for (std::size_t at = 0; at + 188 <= bytes.size(); at += 188)
        null_packets += (bytes[at + 1] & 0x1F) == 0x1F && bytes[at + 2] == 0xFF ? 1 : 0;
    EXPECT_GT(null_packets, 0U);
    const SystemStream held = read_transport_stream(
        bytes_of("held.ts", {"--bitrate", "1500", "--vbv-maxrate", "2000", "--vbv-bufsize", "1000"}));
    expect_holds(held, vbv + around);
}

// What the checker is for: the same packets with a clock that runs late, and with a smaller buffer.
TEST_F(SystemStreams, ABrokenStreamIsFound) {
    SystemStream stream = read_program_stream(bytes_of("x.mpg", {"--bitrate", "1500", "--cbr"}));
    ASSERT_EQ(play(stream, 236 * 1024, frame_rate).late, 0U);
    EXPECT_GT(play(stream, 20 * 1024, frame_rate).overflows, 0U);
    for (ArrivingBytes& chunk : stream.arrivals) {
        chunk.begin += 0.6;
        chunk.end += 0.6;
    }
    EXPECT_GT(play(stream, 236 * 1024, frame_rate).late, 0U);
    std::vector<std::uint8_t> bytes = bytes_of("y.mpg", {"--bitrate", "1500", "--cbr"});
    // The rate of the first pack is said to be a quarter: its bytes come after the next one's clock.
    bytes[10] = static_cast<std::uint8_t>(bytes[10] >> 2);
    bytes[11] = static_cast<std::uint8_t>(bytes[11] >> 2);
    EXPECT_FALSE(read_program_stream(bytes).problems.empty());
}

} // namespace
} // namespace tandem::test
