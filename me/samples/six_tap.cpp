// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/six_tap.h"

#include <algorithm>
#include <cstdint>

#include "machine/workers.h"
#include "me/samples/plane_area.h"

namespace tandem {

namespace {

constexpr int left_taps = 2, right_taps = 3;

template <class Number> int taps(Number a, Number b, Number c, Number d, Number e, Number f) {
    return a - 5 * b + 20 * c + 20 * d - 5 * e + f;
}

std::uint8_t clipped(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

/// A row of numbers with room for the taps beyond its ends, which repeat the first and the last one.
class WideRow {
  public:
    explicit WideRow(int width) : numbers_(static_cast<std::size_t>(width + left_taps + right_taps)), width_(width) {}
    std::int16_t* begin() { return numbers_.data() + left_taps; }
    void extend() {
        std::fill(numbers_.begin(), numbers_.begin() + left_taps, begin()[0]);
        std::fill(begin() + width_, begin() + width_ + right_taps, begin()[width_ - 1]);
    }

  private:
    std::vector<std::int16_t> numbers_;
    int width_;
};

void filter_horizontally(const std::int16_t* from, int width, int rounding, int shift, std::uint8_t* to) {
    for (int x = 0; x < width; ++x) {
        const int sum = taps<int>(from[x - 2], from[x - 1], from[x], from[x + 1], from[x + 2], from[x + 3]);
        to[x] = clipped((sum + rounding) >> shift);
    }
}

/// The unrounded vertical sums of row y.
void filter_vertically(const PlaneArea& whole, int y, std::int16_t* to) {
    const std::uint8_t *a = whole.row(y - 2), *b = whole.row(y - 1), *c = whole.row(y), *d = whole.row(y + 1),
                       *e = whole.row(y + 2), *f = whole.row(y + 3);
    for (int x = 0; x < whole.width(); ++x) {
        to[x] = static_cast<std::int16_t>(taps<int>(a[x], b[x], c[x], d[x], e[x], f[x]));
    }
}

/// Clause 8.4.2.2.1: b, h and j.
void make_half_pels(const PlaneArea& whole, int first, int end, const PlaneArea& horizontal, const PlaneArea& vertical,
                    const PlaneArea& middle) {
    WideRow row(whole.width());
    for (int y = first; y < end; ++y) {
        std::copy_n(whole.row(y), whole.width(), row.begin());
        row.extend();
        filter_horizontally(row.begin(), whole.width(), 16, 5, horizontal.row(y));
        filter_vertically(whole, y, row.begin());
        row.extend();
        std::uint8_t* const out = vertical.row(y);
        for (int x = 0; x < whole.width(); ++x)
            out[x] = clipped((row.begin()[x] + 16) >> 5);
        filter_horizontally(row.begin(), whole.width(), 512, 10, middle.row(y));
    }
}

/// Whole samples, 0 or 1.
struct WholeOffset {
    int x, y;
};

/// The rounded mean of plane `a` displaced by `at` and of `b` displaced by `bt`.
void mean(const PlaneArea& a, WholeOffset at, const PlaneArea& b, WholeOffset bt, int first, int end,
          const PlaneArea& out) {
    const int width = out.width();
    for (int y = first; y < end; ++y) {
        const std::uint8_t *row_a = a.row(y + at.y), *row_b = b.row(y + bt.y);
        std::uint8_t* const to = out.row(y);
        const auto between = [&](int xa, int xb) {
            return static_cast<std::uint8_t>((row_a[xa] + row_b[xb] + 1) >> 1);
        };
        for (int x = 0; x < width - 1; ++x)
            to[x] = between(x + at.x, x + bt.x);
        to[width - 1] = between(width - 1, width - 1);
    }
}

/// Quarter-pels from the half-pel planes, which stand at the even positions of the 4x4 grid.
void make_quarter_pels(const std::vector<PlaneArea>& planes, int first, int end) {
    // A position of the grid, 0..4: plane and whole offset.
    const auto plane_at = [&](int fx, int fy) -> const PlaneArea& {
        return planes[static_cast<std::size_t>((fy & 3) * 4 + (fx & 3))];
    };
    const auto offset_at = [](int fx, int fy) { return WholeOffset{fx >> 2, fy >> 2}; };
    const auto mean_of = [&](int ax, int ay, int bx, int by, int fx, int fy) {
        mean(plane_at(ax, ay), offset_at(ax, ay), plane_at(bx, by), offset_at(bx, by), first, end, plane_at(fx, fy));
    };
    for (int fy = 0; fy < 4; ++fy) {
        for (int fx = 0; fx < 4; ++fx) {
            if (fx % 2 == 0 && fy % 2 == 0) continue;
            if (fy % 2 == 0)
                mean_of(fx - 1, fy, fx + 1, fy, fx, fy);
            else if (fx % 2 == 0)
                mean_of(fx, fy - 1, fx, fy + 1, fx, fy);
            else
                mean_of(2, fy - 1 + (fy == 3 ? 2 : 0), fx - 1 + (fx == 3 ? 2 : 0), 2, fx, fy);
        }
    }
}

} // namespace

void interpolate_six_tap(std::vector<Plane>& planes, int precision, Workers* workers) {
    const std::vector<PlaneArea> areas(planes.begin(), planes.end());
    const int rows = areas[0].height();
    const int samples = planes[0].width() * precision * precision; // Of all planes.
    const auto half_pels = [&](std::size_t horizontal, std::size_t vertical, std::size_t middle) {
        for_bands(workers, rows, samples, [&](int first, int end) {
            make_half_pels(areas[0], first, end, areas[horizontal], areas[vertical], areas[middle]);
        });
    };
    if (precision == 2) {
        half_pels(1, 2, 3);
    } else if (precision == 4) {
        half_pels(2, 8, 10);
        for_bands(workers, rows, samples, [&](int first, int end) { make_quarter_pels(areas, first, end); });
    }
}

} // namespace tandem
