// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx512.h"
#include "me/kernels/distortion_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

__m512i samples32(const Byte* p, __mmask32 mask) { return _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, p)); }

__m512i difference32(const Byte* a, const Byte* b, __mmask32 mask) {
    return _mm512_sub_epi16(samples32(a, mask), samples32(b, mask));
}

inline __m512i two_rows_of_16(const Byte* p, Stride stride) {
    return _mm512_cvtepu8_epi16(_mm256_inserti128_si256(_mm256_castsi128_si256(load16(p)), load16(p + stride), 1));
}

/// As in distortion_avx2.cpp: twice the sum of max(|s|, |t|), each maximum in two lanes.
__m512i horizontal_satd(__m512i row) {
    const __m512i neighbour = _mm512_rol_epi32(row, 16);
    const __m512i butterfly =
        _mm512_abs_epi16(_mm512_mask_sub_epi16(_mm512_add_epi16(row, neighbour), 0xAAAAAAAA, row, neighbour));
    return _mm512_max_epi16(butterfly, _mm512_shuffle_epi32(butterfly, _MM_PERM_CDAB));
}

/// Eight blocks of 4x4 in four rows of 32 differences; the sum of the result's lanes is twice their SATD.
__m512i satd_of_rows(__m512i r0, __m512i r1, __m512i r2, __m512i r3) {
    const __m512i a = _mm512_add_epi16(r0, r1), b = _mm512_sub_epi16(r0, r1);
    const __m512i c = _mm512_add_epi16(r2, r3), d = _mm512_sub_epi16(r2, r3);
    const __m512i s =
        _mm512_add_epi16(horizontal_satd(_mm512_add_epi16(a, c)), horizontal_satd(_mm512_sub_epi16(a, c)));
    const __m512i t =
        _mm512_add_epi16(horizontal_satd(_mm512_add_epi16(b, d)), horizontal_satd(_mm512_sub_epi16(b, d)));
    return _mm512_madd_epi16(_mm512_add_epi16(s, t), _mm512_set1_epi16(1));
}

/// SADs of a tile of at most 256 samples, columns by fours, against 64 positions, in 16-bit words: in each lane of 8,
/// `near` for the first 8 of 16 positions, `far` for the second 8.
template <int fours>
inline void sad_tile(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int height, __m512i& near, __m512i& far) {
    __m512i near_sum = _mm512_setzero_si512(), far_sum = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y) {
        const __m512i at0 = load64(reference), at8 = load64(reference + 8);
        const __m512i block0 = four_bytes(current);
        near_sum = add_sads<from_byte_0>(near_sum, block0, at0);
        far_sum = add_sads<from_byte_0>(far_sum, block0, at8);
        if constexpr (fours > 1) {
            const __m512i block1 = four_bytes(current + 4);
            near_sum = add_sads<from_byte_4>(near_sum, block1, at0);
            far_sum = add_sads<from_byte_4>(far_sum, block1, at8);
        }
        if constexpr (fours > 2) {
            const __m512i at16 = load64(reference + 16);
            const __m512i block2 = four_bytes(current + 8);
            near_sum = add_sads<from_byte_0>(near_sum, block2, at8);
            far_sum = add_sads<from_byte_0>(far_sum, block2, at16);
            if constexpr (fours > 3) {
                const __m512i block3 = four_bytes(current + 12);
                near_sum = add_sads<from_byte_4>(near_sum, block3, at8);
                far_sum = add_sads<from_byte_4>(far_sum, block3, at16);
            }
        }
        current += current_stride;
        reference += reference_stride;
    }
    near = near_sum;
    far = far_sum;
}

/// One column of samples, the rest of a width that is no multiple of 4.
void sad_column(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height,
                __m512i& near, __m512i& far) {
    near = far = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y) {
        const __m512i sample = _mm512_set1_epi8(static_cast<char>(current[y * current_stride]));
        const __m512i positions = load64(reference + y * reference_stride);
        const __m512i distance =
            _mm512_or_si512(_mm512_subs_epu8(sample, positions), _mm512_subs_epu8(positions, sample));
        near = _mm512_add_epi16(near, _mm512_unpacklo_epi8(distance, _mm512_setzero_si512()));
        far = _mm512_add_epi16(far, _mm512_unpackhi_epi8(distance, _mm512_setzero_si512()));
    }
}

