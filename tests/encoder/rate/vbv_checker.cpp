// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/rate/vbv_checker.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/bitstream/bit_reader.h"

namespace tandem::test {

namespace {

constexpr int picture_start = 0x00, sequence_start = 0xB3, extension_start = 0xB5;
constexpr int no_delay = 0xFFFF;

/// 13818-2 table 6-4.
constexpr std::array<double, 9> frame_rates{0, 24000.0 / 1001, 24, 25, 30000.0 / 1001, 30, 50, 60000.0 / 1001, 60};

/// Where each start code begins.
std::vector<std::size_t> start_codes(std::span<const std::uint8_t> bytes) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i + 3 < bytes.size(); ++i) {
        if (bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 1) found.push_back(i);
    }
    return found;
}

struct SequenceFields {
    std::uint32_t rate_code = 0, bit_rate = 0, buffer_size = 0;
    bool operator==(const SequenceFields&) const = default;
};

class StreamReader {
  public:
    explicit StreamReader(std::span<const std::uint8_t> bytes) : bytes_(bytes), codes_(start_codes(bytes)) {}
    BufferedStream read();

  private:
    BitReader behind(std::size_t code) const { return BitReader(bytes_.subspan(codes_[code] + 4)); }
    int kind(std::size_t code) const { return bytes_[codes_[code] + 3]; }
    void sequence(std::size_t code);
    void sequence_extension(BitReader reader);
    void picture(std::size_t code);

    std::span<const std::uint8_t> bytes_;
    std::vector<std::size_t> codes_;
    BufferedStream stream_;
    std::optional<SequenceFields> fields_;
};

BufferedStream StreamReader::read() {
    std::size_t begin = 0; // Of what is taken out with the next picture.
    for (std::size_t code = 0; code < codes_.size(); ++code) {
        if (kind(code) == sequence_start) sequence(code);
        if (kind(code) != picture_start) continue;
        picture(code);
        stream_.pictures.back().bits_to_start_code = 8.0 * static_cast<double>(codes_[code] + 4 - begin);
        // The picture ends with its slices and what stuffing follows them: where the next headers begin.
        std::size_t last = code + 1;
        while (last < codes_.size() && kind(last) != picture_start && kind(last) != sequence_start &&
               kind(last) != 0xB8)
            ++last;
        const std::size_t end = last < codes_.size() ? codes_[last] : bytes_.size();
        stream_.pictures.back().bits = 8.0 * static_cast<double>(end - begin);
        begin = end;
    }
    if (!fields_) throw ParseError("no sequence header");
    return std::move(stream_);
}

void StreamReader::sequence(std::size_t code) {
    BitReader reader = behind(code);
    reader.read(28); // Sizes and aspect.
    SequenceFields fields;
    fields.rate_code = reader.read(4);
    fields.bit_rate = reader.read(18);
    reader.marker_bit();
    fields.buffer_size = reader.read(10);
    reader.expect(fields.rate_code >= 1 && fields.rate_code <= 8, "a forbidden frame rate");
    if (fields_) {
        reader.expect(*fields_ == fields, "a sequence header that differs from the first");
        return;
    }
    fields_ = fields;
    stream_.pictures_per_second = frame_rates[fields.rate_code];
    stream_.bits_per_second = 400.0 * fields.bit_rate;
    stream_.buffer_bits = 16384.0 * fields.buffer_size;
    stream_.mpeg2 = code + 1 < codes_.size() && kind(code + 1) == extension_start;
    if (stream_.mpeg2) sequence_extension(behind(code + 1));
    if (!stream_.mpeg2 && fields.bit_rate == 0x3FFFF) stream_.bits_per_second = 0;
}

