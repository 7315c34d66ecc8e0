// SPDX-License-Identifier: BSD-2-Clause
// Plays a stream into the buffer of its standard's annex C and tells what does not hold. It reads headers and start
// codes alone, any encoder's, and shares nothing with the encoder's own model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tandem::test {

/// A picture as the buffer sees it. What stands before its start code and behind the picture before belongs to it, but
/// for zero bytes, which belong to the picture before.
struct BufferedPicture {
    double bits = 0;               ///< All that is taken out with it.
    double bits_to_start_code = 0; ///< Of these, up to the end of its start code.
    int vbv_delay = 0;             ///< As it is written.
};

/// What a stream says of its rate, and its pictures in coding order.
struct BufferedStream {
    bool mpeg2 = false;
    double bits_per_second = 0; ///< 0: MPEG-1's variable rate, which has no buffer.
    double buffer_bits = 0;
    double pictures_per_second = 0;
    std::vector<BufferedPicture> pictures;
};

/// Throws ParseError. Streams of one sequence's values: those of later headers must be the first's.
BufferedStream read_buffered_stream(std::span<const std::uint8_t> bytes);

/// What was found. Pictures are numbered in coding order from 0.
struct BufferFindings {
    std::vector<std::size_t> underflows;   ///< Pictures that were not there at their time.
    std::vector<std::size_t> overflows;    ///< Pictures in whose time the buffer ran over; only where bits never pause.
    std::vector<std::size_t> wrong_delays; ///< Pictures whose vbv_delay is another than that of the declared rate.
    double lowest_bits = 0;                ///< Left behind a picture, at the least; negative after an underflow.
    bool constant_rate = false;            ///< vbv_delay says when pictures are due.
    bool has_buffer = false;
};

/// 13818-2 clauses C.3.1 (vbv_delay is given) and C.3.2 (0xFFFF), 11172-2 annex C. A late picture is waited for. A
/// given vbv_delay may be rounded, by up to two periods of 90 kHz.
BufferFindings check_buffer(const BufferedStream& stream);

/// "2 underflows, the first at picture 14; ..." or "holds".
std::string text_of(const BufferFindings& findings);

} // namespace tandem::test