/// The 64 words of two registers, lanes taken from them in turn, added to sums or stored.
template <bool add> void put_words(std::uint32_t* sums, __m512i near, __m512i far) {
    const __m512i low = _mm512_permutex2var_epi64(near, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), far);
    const __m512i high = _mm512_permutex2var_epi64(near, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), far);
    const __m512i words[4] = {
        _mm512_cvtepu16_epi32(_mm512_castsi512_si256(low)), _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(low, 1)),
        _mm512_cvtepu16_epi32(_mm512_castsi512_si256(high)), _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(high, 1))};
    for (int i = 0; i < 4; ++i) {
        std::uint32_t* to = sums + 16 * i;
        _mm512_storeu_si512(to, add ? _mm512_add_epi32(words[i], _mm512_loadu_si512(to)) : words[i]);
    }
}

/// The same for 32 positions: the low half of `both` is as `near`, the high half as `far`.
template <int fours>
void sad_narrow_tile(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int height, __m512i& both) {
    const auto load_twice = [](const Byte* p) {
        return _mm512_inserti64x4(_mm512_castsi256_si512(load32(p)), load32(p + 8), 1);
    };
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y) {
        const __m512i at0 = load_twice(reference);
        sum = add_sads<from_byte_0>(sum, four_bytes(current), at0);
        if constexpr (fours > 1) {
            sum = add_sads<from_byte_4>(sum, four_bytes(current + 4), at0);
        }
        if constexpr (fours > 2) {
            const __m512i at8 = load_twice(reference + 8);
            sum = add_sads<from_byte_0>(sum, four_bytes(current + 8), at8);
            if constexpr (fours > 3) {
                sum = add_sads<from_byte_4>(sum, four_bytes(current + 12), at8);
            }
        }
        current += current_stride;
        reference += reference_stride;
    }
    both = sum;
}

using Tile = void (*)(const Byte*, Stride, const Byte*, Stride, int, __m512i&, __m512i&);
constexpr Tile tiles[5] = {sad_column, sad_tile<1>, sad_tile<2>, sad_tile<3>, sad_tile<4>};

/// 64 positions of a block of any size, in tiles whose sums fit 16 bits.
void sad_64_positions(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                      int width, int height, std::uint32_t* sums) {
    if (width == 16 && height == 16) {
        __m512i near, far;
        sad_tile<4>(current, current_stride, reference, reference_stride, 16, near, far);
        put_words<false>(sums, near, far);
        return;
    }
    for (int x = 0; x < width;) {
        const int fours = (width - x) / 4 < 4 ? (width - x) / 4 : 4;
        const int columns = fours == 0 ? 1 : 4 * fours;
        const int most_rows = 256 / columns;
        for (int y = 0; y < height; y += most_rows) {
            __m512i near, far;
            tiles[fours](current + y * current_stride + x, current_stride, reference + y * reference_stride + x,
                         reference_stride, height - y < most_rows ? height - y : most_rows, near, far);
            if (x == 0 && y == 0)
                put_words<false>(sums, near, far);
            else
                put_words<true>(sums, near, far);
        }
        x += columns;
    }
}

/// Adds the words of a narrow tile, put in order, to 32 sums.
void add_narrow(__m512i both, __m512i& low, __m512i& high) {
    both = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7), both);
    low = _mm512_add_epi32(low, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(both)));
    high = _mm512_add_epi32(high, _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(both, 1)));
}

using NarrowTile = void (*)(const Byte*, Stride, const Byte*, Stride, int, __m512i&);
constexpr NarrowTile narrow_tiles[4] = {sad_narrow_tile<1>, sad_narrow_tile<2>, sad_narrow_tile<3>, sad_narrow_tile<4>};

