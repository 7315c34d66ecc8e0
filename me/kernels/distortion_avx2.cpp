// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/row_pairs_avx2.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

/// Rows p and p + stride of 16 samples side by side.
__m256i load_two_rows(const Byte* p, Stride stride) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(p)), load16(p + stride), 1);
}

std::uint32_t sum_of_32(__m256i v) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(sum));
}

/// A block of 8x8, whose rows stay in registers of two: to put four side by side would take longer than it saves.
struct Block8x8 {
    __m128i rows[4];
    Block8x8(const Byte* p, Stride stride) {
        for (int i = 0; i < 4; ++i)
            rows[i] = load_pair(p + 2 * i * stride, stride);
    }
    static __m128i load_pair(const Byte* p, Stride stride) {
        const __m128 upper = _mm_castsi128_ps(load8(p));
        return _mm_castps_si128(_mm_loadh_pi(upper, reinterpret_cast<const __m64*>(p + stride)));
    }
    std::uint32_t sad(const Byte* p, Stride stride) const {
        const auto pair = [&](int i) { return _mm_sad_epu8(rows[i], load_pair(p + 2 * i * stride, stride)); };
        const __m128i sum = _mm_add_epi32(_mm_add_epi32(pair(0), pair(1)), _mm_add_epi32(pair(2), pair(3)));
        return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum))));
    }
};

void sads_of_8x8(const Block8x8& block, const Byte* const* references, Stride stride, int n, std::uint32_t* sads) {
    for (int i = 0; i < n; ++i)
        sads[i] = block.sad(references[i], stride);
}

/// By fours, whose sums become numbers together, and what is left one by one.
void sads_of_16x16(const RowPairs& block, const Byte* const* references, Stride stride, int n, std::uint32_t* sads) {
    const __m256i none = _mm256_setzero_si256();
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i sums[4] = {none, none, none, none};
#pragma GCC unroll 8
        for (int y = 0; y < 8; ++y) {
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k)
                add_sads(sums[k], block.at[y], RowPairs::pair(references[i + k] + y * stride, stride));
        }
        store_words(words_of_sums(sums[0], sums[1], sums[2], sums[3]), sads + i);
    }
    for (; i < n; ++i) {
        __m256i sum = none;
#pragma GCC unroll 8
        for (int y = 0; y < 8; ++y)
            add_sads(sum, block.at[y], RowPairs::pair(references[i] + y * stride, stride));
        sads[i] = sum_of_32(sum);
    }
}

std::uint32_t sad_16_wide(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int height) {
    __m256i sum = _mm256_setzero_si256();
    int y = 0;
    for (; y + 2 <= height; y += 2) {
        sum = _mm256_add_epi32(
            sum, _mm256_sad_epu8(load_two_rows(a + y * a_stride, a_stride), load_two_rows(b + y * b_stride, b_stride)));
    }
    if (y < height) {
        const __m128i last = _mm_sad_epu8(load16(a + y * a_stride), load16(b + y * b_stride));
        sum = _mm256_add_epi32(sum, _mm256_zextsi128_si256(last));
    }
    return sum_of_32(sum);
}

/// Columns first..width-1 of one row, fewer than 32.
__m128i sad_of_row_end(const Byte* a, const Byte* b, int first, int width) {
    __m128i sum = _mm_setzero_si128();
    int x = first;
    for (; x + 16 <= width; x += 16)
        sum = _mm_add_epi32(sum, _mm_sad_epu8(load16(a + x), load16(b + x)));
    for (; x + 8 <= width; x += 8)
        sum = _mm_add_epi32(sum, _mm_sad_epu8(load8(a + x), load8(b + x)));
    for (; x + 4 <= width; x += 4)
        sum = _mm_add_epi32(sum, _mm_sad_epu8(load4(a + x), load4(b + x)));
    for (; x < width; ++x)
        sum = _mm_add_epi32(sum, _mm_sad_epu8(_mm_cvtsi32_si128(a[x]), _mm_cvtsi32_si128(b[x])));
    return sum;
}

/// 8 squared differences of 16-bit samples, added by pairs.
__m256i squares(__m128i a, __m128i b) {
    const __m256i difference = _mm256_sub_epi16(_mm256_cvtepu8_epi16(a), _mm256_cvtepu8_epi16(b));
    return _mm256_madd_epi16(difference, difference);
}

