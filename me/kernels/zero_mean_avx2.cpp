// SPDX-License-Identifier: BSD-2-Clause
// Distortions that do not see brightness. Zero-mean SAD is a plain SAD of b and a - m, where that fits a byte: with c =
// a - m held to 0..255, |a - m - b| = |c - b| + |a - m - c|, since b is on the side of c where a - m is not.
#include "me/kernels/avx2.h"
#include "me/kernels/distortion_variants.h"
#include "me/kernels/position_rectangle.h"
#include "me/kernels/zero_mean.h"

namespace tandem {

namespace {

/// Sums of 64 bits, of which each lane has its own.
std::int64_t sum_of_64(__m256i v) {
    const __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return _mm_cvtsi128_si64(sum) + _mm_extract_epi64(sum, 1);
}

/// The lower half's pairs of words as sums of 64 bits; products of two blocks do not fit 32.
__m256i widened(__m256i sums_of_32) {
    const __m256i zero = _mm256_setzero_si256();
    return _mm256_add_epi64(_mm256_unpacklo_epi32(sums_of_32, zero), _mm256_unpackhi_epi32(sums_of_32, zero));
}

/// The last columns of a row, fewer than 16: the rest of the register is 0.
__m128i load_end(const Byte* p, int count) {
    alignas(16) Byte bytes[16] = {};
    __builtin_memcpy(bytes, p, static_cast<std::size_t>(count));
    return _mm_load_si128(reinterpret_cast<const __m128i*>(bytes));
}

/// Calls add(x, load) for 16 columns after the other, and for what is left: load(p) gives the samples at p + x.
template <class Add> void for_columns(int width, const Add& add) {
    int x = 0;
    for (; x + 16 <= width; x += 16)
        add(x, [](const Byte* p) { return load16(p); });
    if (x + 8 == width)
        add(x, [](const Byte* p) { return load8(p); });
    else if (x + 4 == width)
        add(x, [](const Byte* p) { return load4(p); });
    else if (x < width)
        add(x, [count = width - x](const Byte* p) { return load_end(p, count); });
}

std::int64_t sum_of_block(const Byte* p, Stride stride, int width, int height) {
    __m128i sum = _mm_setzero_si128();
    for (int y = 0; y < height; ++y) {
        for_columns(width, [&](int x, const auto& load) {
            sum = _mm_add_epi64(sum, _mm_sad_epu8(load(p + y * stride + x), _mm_setzero_si128()));
        });
    }
    return _mm_cvtsi128_si64(sum) + _mm_extract_epi64(sum, 1);
}

/// Takes a mean from samples: c = a - m held to 0..255, and how far that is off.
struct Shift {
    __m128i up, down, room; ///< Of 16 samples. What is added, what is taken off, and from where the sum overflows.

    explicit Shift(int mean)
        : up(_mm_set1_epi8(static_cast<char>(mean < 0 ? -mean : 0))),
          down(_mm_set1_epi8(static_cast<char>(mean > 0 ? mean : 0))),
          room(_mm_set1_epi8(static_cast<char>(mean < 0 ? 255 + mean : 255))) {}

    __m128i held(__m128i a) const { return _mm_subs_epu8(_mm_adds_epu8(a, up), down); }
    __m128i off(__m128i a) const { return _mm_or_si128(_mm_subs_epu8(down, a), _mm_subs_epu8(a, room)); }
};

/// Zero where a row of a block has ended: there neither the mean nor what it is off counts.
__m128i columns_left(int width, int x) {
    const __m128i numbers = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm_cmpgt_epi8(_mm_set1_epi8(static_cast<char>(width - x < 16 ? width - x : 16)), numbers);
}

std::uint32_t sad_about(int mean, const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width,
                        int height) {
    const Shift shift(mean);
    const __m128i zero = _mm_setzero_si128();
    __m128i sum = zero;
    for (int y = 0; y < height; ++y) {
        for_columns(width, [&](int x, const auto& load) {
            const __m128i of_a = load(a + y * a_stride + x), of_b = load(b + y * b_stride + x);
            __m128i held = shift.held(of_a), off = shift.off(of_a);
            if (width - x < 16) {
                const __m128i left = columns_left(width, x);
                held = _mm_and_si128(held, left);
                off = _mm_and_si128(off, left);
            }
            sum = _mm_add_epi32(sum, _mm_add_epi32(_mm_sad_epu8(held, of_b), _mm_sad_epu8(off, zero)));
        });
    }
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(sum) + _mm_extract_epi32(sum, 2));
}

constexpr int most_of_strip = 512; ///< Positions side by side that are measured together.

/// What a block that is compared with many is by itself.
struct Block {
    const Byte* samples;
    Stride stride;
    int width, height;
    int sum, least, most;     ///< Of the samples.
    std::int64_t squares = 0; ///< Their sum.

