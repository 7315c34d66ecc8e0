// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

__m512i load64(const Byte* p) { return _mm512_loadu_si512(p); }
__m256i load32(const Byte* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
__m128i load16(const Byte* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }

/// The first n of 64 or of 32 lanes.
__mmask64 first_of_64(int n) { return n >= 64 ? ~__mmask64{0} : (__mmask64{1} << n) - 1; }
__mmask32 first_of_32(int n) { return n >= 32 ? ~__mmask32{0} : (__mmask32{1} << n) - 1; }

/// Four rows of 16 samples side by side.
__m512i load_four_rows(const Byte* p, Stride stride) {
    const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(load16(p)), load16(p + stride), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(two, load16(p + 2 * stride), 2), load16(p + 3 * stride), 3);
}

std::uint32_t sum_of_32(__m512i v) { return static_cast<std::uint32_t>(_mm512_reduce_add_epi32(v)); }

/// Eight rows of 8 samples side by side.
__m512i load_eight_rows(const Byte* p, Stride stride) {
    const auto two = [&](int y) {
        const __m128i upper = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + y * stride));
        return _mm_unpacklo_epi64(upper, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + (y + 1) * stride)));
    };
    const __m512i half = _mm512_inserti32x4(_mm512_castsi128_si512(two(0)), two(2), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(half, two(4), 2), two(6), 3);
}

/// A block of at most 256 samples, 16 or 8 wide, in tiles of 64 samples.
template <int width, int tiles> struct Block {
    static constexpr int rows = 64 / width;
    Block(const Byte* p, Stride stride) {
        for (int k = 0; k < tiles; ++k)
            at[k] = load(p + k * rows * stride, stride);
    }
    static __m512i load(const Byte* p, Stride stride) {
        return width == 16 ? load_four_rows(p, stride) : load_eight_rows(p, stride);
    }
    __m512i at[tiles];
};

/// 8 partial sums of 64 bits, each below 2^16.
template <int width, int tiles>
[[gnu::always_inline]] inline __m512i sad_lanes(const Block<width, tiles>& block, const Byte* reference,
                                                Stride stride) {
    constexpr int rows = Block<width, tiles>::rows;
    __m512i sum = _mm512_sad_epu8(block.at[0], block.load(reference, stride));
    for (int k = 1; k < tiles; ++k)
        sum = _mm512_add_epi32(sum, _mm512_sad_epu8(block.at[k], block.load(reference + k * rows * stride, stride)));
    return sum;
}

/// Two of those in one register: the 32-bit lanes belong to a and b by turns.
__m512i pair_sums(__m512i a, __m512i b) { return _mm512_or_si512(a, _mm512_slli_epi64(b, 32)); }

/// The four sums of two such pairs, in order.
__m128i sums_of_four(__m512i first, __m512i second) {
    const auto folded = [](__m512i v) {
        const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
        return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    };
    const __m128i a = folded(first), b = folded(second);
    return _mm_add_epi32(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
}

__m512i samples32(const Byte* p, __mmask32 mask) { return _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, p)); }