/// What is left of a Hadamard transform of rows of 4-sample groups after the vertical pass: the sum of the absolute
/// coefficients is twice the sum of max(|s|, |t|) over the last butterflies' inputs, and every maximum appears in two
/// lanes.
__m256i horizontal_satd(__m256i row) {
    const __m256i neighbour = _mm256_or_si256(_mm256_slli_epi32(row, 16), _mm256_srli_epi32(row, 16));
    const __m256i butterfly =
        _mm256_abs_epi16(_mm256_blend_epi16(_mm256_add_epi16(row, neighbour), _mm256_sub_epi16(row, neighbour), 0xAA));
    return _mm256_max_epi16(butterfly, _mm256_shuffle_epi32(butterfly, 0xB1));
}

/// Four rows of 16 differences: four blocks of 4x4. The sum of the result's lanes is twice their SATD.
__m256i satd_of_rows(__m256i r0, __m256i r1, __m256i r2, __m256i r3) {
    const __m256i a = _mm256_add_epi16(r0, r1), b = _mm256_sub_epi16(r0, r1);
    const __m256i c = _mm256_add_epi16(r2, r3), d = _mm256_sub_epi16(r2, r3);
    const __m256i s =
        _mm256_add_epi16(horizontal_satd(_mm256_add_epi16(a, c)), horizontal_satd(_mm256_sub_epi16(a, c)));
    const __m256i t =
        _mm256_add_epi16(horizontal_satd(_mm256_add_epi16(b, d)), horizontal_satd(_mm256_sub_epi16(b, d)));
    return _mm256_madd_epi16(_mm256_add_epi16(s, t), _mm256_set1_epi16(1));
}

__m256i difference16(const Byte* a, const Byte* b) {
    return _mm256_sub_epi16(_mm256_cvtepu8_epi16(load16(a)), _mm256_cvtepu8_epi16(load16(b)));
}
__m256i difference8(const Byte* a, const Byte* b) {
    return _mm256_sub_epi16(_mm256_cvtepu8_epi16(load8(a)), _mm256_cvtepu8_epi16(load8(b)));
}
__m256i difference4(const Byte* a, const Byte* b) {
    return _mm256_sub_epi16(_mm256_cvtepu8_epi16(load4(a)), _mm256_cvtepu8_epi16(load4(b)));
}

template <__m256i (*difference)(const Byte*, const Byte*)>
__m256i satd_of_four_rows(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride) {
    return satd_of_rows(difference(a, b), difference(a + a_stride, b + b_stride),
                        difference(a + 2 * a_stride, b + 2 * b_stride), difference(a + 3 * a_stride, b + 3 * b_stride));
}

/// Rows 0 to 3 and 4 to 7 side by side.
__m256i satd_8x8(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride) {
    const auto row = [&](int y) {
        const __m128i of_a = _mm_unpacklo_epi64(load8(a + y * a_stride), load8(a + (y + 4) * a_stride));
        const __m128i of_b = _mm_unpacklo_epi64(load8(b + y * b_stride), load8(b + (y + 4) * b_stride));
        return _mm256_sub_epi16(_mm256_cvtepu8_epi16(of_a), _mm256_cvtepu8_epi16(of_b));
    };
    return satd_of_rows(row(0), row(1), row(2), row(3));
}

/// SADs of a tile of at most 256 samples, columns by fours, against 32 positions: 16-bit words in the order of mpsadbw,
/// `near` for positions 0..7 and 16..23, `far` for the others.
template <int fours>
void sad_tile(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height,
              __m256i& near, __m256i& far) {
    near = far = _mm256_setzero_si256();
    for (int y = 0; y < height; ++y) {
        __m256i block;
        if constexpr (fours > 2)
            block = _mm256_broadcastsi128_si256(load16(current));
        else
            block = _mm256_broadcastsi128_si256(fours == 2 ? load8(current) : load4(current));
        const __m256i at0 = load32(reference), at8 = load32(reference + 8);
        // Bits 0-1 and 3-4 of the control choose the four samples of the block, bits 2 and 5 the offset 4 of the
        // positions.
        near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(at0, block, 0x00));
        far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(at8, block, 0x00));
        if constexpr (fours > 1) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(at0, block, 0x2D));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(at8, block, 0x2D));
        }
        if constexpr (fours > 2) {
            const __m256i at16 = load32(reference + 16);
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(at8, block, 0x12));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(at16, block, 0x12));
            if constexpr (fours > 3) {
                near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(at8, block, 0x3F));
                far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(at16, block, 0x3F));
            }
        }
        current += current_stride;
        reference += reference_stride;
    }
}

