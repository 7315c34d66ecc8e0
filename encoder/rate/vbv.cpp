// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/vbv.h"

#include <algorithm>
#include <stdexcept>

namespace tandem {

Vbv::Vbv(const VbvDescription& description)
    : description_(description),
      per_picture_(description.bits_per_second * description.pictures_per_second.denominator),
      size_(description.buffer_bits * description.pictures_per_second.numerator),
      filled_(description.initial_bits * description.pictures_per_second.numerator) {
    const Rational rate = description.pictures_per_second;
    const bool is_one = description.bits_per_second >= 1 && description.buffer_bits >= 1 &&
                        description.initial_bits >= 0 && description.initial_bits <= description.buffer_bits &&
                        rate.numerator >= 1 && rate.denominator >= 1;
    if (!is_one) throw std::invalid_argument("a buffer's size, rates and first fullness");
}

std::int64_t Vbv::fullness() const { return filled_ / description_.pictures_per_second.numerator; }

std::int64_t Vbv::makes_room() const {
    const std::int64_t unit = description_.pictures_per_second.numerator;
    return std::max<std::int64_t>((filled_ + per_picture_ - size_ + unit - 1) / unit, 0);
}

std::uint64_t Vbv::stuffing_bytes(std::uint64_t bits) const {
    const std::int64_t lacking = least() - static_cast<std::int64_t>(bits);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(lacking + 7, 0) / 8);
}

int Vbv::delay(std::int64_t bits_to_start_code) const {
    const std::int64_t ahead = std::max<std::int64_t>(fullness() - bits_to_start_code, 0);
    const std::int64_t periods = ahead * vbv_delays_per_second / description_.bits_per_second;
    return static_cast<int>(std::min<std::int64_t>(periods, largest_vbv_delay));
}

bool Vbv::take(std::int64_t bits) {
    const std::int64_t left = filled_ - bits * description_.pictures_per_second.numerator;
    filled_ = std::min(std::max<std::int64_t>(left, 0) + per_picture_, size_);
    return left >= 0;
}

} // namespace tandem
