// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/declared_rate.h"

#include <algorithm>

#include <fmt/format.h>

namespace tandem {

DeclaredRate::DeclaredRate(const StreamPromise& promise, Rational frame_rate)
    : rate_(static_cast<double>(promise.bits_per_second)), per_picture_(rate_ / frame_rate.value()),
      size_(static_cast<double>(promise.buffer_bits)), filled_(size_) {}

void DeclaredRate::add(std::uint64_t bytes, std::int64_t display_index) {
    ++pictures_;
    const double left = filled_ - 8.0 * static_cast<double>(bytes);
    if (left < 0 && late_++ == 0) first_late_ = display_index;
    filled_ = std::min(std::max(left, 0.0) + per_picture_, size_);
}

std::string DeclaredRate::warning() const {
    if (rate_ <= 0 || late_ == 0) return {};
    return fmt::format(
        "{} of {} pictures, the first of them number {}, are larger than what the {:.0f} kbit/s that the "
        "stream declares can have brought by their time; no quantiser here is held to that",
        late_, pictures_, first_late_, rate_ / 1000);
}

} // namespace tandem