/// One column of samples, the rest of a width that is no multiple of 4.
void sad_column(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height,
                __m256i& near, __m256i& far) {
    near = far = _mm256_setzero_si256();
    for (int y = 0; y < height; ++y) {
        const __m256i sample = _mm256_set1_epi8(static_cast<char>(current[y * current_stride]));
        const __m256i positions = load32(reference + y * reference_stride);
        const __m256i distance =
            _mm256_or_si256(_mm256_subs_epu8(sample, positions), _mm256_subs_epu8(positions, sample));
        near = _mm256_add_epi16(near, _mm256_unpacklo_epi8(distance, _mm256_setzero_si256()));
        far = _mm256_add_epi16(far, _mm256_unpackhi_epi8(distance, _mm256_setzero_si256()));
    }
}

/// Adds 8 words to 8 sums.
void add_words(std::uint32_t* sums, __m128i words) {
    __m256i* to = reinterpret_cast<__m256i*>(sums);
    _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), _mm256_cvtepu16_epi32(words)));
}

using Tile = void (*)(const Byte*, Stride, const Byte*, Stride, int, __m256i&, __m256i&);
constexpr Tile tiles[5] = {sad_column, sad_tile<1>, sad_tile<2>, sad_tile<3>, sad_tile<4>};

/// 32 positions of a block of any size, in tiles whose sums fit 16 bits.
void sad_32_positions(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                      int width, int height, std::uint32_t* sums) {
    for (int i = 0; i < 32; i += 8)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + i), _mm256_setzero_si256());
    for (int x = 0; x < width;) {
        const int fours = (width - x) / 4 < 4 ? (width - x) / 4 : 4;
        const int columns = fours == 0 ? 1 : 4 * fours;
        const int most_rows = 256 / columns;
        for (int y = 0; y < height; y += most_rows) {
            __m256i near, far;
            tiles[fours](current + y * current_stride + x, current_stride, reference + y * reference_stride + x,
                         reference_stride, height - y < most_rows ? height - y : most_rows, near, far);
            add_words(sums, _mm256_castsi256_si128(near));
            add_words(sums + 8, _mm256_castsi256_si128(far));
            add_words(sums + 16, _mm256_extracti128_si256(near, 1));
            add_words(sums + 24, _mm256_extracti128_si256(far, 1));
        }
        x += columns;
    }
}

/// A width that the compiler knows, unless `known` is 0.
template <int known>
std::uint32_t sad_of_width(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int any, int height) {
    const int width = known > 0 ? known : any;
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < height; ++y, a += a_stride, b += b_stride) {
        int x = 0;
        for (; x + 32 <= width; x += 32)
            sum = _mm256_add_epi32(sum, _mm256_sad_epu8(load32(a + x), load32(b + x)));
        if (x < width) sum = _mm256_add_epi32(sum, _mm256_zextsi128_si256(sad_of_row_end(a, b, x, width)));
    }
    return sum_of_32(sum);
}

template <int known>
std::uint32_t ssd_of_width(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int any, int height) {
    const int width = known > 0 ? known : any;
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < height; ++y, a += a_stride, b += b_stride) {
        int x = 0;
        for (; x + 16 <= width; x += 16)
            sum = _mm256_add_epi32(sum, squares(load16(a + x), load16(b + x)));
        for (; x + 8 <= width; x += 8)
            sum = _mm256_add_epi32(sum, squares(load8(a + x), load8(b + x)));
        for (; x + 4 <= width; x += 4)
            sum = _mm256_add_epi32(sum, squares(load4(a + x), load4(b + x)));
        for (; x < width; ++x) {
            const int difference = a[x] - b[x];
            sum = _mm256_add_epi32(sum, _mm256_zextsi128_si256(_mm_cvtsi32_si128(difference * difference)));
        }
    }
    return sum_of_32(sum);
}