void StreamReader::sequence_extension(BitReader reader) {
    reader.expect(reader.read(4) == 1, "sequence_extension does not follow the sequence header");
    reader.read(8 + 1 + 2 + 2 + 2); // Profile, progressive, format, sizes.
    stream_.bits_per_second += 400.0 * (reader.read(12) << 18);
    reader.marker_bit();
    stream_.buffer_bits += 16384.0 * (reader.read(8) << 10);
    reader.read(1); // low_delay
    const std::uint32_t n = reader.read(2), d = reader.read(5);
    stream_.pictures_per_second *= (n + 1.0) / (d + 1.0);
}

void StreamReader::picture(std::size_t code) {
    BitReader reader = behind(code);
    reader.expect(fields_.has_value(), "a picture before any sequence header");
    reader.read(13); // temporal_reference, type
    stream_.pictures.push_back({0, 0, static_cast<int>(reader.read(16))});
}

/// One pass through the buffer.
class Playing {
  public:
    explicit Playing(const BufferedStream& stream)
        : stream_(stream), per_picture_(stream.bits_per_second / stream.pictures_per_second) {
        const BufferedPicture& first = stream.pictures.front();
        found_.has_buffer = true;
        found_.constant_rate = first.vbv_delay != no_delay;
        found_.lowest_bits = stream.buffer_bits;
        filled_ = found_.constant_rate ? first.bits_to_start_code + bits_in(first.vbv_delay) : stream.buffer_bits;
    }

    void picture(std::size_t i) {
        const BufferedPicture& picture = stream_.pictures[i];
        // Half a bit is what sums of doubles may be off, and less than a bit.
        constexpr double rounding = 0.5;
        if (found_.constant_rate && filled_ > stream_.buffer_bits + bits_in(tolerated) + rounding)
            found_.overflows.push_back(i);
        check_delay(i);
        const double left = filled_ - picture.bits;
        if (left < -rounding - (found_.constant_rate ? bits_in(1) : 0)) found_.underflows.push_back(i);
        found_.lowest_bits = std::min(found_.lowest_bits, left);
        filled_ = std::max(left, 0.0) + per_picture_;
        if (!found_.constant_rate) filled_ = std::min(filled_, stream_.buffer_bits);
    }
    const BufferFindings& found() const { return found_; }

  private:
    static constexpr int tolerated = 2; ///< Periods of 90 kHz that rounding may cost.
    double bits_in(int periods) const { return periods * stream_.bits_per_second / 90000; }
    void check_delay(std::size_t i) {
        const BufferedPicture& picture = stream_.pictures[i];
        if ((picture.vbv_delay == no_delay) == found_.constant_rate) {
            found_.wrong_delays.push_back(i);
        } else if (found_.constant_rate) {
            const double ahead = std::max(filled_ - picture.bits_to_start_code, 0.0);
            if (std::abs(bits_in(picture.vbv_delay) - ahead) > bits_in(tolerated)) found_.wrong_delays.push_back(i);
        }
    }

    const BufferedStream& stream_;
    const double per_picture_; ///< Bits.
    double filled_ = 0;
    BufferFindings found_;
};

} // namespace

BufferedStream read_buffered_stream(std::span<const std::uint8_t> bytes) { return StreamReader(bytes).read(); }

BufferFindings check_buffer(const BufferedStream& stream) {
    if (stream.bits_per_second <= 0 || stream.pictures.empty()) return {};
    Playing playing(stream);
    for (std::size_t i = 0; i < stream.pictures.size(); ++i)
        playing.picture(i);
    return playing.found();
}

std::string text_of(const BufferFindings& findings) {
    if (!findings.has_buffer) return "declares no buffer";
    std::string text;
    const auto add = [&](const char* what, const std::vector<std::size_t>& pictures) {
        if (pictures.empty()) return;
        text += (text.empty() ? "" : "; ") + std::to_string(pictures.size()) + " " + what + ", the first at picture " +
                std::to_string(pictures.front());
    };
    add("underflows", findings.underflows);
    add("overflows", findings.overflows);
    add("wrong vbv_delays", findings.wrong_delays);
    return text.empty() ? "holds" : text;
}

} // namespace tandem::test
