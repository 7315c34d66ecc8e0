// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/row_pairs_avx2.h"

namespace tandem {

namespace {

/// A pair of rows at the half pels left and right of its samples, and where the means there were rounded up: in the
/// lowest bit of each.
struct HalfPelsBeside {
    __m256i left, right, left_rounded, right_rounded;
    HalfPelsBeside(const std::uint8_t* p, std::ptrdiff_t stride) {
        const __m256i before = RowPairs::pair(p - 1, stride), here = RowPairs::pair(p, stride),
                      after = RowPairs::pair(p + 1, stride);
        left = _mm256_avg_epu8(before, here);
        right = _mm256_avg_epu8(here, after);
        left_rounded = _mm256_xor_si256(before, here);
        right_rounded = _mm256_xor_si256(here, after);
    }
};

/// (a + b + c + d + 2) >> 2 from the means of a and b, and of c and d: the mean of these is too large by one exactly
/// where one of them was rounded up and it is rounded up too.
__m256i mean_of_means(__m256i first, __m256i second, __m256i first_rounded, __m256i second_rounded) {
    const __m256i excess = _mm256_and_si256(_mm256_or_si256(first_rounded, second_rounded),
                                            _mm256_and_si256(_mm256_xor_si256(first, second), _mm256_set1_epi8(1)));
    return _mm256_sub_epi8(_mm256_avg_epu8(first, second), excess);
}

/// Of all half pels at one phase.
template <class Samples>
std::uint32_t sad_of_rows(const std::uint8_t* current, std::ptrdiff_t current_stride, const Samples& samples) {
    __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (int y = 0; y < 8; ++y)
        add_sads(sum, RowPairs::pair(current + y * current_stride, current_stride), samples(y));
    return static_cast<std::uint16_t>(
        _mm_cvtsi128_si32(words_of_sums(sum, _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256())));
}

} // namespace

std::uint32_t half_pel_sad_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride,
                                const std::uint8_t* reference, std::ptrdiff_t stride, int half_x, int half_y) {
    const auto pair = [=](int y, int x) { return RowPairs::pair(reference + y * stride + x, stride); };
    if (half_x == 0 && half_y == 0) return sad_of_rows(current, current_stride, [&](int y) { return pair(y, 0); });
    if (half_y == 0)
        return sad_of_rows(current, current_stride, [&](int y) { return _mm256_avg_epu8(pair(y, 0), pair(y, 1)); });
    if (half_x == 0) {
        __m256i above = pair(0, 0);
        return sad_of_rows(current, current_stride, [&](int y) {
            const __m256i below = pair(y + 1, 0), between = _mm256_avg_epu8(above, below);
            above = below;
            return between;
        });
    }
    __m256i left = pair(0, 0), right = pair(0, 1);
    __m256i above = _mm256_avg_epu8(left, right), above_rounded = _mm256_xor_si256(left, right);
    return sad_of_rows(current, current_stride, [&](int y) {
        left = pair(y + 1, 0), right = pair(y + 1, 1);
        const __m256i below = _mm256_avg_epu8(left, right), below_rounded = _mm256_xor_si256(left, right);
        const __m256i between = mean_of_means(above, below, above_rounded, below_rounded);
        above = below, above_rounded = below_rounded;
        return between;
    });
}

/// Half pels are made from pairs of rows that are loaded once for those above and below them. In two parts, each of
/// which has registers enough.
unsigned half_pel_sads_avx2(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                            std::ptrdiff_t stride, std::uint32_t more, std::uint32_t* sads) {
    const RowPairs block(current, current_stride);
    const __m256i none = _mm256_setzero_si256();
    __m256i whole = none, left = none, right = none, above = none, below = none;
    __m256i before = RowPairs::pair(reference - stride, stride);
#pragma GCC unroll 9
    for (int y = 0; y <= 8; ++y) {
        const std::uint8_t* p = reference + y * stride;
        const __m256i here = RowPairs::pair(p, stride), between = _mm256_avg_epu8(before, here);
        before = here;
        if (y > 0) add_sads(below, block.at[y - 1], between);
        if (y == 8) break;
        add_sads(above, block.at[y], between);
        add_sads(whole, block.at[y], here);
        add_sads(left, block.at[y], _mm256_avg_epu8(RowPairs::pair(p - 1, stride), here));
        add_sads(right, block.at[y], _mm256_avg_epu8(here, RowPairs::pair(p + 1, stride)));
    }
    __m256i left_above = none, right_above = none, left_below = none, right_below = none;
    HalfPelsBeside last(reference - stride, stride);
#pragma GCC unroll 9
    for (int y = 0; y <= 8; ++y) {
        const HalfPelsBeside next(reference + y * stride, stride);
        const __m256i in_the_left = mean_of_means(last.left, next.left, last.left_rounded, next.left_rounded);
        const __m256i in_the_right = mean_of_means(last.right, next.right, last.right_rounded, next.right_rounded);
        last = next;
        if (y < 8) add_sads(left_above, block.at[y], in_the_left);
        if (y < 8) add_sads(right_above, block.at[y], in_the_right);
        if (y > 0) add_sads(left_below, block.at[y - 1], in_the_left);
        if (y > 0) add_sads(right_below, block.at[y - 1], in_the_right);
    }
    const __m128i last_one = words_of_sums(right_below, none, none, none);
    const __m128i others = _mm_unpacklo_epi64(words_of_sums(left_above, above, right_above, left),
                                              words_of_sums(whole, right, left_below, below));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sads), _mm256_cvtepu16_epi32(others));
    sads[8] = static_cast<std::uint16_t>(_mm_cvtsi128_si32(last_one));
    const std::uint32_t most =
        static_cast<std::uint32_t>(_mm_extract_epi16(others, 4)) + (more < UINT16_MAX ? more : UINT16_MAX);
    const unsigned good = words_at_most(others, most) & ~(1U << 4);
    return good | (sads[8] <= most ? 1U : 0U) << 8;
}

} // namespace tandem