    Block(const Byte* first, Stride to_next_row, int columns, int rows)
        : samples(first), stride(to_next_row), width(columns), height(rows),
          sum(static_cast<int>(sum_of_block(first, to_next_row, columns, rows))), least(255), most(0) {
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < columns; ++x) {
                const int sample = first[y * to_next_row + x];
                least = sample < least ? sample : least;
                most = sample > most ? sample : most;
                squares += static_cast<std::int64_t>(sample) * sample;
            }
        }
    }

    int mean_to(int other_sum) const { return mean_of_differences(sum - other_sum, width * height); }
    /// Whether a - m is a byte for all its samples.
    bool fits(int mean) const { return least - mean >= 0 && most - mean <= 255; }
};

/// A block of whole registers whose samples less the mean are bytes.
std::uint32_t sad_of_held(const Block& block, int mean, const Byte* b, Stride b_stride) {
    const __m256i up = _mm256_set1_epi8(static_cast<char>(-mean)); // Modulo 256, which is right where all are bytes.
    __m256i sum = _mm256_setzero_si256();
    for (int x = 0; x < block.width; x += 16) {
        const Byte* a = block.samples + x;
        for (int y = 0; y < block.height; y += 2) {
            const auto two_rows = [y](const Byte* p, Stride stride) {
                return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(p + y * stride)),
                                               load16(p + (y + 1) * stride), 1);
            };
            const __m256i held = _mm256_add_epi8(two_rows(a, block.stride), up);
            sum = _mm256_add_epi32(sum, _mm256_sad_epu8(held, two_rows(b + x, b_stride)));
        }
    }
    return static_cast<std::uint32_t>(sum_of_64(sum));
}

std::uint32_t plain(Byte sample) { return sample; }
std::uint32_t square(Byte sample) { return static_cast<std::uint32_t>(sample) * sample; }

/// Sums over the blocks at positions side by side of a function of their samples, kept up to date from row to row. At
/// most 128 * 128 * 255^2, which fits.
template <std::uint32_t (*value)(Byte)> class SlidingSums {
  public:
    /// `first` is that of the first row.
    SlidingSums(const Byte* first, Stride stride, int width, int height, int count)
        : at_(first), stride_(stride), width_(width), height_(height), count_(count) {
        const int columns = count + width - 1;
        for (int x = 0; x < columns; ++x)
            of_columns_[x] = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < columns; ++x)
                of_columns_[x] += value(first[y * stride + x]);
        add_up();
    }
    void move_down() {
        const Byte* below = at_ + height_ * stride_;
        for (int x = 0; x < count_ + width_ - 1; ++x)
            of_columns_[x] += value(below[x]) - value(at_[x]);
        at_ += stride_;
        add_up();
    }
    std::uint32_t operator[](int position) const { return sums_[position]; }

  private:
    void add_up() {
        std::uint32_t sum = 0;
        for (int x = 0; x < width_ - 1; ++x)
            sum += of_columns_[x];
        for (int i = 0; i < count_; ++i) {
            sum += of_columns_[i + width_ - 1];
            sums_[i] = sum;
            sum -= of_columns_[i];
        }
    }

    const Byte* at_;
    Stride stride_;
    int width_, height_, count_;
    std::uint32_t of_columns_[most_of_strip + largest_block];
    std::uint32_t sums_[most_of_strip];
};

