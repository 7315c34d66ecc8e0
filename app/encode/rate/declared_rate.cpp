// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/declared_rate.h"

#include <fmt/format.h>

namespace tandem {

DeclaredRate::DeclaredRate(const StreamPromise& promise, Rational frame_rate) {
    if (promise.bits_per_second > 0 && promise.buffer_bits > 0)
        buffer_.emplace(VbvDescription{promise.bits_per_second, promise.buffer_bits, promise.buffer_bits, frame_rate});
}

void DeclaredRate::add(std::uint64_t bytes, std::int64_t display_index) {
    ++pictures_;
    if (!buffer_ || buffer_->take(8 * static_cast<std::int64_t>(bytes))) return;
    if (late_++ == 0) first_late_ = display_index;
}

std::string DeclaredRate::warning() const {
    if (late_ == 0) return {};
    return fmt::format(
        "{} of {} pictures, the first of them number {}, are larger than what the {:.0f} kbit/s that the "
        "stream declares can have brought by their time; --vbv-maxrate and --vbv-bufsize hold a stream to that",
        late_, pictures_, first_late_, static_cast<double>(buffer_->description().bits_per_second) / 1000);
}

} // namespace tandem