/// Usual widths are known to the compiler.
template <class Measure> std::uint32_t by_width(int width, const Measure& measure) {
    switch (width) {
    case 4:
        return measure.template operator()<4>();
    case 8:
        return measure.template operator()<8>();
    case 16:
        return measure.template operator()<16>();
    case 32:
        return measure.template operator()<32>();
    case 64:
        return measure.template operator()<64>();
    default:
        return measure.template operator()<0>();
    }
}

} // namespace

std::uint32_t sad_avx2(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    if (width == 16) return sad_16_wide(a, a_stride, b, b_stride, height);
    return by_width(width, [&]<int known>() { return sad_of_width<known>(a, a_stride, b, b_stride, width, height); });
}

std::uint32_t ssd_avx2(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    return by_width(width, [&]<int known>() { return ssd_of_width<known>(a, a_stride, b, b_stride, width, height); });
}

std::uint32_t satd_avx2(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    const int whole_width = width & ~3;
    const int whole_height = height & ~3;
    __m256i sum = _mm256_setzero_si256();
    int y = 0;
    for (; width == 8 && y + 8 <= height; y += 8)
        sum = _mm256_add_epi32(sum, satd_8x8(a + y * a_stride, a_stride, b + y * b_stride, b_stride));
    for (; y < whole_height; y += 4) {
        const Byte* pa = a + y * a_stride;
        const Byte* pb = b + y * b_stride;
        int x = 0;
        for (; x + 16 <= whole_width; x += 16) {
            sum = _mm256_add_epi32(sum, satd_of_four_rows<difference16>(pa + x, a_stride, pb + x, b_stride));
        }
        for (; x + 8 <= whole_width; x += 8) {
            sum = _mm256_add_epi32(sum, satd_of_four_rows<difference8>(pa + x, a_stride, pb + x, b_stride));
        }
        for (; x < whole_width; x += 4) {
            sum = _mm256_add_epi32(sum, satd_of_four_rows<difference4>(pa + x, a_stride, pb + x, b_stride));
        }
    }
    std::uint32_t total = sum_of_32(sum) >> 1;
    if (whole_width < width) {
        total += sad_avx2(a + whole_width, a_stride, b + whole_width, b_stride, width - whole_width, whole_height);
    }
    if (whole_height < height) {
        total += sad_avx2(a + whole_height * a_stride, a_stride, b + whole_height * b_stride, b_stride, width,
                          height - whole_height);
    }
    return total;
}

void sad_row_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int width,
                  int height, int count, std::uint32_t* sads) {
    int i = 0;
    for (; i + 32 <= count; i += 32) {
        sad_32_positions(current, current_stride, reference + i, reference_stride, width, height, sads + i);
    }
    if (count - i > 6) {
        alignas(32) std::uint32_t rest[32];
        sad_32_positions(current, current_stride, reference + i, reference_stride, width, height, rest);
        for (int k = 0; i < count; ++i, ++k)
            sads[i] = rest[k];
    }
    for (; i < count; ++i)
        sads[i] = sad_avx2(current, current_stride, reference + i, reference_stride, width, height);
}

void sad_many_avx2(const Byte* current, Stride current_stride, const Byte* const* references, Stride reference_stride,
                   int width, int height, int n, std::uint32_t* sads) {
    if (width == 16 && height == 16)
        return sads_of_16x16(RowPairs(current, current_stride), references, reference_stride, n, sads);
    if (width == 8 && height == 8)
        return sads_of_8x8(Block8x8(current, current_stride), references, reference_stride, n, sads);
    for (int i = 0; i < n; ++i)
        sads[i] = sad_avx2(current, current_stride, references[i], reference_stride, width, height);
}

void sad_column_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int count, std::uint32_t* sads) {
    constexpr int most = 96;
    const Byte* below_one_another[most];
    for (int first = 0; first < count; first += most) {
        const int n = count - first < most ? count - first : most;
        for (int i = 0; i < n; ++i)
            below_one_another[i] = reference + (first + i) * reference_stride;
        sad_many_avx2(current, current_stride, below_one_another, reference_stride, width, height, n, sads + first);
    }
}

} // namespace tandem
