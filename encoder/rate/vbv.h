// SPDX-License-Identifier: BSD-2-Clause
// The video buffering verifier: the buffer of a decoder that takes each picture out whole, at its time.
#pragma once

#include <cstdint>

#include "video/frame.h"

namespace tandem {

/// A decoder's buffer and how it is filled (13818-2 and 11172-2 annex C).
struct VbvDescription {
    std::int64_t bits_per_second = 0; ///< At which bits arrive: always so, or at most. At least 1.
    std::int64_t buffer_bits = 0;     ///< At least 1.
    std::int64_t initial_bits = 0;    ///< There when the first picture is taken out; at most buffer_bits.
    Rational pictures_per_second;
    /// Bits arrive without a pause, so that they may also be too few (13818-2 clause C.3.1). Else they pause while the
    /// buffer is full (clause C.3.2, vbv_delay 0xFFFF).
    bool constant_rate = false;
};

/// The largest vbv_delay that means a delay: 0xFFFF says that there is none.
inline constexpr int largest_vbv_delay = 0xFFFE;
/// Its unit: periods of 90 kHz.
inline constexpr int vbv_delays_per_second = 90000;

/// One buffer on its way through a stream; exact to the fraction of a bit. Rate control asks it before a picture, the
/// headers declare by it, and tests check streams with it.
///
///     Vbv vbv({1'500'000, 1'835'008, 1'835'008, {25, 1}});
///     if (bits <= vbv.fullness()) vbv.take(bits);
class Vbv {
  public:
    /// Throws std::invalid_argument for a description that is none.
    explicit Vbv(const VbvDescription& description);

    /// Whole bits that are there when the next picture is due: the most that it may have with the headers before it.
    std::int64_t fullness() const;
    /// The least bits with which it makes room for those that arrive until the one after it.
    std::int64_t makes_room() const;
    /// The least bits that it may have: makes_room(), and 0 where bits pause while there is no room.
    std::int64_t least() const { return description_.constant_rate ? makes_room() : 0; }
    /// What it lacks of these if it has so many bits.
    std::uint64_t stuffing_bytes(std::uint64_t bits) const;
    /// vbv_delay of the next picture, whose headers before it and start code are `bits_to_start_code` long: how long
    /// a decoder waits from the last of them to the picture's time. 0..0xFFFE, cut to that.
    int delay(std::int64_t bits_to_start_code) const;
    /// Takes out the next picture with its headers before and its stuffing behind. False where it was not there in
    /// time: the decoder then waits for it, and counts on from there.
    bool take(std::int64_t bits);

    const VbvDescription& description() const { return description_; }

  private:
    VbvDescription description_;
    // In bits * pictures_per_second.numerator, so that what arrives in a picture's time is a whole number.
    std::int64_t per_picture_;
    std::int64_t size_;
    std::int64_t filled_;
};

} // namespace tandem
