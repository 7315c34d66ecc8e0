// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/compatibility_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "encoder/settings/setting_names.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr std::uint8_t picture_start = 0x00, sequence_start = 0xB3, extension_start = 0xB5;
constexpr std::uint8_t first_slice = 0x01, last_slice = 0xAF;
constexpr int sequence_extension_id = 1, picture_coding_extension_id = 8;

/// Bits from the front; zeros behind the end.
class Bits {
  public:
    explicit Bits(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    int take(int count) {
        int value = 0;
        for (int i = 0; i < count; ++i, ++at_) {
            const std::uint8_t byte = at_ / 8 < bytes_.size() ? bytes_[at_ / 8] : std::uint8_t{0};
            value = value << 1 | (byte >> (7 - at_ % 8) & 1);
        }
        return value;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

void read_matrix(Bits& bits, QuantiserMatrix& matrix, bool& is_custom) {
    is_custom = bits.take(1) != 0;
    if (!is_custom) return;
    // The order does not matter to limits that hold for every entry.
    for (std::uint8_t& entry : matrix)
        entry = static_cast<std::uint8_t>(bits.take(8));
}

MpegSequence read_sequence(Bits bits) {
    MpegSequence sequence;
    sequence.width = bits.take(12);
    sequence.height = bits.take(12);
    sequence.aspect_ratio_code = bits.take(4);
    sequence.frame_rate_code = bits.take(4);
    sequence.bit_rate = static_cast<std::uint32_t>(bits.take(18));
    bits.take(1); // marker_bit
    sequence.vbv_buffer_size = bits.take(10);
    sequence.constrained_parameters = bits.take(1) != 0;
    sequence.intra_matrix.fill(8);
    sequence.non_intra_matrix.fill(16);
    read_matrix(bits, sequence.intra_matrix, sequence.custom_intra_matrix);
    read_matrix(bits, sequence.non_intra_matrix, sequence.custom_non_intra_matrix);
    return sequence;
}

void read_sequence_extension(Bits bits, MpegSequence& sequence) {
    if (bits.take(4) != sequence_extension_id) return;
    sequence.profile_and_level = bits.take(8);
    sequence.progressive = bits.take(1) != 0;
    bits.take(2); // chroma_format
    sequence.width |= bits.take(2) << 12;
    sequence.height |= bits.take(2) << 12;
    sequence.bit_rate |= static_cast<std::uint32_t>(bits.take(12)) << 18;
    bits.take(1); // marker_bit
    sequence.vbv_buffer_size |= bits.take(8) << 10;
    bits.take(1); // low_delay
    sequence.frame_rate_extension_n = bits.take(2);
    sequence.frame_rate_extension_d = bits.take(5);
}

/// MPEG-1 has f_codes here; MPEG-2 has 7 in their place.
void read_picture_header(Bits bits, PictureHeaders& headers) {
    bits.take(10); // temporal_reference
    headers.type = bits.take(3);
    headers.vbv_delay = bits.take(16);
    for (int vectors = 1; vectors < headers.type; ++vectors) {
        headers.full_pel = bits.take(1) != 0 || headers.full_pel;
        headers.horizontal_f_code = std::max(headers.horizontal_f_code, bits.take(3));
    }
    headers.vertical_f_code = headers.horizontal_f_code;
}

void read_picture_coding_extension(Bits bits, PictureHeaders& headers) {
    if (bits.take(4) != picture_coding_extension_id) return;
    headers.horizontal_f_code = headers.vertical_f_code = 0;
    for (int vectors = 1; vectors <= 2; ++vectors) {
        const int horizontal = bits.take(4), vertical = bits.take(4);
        if (vectors >= headers.type) continue;
        headers.horizontal_f_code = std::max(headers.horizontal_f_code, horizontal);
        headers.vertical_f_code = std::max(headers.vertical_f_code, vertical);
    }
}

} // namespace

PictureHeaders read_picture_headers(std::span<const std::uint8_t> bytes) {
    PictureHeaders headers;
    bool has_picture = false;
    for (std::size_t i = 0; i + 4 <= bytes.size(); ++i) {
        if (bytes[i] != 0 || bytes[i + 1] != 0 || bytes[i + 2] != 1) continue;
        const Bits behind(bytes.subspan(i + 4));
        const std::uint8_t code = bytes[i + 3];
        if (code >= first_slice && code <= last_slice) break;
        if (code == sequence_start) headers.sequence = read_sequence(behind);
        if (code == picture_start) read_picture_header(behind, headers);
        has_picture = has_picture || code == picture_start;
        if (code != extension_start) continue;
        if (has_picture)
            read_picture_coding_extension(behind, headers);
        else if (headers.sequence)
            read_sequence_extension(behind, *headers.sequence);
    }
    return headers;
}

CompatibilityCheck::CompatibilityCheck(const CompatibilityRow& row, Rational frame_rate, double first_fullness)
    : row_(row), frame_rate_(frame_rate), first_fullness_(first_fullness) {}

void CompatibilityCheck::fail(std::int64_t display_index, const std::string& problem) const {
    throw RunError(fmt::format("--compat {}: picture {}{}", name_of(compatibility_names, row_.compatibility),
                               display_index, problem));
}

void CompatibilityCheck::begin(const MpegSequence& sequence, int vbv_delay, std::int64_t display_index) {
    std::string text;
    for (const std::string& problem : compatibility_problems(row_, sequence))
        text += (text.empty() ? "" : "; ") + problem;
    if (!text.empty()) fail(display_index, ": " + text);
    most_in_group_ = most_group_pictures(row_, sequence.frame_rate_code);
    if (buffer_) return;
    const std::int64_t size = sequence.vbv_buffer_size * static_cast<std::int64_t>(buffer_unit);
    buffer_.emplace(VbvDescription{static_cast<std::int64_t>(rate_unit) * sequence.bit_rate, size,
                                   static_cast<std::int64_t>(first_fullness_ * static_cast<double>(size)), frame_rate_,
                                   vbv_delay <= largest_vbv_delay});
}

void CompatibilityCheck::count_group(const PictureHeaders& headers, std::int64_t display_index) {
    in_group_ = headers.type == 1 ? 1 : in_group_ + 1;
    if (most_in_group_ == 0 || in_group_ <= most_in_group_) return;
    fail(display_index,
         fmt::format(" is number {} from its I picture on; at most {} are allowed", in_group_, most_in_group_));
}

void CompatibilityCheck::check_vectors(const PictureHeaders& headers, std::int64_t display_index) const {
    const int horizontal = most_horizontal_f_code(row_), vertical = most_vertical_f_code(row_);
    if (headers.horizontal_f_code <= horizontal && headers.vertical_f_code <= vertical && !headers.full_pel) return;
    fail(display_index,
         fmt::format(" has vectors of f_code {} and {}{}; at most {} and {} are allowed", headers.horizontal_f_code,
                     headers.vertical_f_code, headers.full_pel ? " in whole samples" : "", horizontal, vertical));
}

void CompatibilityCheck::check_delay(const PictureHeaders& headers, std::int64_t display_index) const {
    const bool is_constant = headers.vbv_delay <= largest_vbv_delay;
    if (row_.constant_kbps > 0 && !is_constant)
        fail(display_index, ": vbv_delay is 65535; the rate has to be constant");
    if (row_.most_delay_seconds <= 0 || !is_constant) return;
    const int most = static_cast<int>(row_.most_delay_seconds * vbv_delays_per_second);
    if (headers.vbv_delay > most)
        fail(display_index, fmt::format(": vbv_delay is {}; at most {} are allowed", headers.vbv_delay, most));
}

void CompatibilityCheck::add(std::span<const std::uint8_t> bytes, std::int64_t display_index) {
    const PictureHeaders headers = read_picture_headers(bytes);
    if (headers.sequence) begin(*headers.sequence, headers.vbv_delay, display_index);
    count_group(headers, display_index);
    check_vectors(headers, display_index);
    check_delay(headers, display_index);
    if (!buffer_) throw RunError("--compat: the stream does not begin with a sequence header");
    const auto bits = 8 * static_cast<std::int64_t>(bytes.size());
    const std::int64_t there = buffer_->fullness(), least = buffer_->least();
    if (bits >= least && buffer_->take(bits)) return;
    fail(display_index,
         fmt::format(" has {} bits, and a player's buffer bears {} to {} at its time", bits, least, there));
}

} // namespace tandem
