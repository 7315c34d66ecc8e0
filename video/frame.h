// SPDX-License-Identifier: BSD-2-Clause
// A picture of 8-bit 4:2:0 video, and what is known of the video it belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "video/plane.h"

namespace tandem {

struct Rational {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
    bool operator==(const Rational&) const = default;
};

/// Colour description by the code points of ISO/IEC 13818-2 tables 6-7 to 6-9 (the same as H.273); 2 is "unspecified".
struct ColourDescription {
    int primaries = 2;
    int transfer = 2;
    int matrix = 2;
    bool specified() const { return primaries != 2 || transfer != 2 || matrix != 2; }
    bool operator==(const ColourDescription&) const = default;
};

/// What holds for every picture of a video.
struct VideoFormat {
    int width = 0;  ///< Displayed luma samples, 1..16384.
    int height = 0; ///< Displayed luma rows, 1..16384.
    Rational frame_rate{25, 1};
    Rational sample_aspect{0, 1}; ///< Width over height of one sample; 0/1 is unknown.
    ColourDescription colour;
    std::string colours_without_code; ///< What `colour` cannot say ("primaries bt2020"); empty: nothing.
    bool full_range = false;          ///< Luma is 0 to 255, and said so, not 16 to 235.
    long rotation = 0;                ///< Degrees counter-clockwise by which the source asks players to turn pictures.
};

inline int chroma_size(int luma_size) { return (luma_size + 1) / 2; }

/// One 4:2:0 8-bit picture; owns its planes Y, Cb, Cr. Chroma planes are (size + 1) / 2.
///
///     auto grey = std::make_shared<Frame>(352, 288);
///     for (int i = 0; i < 3; ++i)
///         grey->plane(i).fill(128);
///     const FramePtr shared = grey; // not written to from here on
class Frame {
  public:
    /// Samples uninitialised; `border` luma samples on each side (chroma: (border + 1) / 2).
    Frame(int width, int height, int border = 0);

    int width() const { return planes_[0].width(); }
    int height() const { return planes_[0].height(); }
    Plane& plane(int index) { return planes_[static_cast<std::size_t>(index)]; }
    const Plane& plane(int index) const { return planes_[static_cast<std::size_t>(index)]; }
    const Plane& luma() const { return planes_[0]; }

    /// Unique in this process and never reused: a key for caches of device copies.
    std::uint64_t serial() const { return serial_; }

    void extend_border();
    /// Makes the picture larger in place, to at most the next multiples of 16, by its last columns and rows.
    void grow(int width, int height);

  private:
    std::array<Plane, 3> planes_;
    std::uint64_t serial_;
};

/// Frames are shared between stages and never written after they are shared.
using FramePtr = std::shared_ptr<const Frame>;

} // namespace tandem