__m512i difference32(const Byte* a, const Byte* b, __mmask32 mask) {
    return _mm512_sub_epi16(samples32(a, mask), samples32(b, mask));
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

/// vdbpsadbw sums 4 samples of each of 8 positions in a lane of 16 bytes; its control picks which of the lane's
/// four-byte words stand under positions 0-1, 2-3, 4-5, 6-7: words 0 1 1 2 for positions from byte 0, words 1 2 2 3
/// from byte 4.
constexpr int from_byte_0 = 0x94;
constexpr int from_byte_4 = 0xE9;

__m512i four_samples(const Byte* p) {
    int word;
    __builtin_memcpy(&word, p, sizeof word);
    return _mm512_set1_epi32(word);
}

/// SADs of a tile of at most 256 samples, columns by fours, against 64 positions, in 16-bit words: in each lane of 8,
/// `near` for the first 8 of 16 positions, `far` for the second 8.
template <int fours>
inline void sad_tile(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int height, __m512i& near, __m512i& far) {
    __m512i near_sum = _mm512_setzero_si512(), far_sum = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y) {
        const __m512i at0 = load64(reference), at8 = load64(reference + 8);
        const __m512i block0 = four_samples(current);
        near_sum = _mm512_adds_epu16(near_sum, _mm512_dbsad_epu8(block0, at0, from_byte_0));
        far_sum = _mm512_adds_epu16(far_sum, _mm512_dbsad_epu8(block0, at8, from_byte_0));
        if constexpr (fours > 1) {
            const __m512i block1 = four_samples(current + 4);
            near_sum = _mm512_adds_epu16(near_sum, _mm512_dbsad_epu8(block1, at0, from_byte_4));
            far_sum = _mm512_adds_epu16(far_sum, _mm512_dbsad_epu8(block1, at8, from_byte_4));
        }
        if constexpr (fours > 2) {
            const __m512i at16 = load64(reference + 16);
            const __m512i block2 = four_samples(current + 8);
            near_sum = _mm512_adds_epu16(near_sum, _mm512_dbsad_epu8(block2, at8, from_byte_0));
            far_sum = _mm512_adds_epu16(far_sum, _mm512_dbsad_epu8(block2, at16, from_byte_0));
            if constexpr (fours > 3) {
                const __m512i block3 = four_samples(current + 12);
                near_sum = _mm512_adds_epu16(near_sum, _mm512_dbsad_epu8(block3, at8, from_byte_4));
                far_sum = _mm512_adds_epu16(far_sum, _mm512_dbsad_epu8(block3, at16, from_byte_4));
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
        sum = _mm512_adds_epu16(sum, _mm512_dbsad_epu8(four_samples(current), at0, from_byte_0));
        if constexpr (fours > 1) {
            sum = _mm512_adds_epu16(sum, _mm512_dbsad_epu8(four_samples(current + 4), at0, from_byte_4));
        }
        if constexpr (fours > 2) {
            const __m512i at8 = load_twice(reference + 8);
            sum = _mm512_adds_epu16(sum, _mm512_dbsad_epu8(four_samples(current + 8), at8, from_byte_0));
            if constexpr (fours > 3) {
                sum = _mm512_adds_epu16(sum, _mm512_dbsad_epu8(four_samples(current + 12), at8, from_byte_4));
            }
        }
        current += current_stride;
        reference += reference_stride;
    }
    both = sum;
}

template <int width, int tiles>
void sad_blocks(const Byte* current, Stride current_stride, const Byte* const* references, Stride stride, int n,
                std::uint32_t* sads) {
    const Block<width, tiles> block(current, current_stride);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const Byte* const* p = references + i;
        const __m512i even = pair_sums(sad_lanes(block, p[0], stride), sad_lanes(block, p[1], stride));
        const __m512i odd = pair_sums(sad_lanes(block, p[2], stride), sad_lanes(block, p[3], stride));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + i), sums_of_four(even, odd));
    }
    for (; i < n; ++i)
        sads[i] = sum_of_32(sad_lanes(block, references[i], stride));
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

std::uint32_t sad_avx512(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    __m512i sum = _mm512_setzero_si512();
    int y = 0;
    if (width == 16) {
        for (; y + 4 <= height; y += 4) {
            sum = _mm512_add_epi32(sum, _mm512_sad_epu8(load_four_rows(a + y * a_stride, a_stride),
                                                        load_four_rows(b + y * b_stride, b_stride)));
        }
    }
    for (; y < height; ++y) {
        for (int x = 0; x < width; x += 64) {
            const __mmask64 mask = first_of_64(width - x);
            sum = _mm512_add_epi32(sum, _mm512_sad_epu8(_mm512_maskz_loadu_epi8(mask, a + y * a_stride + x),
                                                        _mm512_maskz_loadu_epi8(mask, b + y * b_stride + x)));
        }
    }
    return sum_of_32(sum);
}

std::uint32_t ssd_avx512(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; x += 32) {
            const __m512i difference = difference32(a + y * a_stride + x, b + y * b_stride + x, first_of_32(width - x));
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(difference, difference));
        }
    }
    return sum_of_32(sum);
}

std::uint32_t satd_avx512(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    const int whole_width = width & ~3;
    const int whole_height = height & ~3;
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < whole_height; y += 4) {
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

void sad_many_avx512(const Byte* current, Stride current_stride, const Byte* const* references, Stride reference_stride,
                     int width, int height, int n, std::uint32_t* sads) {
    const auto measured_as = [&](auto blocks) {
        blocks(current, current_stride, references, reference_stride, n, sads);
    };
    if (width == 16 && height == 16) return measured_as(sad_blocks<16, 4>);
    if (width == 16 && height == 8) return measured_as(sad_blocks<16, 2>);
    if (width == 8 && height == 16) return measured_as(sad_blocks<8, 2>);
    if (width == 8 && height == 8) return measured_as(sad_blocks<8, 1>);
    for (int i = 0; i < n; ++i)
        sads[i] = sad_avx512(current, current_stride, references[i], reference_stride, width, height);
}

} // namespace tandem