/// A strip of columns of positions, all rows.
void zsads_of_strip(const Block& block, const PositionRectangle& strip, int first_column, Within& good) {
    SlidingSums<plain> sums(strip.reference, strip.stride, block.width, block.height, strip.columns);
    const bool whole_registers = block.width % 16 == 0 && block.height % 2 == 0;
    for (int row = 0; row < strip.rows; ++row) {
        if (row > 0) sums.move_down();
        if (!good.wants(row)) continue;
        for (int column = 0; column < strip.columns; ++column) {
            const Byte* there = strip.reference + row * strip.stride + column;
            const int mean = block.mean_to(static_cast<int>(sums[column]));
            const std::uint32_t zsad =
                whole_registers && block.fits(mean)
                    ? sad_of_held(block, mean, there, strip.stride)
                    : sad_about(mean, block.samples, block.stride, there, strip.stride, block.width, block.height);
            good.take_one(zsad, first_column + column, row);
        }
    }
}

/// The same by squared differences: 2 ab = a^2 + b^2 - (a - b)^2.
void nccs_of_strip(const Block& block, const PositionRectangle& strip, int first_column, Within& good) {
    constexpr int beyond = 63; // What the kernel of squares may write.
    const int samples = block.width * block.height;
    SlidingSums<plain> sums(strip.reference, strip.stride, block.width, block.height, strip.columns);
    SlidingSums<square> squares(strip.reference, strip.stride, block.width, block.height, strip.columns);
    std::uint32_t ssds[most_of_strip + beyond];
    for (int row = 0; row < strip.rows; ++row) {
        if (row > 0) {
            sums.move_down();
            squares.move_down();
        }
        if (!good.wants(row)) continue;
        all_ssds_avx2(block.samples, block.stride, strip.reference + row * strip.stride, strip.stride, block.width,
                      block.height, strip.columns, 1, ssds, strip.columns);
        for (int column = 0; column < strip.columns; ++column) {
            const std::int64_t bb = squares[column];
            good.take_one(uncorrelated({block.sum, sums[column], block.squares, bb,
                                        (block.squares + bb - std::int64_t{ssds[column]}) / 2},
                                       samples),
                          first_column + column, row);
        }
    }
}

/// Calls measure_strip() for one strip of a rectangle after the other.
template <void (*measure_strip)(const Block&, const PositionRectangle&, int, Within&)>
int within_strips(const Block& block, const PositionRectangle& all, const std::int32_t* limits,
                  MeasuredPosition* found) {
    Within good(limits, found);
    for (int first = 0; first < all.columns; first += most_of_strip) {
        const int count = all.columns - first < most_of_strip ? all.columns - first : most_of_strip;
        measure_strip(block, {all.reference + first, all.stride, count, all.rows}, first, good);
    }
    return good.count_from(found);
}

} // namespace

std::uint32_t zsad_avx2(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    const auto difference = static_cast<int>(sum_of_block(a, a_stride, width, height)) -
                            static_cast<int>(sum_of_block(b, b_stride, width, height));
    return sad_about(mean_of_differences(difference, width * height), a, a_stride, b, b_stride, width, height);
}

int zsads_within_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                      int width, int height, int columns, int rows, const std::int32_t* limits,
                      MeasuredPosition* found) {
    return within_strips<zsads_of_strip>({current, current_stride, width, height},
                                         {reference, reference_stride, columns, rows}, limits, found);
}

std::uint32_t ncc_avx2(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i aa = zero, bb = zero, ab = zero;
    for (int y = 0; y < height; ++y) {
        for_columns(width, [&](int x, const auto& load) {
            const __m256i of_a = _mm256_cvtepu8_epi16(load(a + y * a_stride + x));
            const __m256i of_b = _mm256_cvtepu8_epi16(load(b + y * b_stride + x));
            aa = _mm256_add_epi32(aa, _mm256_madd_epi16(of_a, of_a));
            bb = _mm256_add_epi32(bb, _mm256_madd_epi16(of_b, of_b));
            ab = _mm256_add_epi32(ab, _mm256_madd_epi16(of_a, of_b));
        });
    }
    const CorrelationSums sums{sum_of_block(a, a_stride, width, height), sum_of_block(b, b_stride, width, height),
                               sum_of_64(widened(aa)), sum_of_64(widened(bb)), sum_of_64(widened(ab))};
    return uncorrelated(sums, width * height);
}

int nccs_within_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int columns, int rows, const std::int32_t* limits,
                     MeasuredPosition* found) {
    return within_strips<nccs_of_strip>({current, current_stride, width, height},
                                        {reference, reference_stride, columns, rows}, limits, found);
}

} // namespace tandem