/// 32 positions of a block whose width is a multiple of 4.
void sad_32_positions(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                      int width, int height, std::uint32_t* sums) {
    __m512i low = _mm512_setzero_si512(), high = _mm512_setzero_si512(), both;
    if (width == 16 && height == 16) {
        sad_narrow_tile<4>(current, current_stride, reference, reference_stride, 16, both);
        add_narrow(both, low, high);
    } else {
        for (int x = 0; x < width; x += 16) {
            const int columns = width - x < 16 ? width - x : 16;
            const int most_rows = 256 / columns;
            for (int y = 0; y < height; y += most_rows) {
                narrow_tiles[columns / 4 - 1](current + y * current_stride + x, current_stride,
                                              reference + y * reference_stride + x, reference_stride,
                                              height - y < most_rows ? height - y : most_rows, both);
                add_narrow(both, low, high);
            }
        }
    }
    _mm512_storeu_si512(sums, low);
    _mm512_storeu_si512(sums + 16, high);
}

} // namespace

std::uint32_t satd_avx512(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    if (width < 12) return satd_avx2(a, a_stride, b, b_stride, width, height);
    const int whole_width = width & ~3;
    const int whole_height = height & ~3;
    __m512i sum = _mm512_setzero_si512();
    int y = 0;
    for (; width == 16 && y + 8 <= height; y += 8) {
        const auto row = [&](int i) {
            return _mm512_sub_epi16(two_rows_of_16(a + (y + i) * a_stride, 4 * a_stride),
                                    two_rows_of_16(b + (y + i) * b_stride, 4 * b_stride));
        };
        sum = _mm512_add_epi32(sum, satd_of_rows(row(0), row(1), row(2), row(3)));
    }
    for (; y < whole_height; y += 4) {
        for (int x = 0; x < whole_width; x += 32) {
            const __mmask32 mask = first_of_32(whole_width - x);
            const Byte* pa = a + y * a_stride + x;
            const Byte* pb = b + y * b_stride + x;
            sum = _mm512_add_epi32(sum, satd_of_rows(difference32(pa, pb, mask),
                                                     difference32(pa + a_stride, pb + b_stride, mask),
                                                     difference32(pa + 2 * a_stride, pb + 2 * b_stride, mask),
                                                     difference32(pa + 3 * a_stride, pb + 3 * b_stride, mask)));
        }
    }
    std::uint32_t total = sum_of_32(sum) >> 1;
    if (whole_width < width) {
        total += sad_avx512(a + whole_width, a_stride, b + whole_width, b_stride, width - whole_width, whole_height);
    }
    if (whole_height < height) {
        total += sad_avx512(a + whole_height * a_stride, a_stride, b + whole_height * b_stride, b_stride, width,
                            height - whole_height);
    }
    return total;
}

void sad_row_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                    int width, int height, int count, std::uint32_t* sads) {
    int i = 0;
    for (; i + 64 <= count; i += 64) {
        sad_64_positions(current, current_stride, reference + i, reference_stride, width, height, sads + i);
    }
    const int rest = count - i;
    if (rest >= 32 && rest <= 36 && width % 4 == 0) {
        sad_32_positions(current, current_stride, reference + i, reference_stride, width, height, sads + i);
        i += 32;
    } else if (rest > 4) {
        alignas(64) std::uint32_t last[64];
        if (rest <= 32 && width % 4 == 0) {
            sad_32_positions(current, current_stride, reference + i, reference_stride, width, height, last);
        } else {
            sad_64_positions(current, current_stride, reference + i, reference_stride, width, height, last);
        }
        for (int n = 0; i < count; ++i, ++n)
            sads[i] = last[n];
    }
    const Byte* single[4] = {};
    for (int n = 0; n < count - i; ++n)
        single[n] = reference + i + n;
    sad_many_avx512(current, current_stride, single, reference_stride, width, height, count - i, sads + i);
}

} // namespace tandem
