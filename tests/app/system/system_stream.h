// SPDX-License-Identifier: BSD-2-Clause
// When the bytes of a program or transport stream come and when its pictures are due: the system target decoders of
// 13818-1 clauses 2.4.2 and 2.5.2, for one stream of video. It shares nothing with what writes such streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tandem::test {

/// Bytes of the video that come one after the other, at the stream's rate.
struct ArrivingBytes {
    std::size_t count = 0;
    double begin = 0, end = 0; ///< Seconds of the stream's clock at which the first and the last have come.
};

/// The time stamp of a PES packet: of the first picture that begins in it.
struct DecodingTime {
    std::size_t offset = 0; ///< In the video: of the packet's first byte.
    double seconds = 0;     ///< DTS; PTS where there is none.
};

struct SystemStream {
    std::vector<std::uint8_t> video;
    std::vector<ArrivingBytes> arrivals; ///< By rising time; together as many bytes as the video has.
    std::vector<DecodingTime> times;
    double buffer_bytes = 0;           ///< P-STD_buffer_size as the packets say it; 0: they do not.
    double bits_per_second = 0;        ///< program_mux_rate; 0: a transport stream, whose clock alone says it.
    double longest_clock_gap = 0;      ///< Seconds from one SCR or PCR to the next, at most.
    std::vector<std::string> problems; ///< Of the syntax, and packs whose bytes come after the next one's clock.
};

/// Packs of 11172-1 or 13818-1 clause 2.5.3; the video is stream 0xE0.
SystemStream read_program_stream(std::span<const std::uint8_t> bytes);
/// Packets of 188 bytes; the video is the stream whose PES packets have an id 0xE0..0xEF.
SystemStream read_transport_stream(std::span<const std::uint8_t> bytes);

/// One way of the bytes through a buffer that gives each picture up at its time.
struct SystemFindings {
    std::size_t pictures = 0;
    std::size_t late = 0;      ///< Pictures of which a byte comes after their time: underflows.
    double least_slack = 1e9;  ///< Seconds from a picture's last byte to its time, at the least.
    double longest_stay = 0;   ///< Seconds that a byte waits for its picture's time; 1 at most (clause 2.4.2.6).
    double fullest_bytes = 0;  ///< In the buffer at a time.
    std::size_t overflows = 0; ///< Chunks after which more is in it than it holds.
};
SystemFindings play(const SystemStream& stream, double buffer_bytes, double pictures_per_second);

} // namespace tandem::test
