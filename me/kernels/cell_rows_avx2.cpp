// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx2.h"
#include "me/kernels/elimination_variants.h"

namespace tandem {

namespace {

__m256i splat(short value) { return _mm256_set1_epi16(value); }

__m128i folded(__m128i sums) {
    return _mm_abs_epi16(_mm_sub_epi16(_mm_set1_epi16(255), _mm_abs_epi16(_mm_sub_epi16(sums, _mm_set1_epi16(510)))));
}

__m256i folded(__m256i sums) {
    return _mm256_abs_epi16(_mm256_sub_epi16(splat(255), _mm256_abs_epi16(_mm256_sub_epi16(sums, splat(510)))));
}

/// What rounding down takes at most, in words.
__m128i slack_of(__m128i sums, int samples) {
    const __m128i most = _mm_set1_epi16(static_cast<short>(samples - 1)), rest = _mm_and_si128(sums, most);
    return _mm_max_epi16(rest, _mm_sub_epi16(most, rest));
}

std::int32_t sum_of_words(__m128i words) {
    __m128i sum = _mm_madd_epi16(words, _mm_set1_epi16(1));
    sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 1)));
}

/// Sums of pairs of samples in two rows below one another; 16 samples, or 8 each of two such pairs of rows.
__m128i sums_of_two_rows(const std::uint8_t* p, std::ptrdiff_t stride) {
    const __m128i ones = _mm_set1_epi8(1);
    const auto pairs = [&](const std::uint8_t* at) { return _mm_maddubs_epi16(load16(at), ones); };
    return _mm_add_epi16(pairs(p), pairs(p + stride));
}

__m128i sums_of_four_rows(const std::uint8_t* p, std::ptrdiff_t stride) {
    const auto two = [&](const std::uint8_t* at) {
        const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
        const __m128i both =
            _mm_unpacklo_epi64(low, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at + 2 * stride)));
        return _mm_maddubs_epi16(both, _mm_set1_epi8(1));
    };
    return _mm_add_epi16(two(p), two(p + stride));
}

template <class Word> void store_low(std::uint8_t* p, __m128i v) {
    const auto bytes = static_cast<Word>(_mm_cvtsi128_si64(v));
    __builtin_memcpy(p, &bytes, sizeof bytes);
}

} // namespace

void fine_row_avx2(const std::uint8_t* upper, const std::uint8_t* lower, int strips, const FineRow& row) {
    const __m256i ones = _mm256_set1_epi8(1);
    const auto sums = [&](int i) {
        return _mm256_add_epi16(_mm256_maddubs_epi16(load32(upper + i), ones),
                                _mm256_maddubs_epi16(load32(lower + i), ones));
    };
    // Bytes stand by eights, even and odd ones by turns.
    const auto put_chunk = [](std::uint8_t* to, __m256i bytes, __m256i next) {
        store32(to, _mm256_permute4x64_epi64(bytes, 0xD8));
        store32(to + 32, _mm256_permute4x64_epi64(_mm256_permute2x128_si256(bytes, next, 0x21), 0xD8));
    };
    __m256i means = _mm256_setzero_si256(), folds = means;
    const int chunks = 2 * strips;
    for (int chunk = 0; chunk <= chunks; ++chunk) {
        __m256i next_means = _mm256_setzero_si256(), next_folds = next_means;
        if (chunk < chunks) {
            const __m256i even = sums(32 * chunk), odd = sums(32 * chunk + 1);
            store32(row.even + 16 * chunk, even);
            store32(row.odd + 16 * chunk, odd);
            next_means = _mm256_packus_epi16(_mm256_srli_epi16(even, 2), _mm256_srli_epi16(odd, 2));
            next_folds = _mm256_packus_epi16(folded(even), folded(odd));
        }
        if (chunk > 0) {
            const std::ptrdiff_t at = std::ptrdiff_t{bytes_per_chunk} * (chunk - 1);
            put_chunk(row.means + at, means, next_means);
            put_chunk(row.folded + at, folds, next_folds);
        }
        means = next_means;
        folds = next_folds;
    }
}

void coarse_row_avx2(const FineRow& upper, const FineRow& lower, int strips, std::uint8_t* means) {
    const __m256i phases =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const auto sums = [&](const std::uint16_t* a, const std::uint16_t* b) {
        return _mm256_madd_epi16(_mm256_add_epi16(load32(a), load32(b)), splat(1));
    };
    const auto pair = [](__m256i a, __m256i b) {
        return _mm256_srli_epi16(_mm256_or_si256(a, _mm256_slli_epi32(b, 16)), 4);
    };
    // Each of 8 bytes of the four phases: half of the chunk's lanes.
    const auto pack = [&](int i) {
        const __m256i first = pair(sums(upper.even + i, lower.even + i), sums(upper.odd + i, lower.odd + i));
        const __m256i second =
            pair(sums(upper.even + i + 1, lower.even + i + 1), sums(upper.odd + i + 1, lower.odd + i + 1));
        return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(_mm256_packus_epi16(first, second), phases), order);
    };
    const int chunks = 2 * strips;
    __m256i left = _mm256_setzero_si256();
    for (int chunk = 0; chunk <= chunks; ++chunk) {
        const __m256i right = chunk < chunks ? pack(16 * chunk) : _mm256_setzero_si256();
        if (chunk > 0) {
            std::uint8_t* to = means + std::ptrdiff_t{bytes_per_chunk} * (chunk - 1);
            const __m256i even = _mm256_unpacklo_epi64(left, right), odd = _mm256_unpackhi_epi64(left, right);
            store32(to, _mm256_permute2x128_si256(even, odd, 0x20));
            store32(to + 32, _mm256_permute2x128_si256(even, odd, 0x31));
        }
        left = right;
    }
}

void block_bytes_avx2(const std::uint8_t* block, std::ptrdiff_t stride, int width, int height, BlockBytes& bytes) {
    const bool has_fine = width * height / 4 <= most_block_bytes, has_coarse = width * height / 16 <= most_block_bytes;
    const __m128i zero = _mm_setzero_si128(), ones = _mm_set1_epi16(1);
    __m128i fine_slack = zero, coarse_slack = zero;
    std::uint8_t *fine = bytes.fine, *folds = bytes.folded, *coarse = bytes.coarse;
    const int across = width / 2, step = width % 16 == 0 ? 16 : 8;
    for (int y = 0; y < height; y += 4, block += 4 * stride, fine += 2 * across, folds += 2 * across) {
        for (int x = 0; x < width; x += step) {
            const std::uint8_t* p = block + x;
            __m128i upper, lower, columns; // The last: of 4 rows, of pairs of samples.
            if (step == 16) {
                upper = sums_of_two_rows(p, stride);
                lower = sums_of_two_rows(p + 2 * stride, stride);
                columns = _mm_add_epi16(upper, lower);
            } else {
                upper = sums_of_four_rows(p, stride);
                lower = zero;
                columns = _mm_add_epi16(upper, _mm_unpackhi_epi64(upper, zero));
            }
            if (has_fine && step == 16) {
                const __m128i means = _mm_packus_epi16(_mm_srli_epi16(upper, 2), _mm_srli_epi16(lower, 2));
                const __m128i both = _mm_packus_epi16(folded(upper), folded(lower));
                store_low<std::uint64_t>(fine + x / 2, means);
                store_low<std::uint64_t>(fine + across + x / 2, _mm_unpackhi_epi64(means, means));
                store_low<std::uint64_t>(folds + x / 2, both);
                store_low<std::uint64_t>(folds + across + x / 2, _mm_unpackhi_epi64(both, both));
                fine_slack = _mm_add_epi16(fine_slack, _mm_add_epi16(slack_of(upper, 4), slack_of(lower, 4)));
            } else if (has_fine) {
                const __m128i means = _mm_packus_epi16(_mm_srli_epi16(upper, 2), zero);
                const __m128i both = _mm_packus_epi16(folded(upper), zero);
                store_low<std::uint32_t>(fine + x / 2, means);
                store_low<std::uint32_t>(fine + across + x / 2, _mm_srli_si128(means, 4));
                store_low<std::uint32_t>(folds + x / 2, both);
                store_low<std::uint32_t>(folds + across + x / 2, _mm_srli_si128(both, 4));
                fine_slack = _mm_add_epi16(fine_slack, slack_of(upper, 4));
            }
            if (!has_coarse) continue;
            const __m128i sums = _mm_packs_epi32(_mm_madd_epi16(columns, ones), zero); // 4 or 2 words.
            const __m128i means = _mm_packus_epi16(_mm_srli_epi16(sums, 4), zero);
            const __m128i slack = slack_of(sums, 16);
            if (step == 16) {
                store_low<std::uint32_t>(coarse + x / 4, means);
                coarse_slack = _mm_add_epi16(coarse_slack, _mm_move_epi64(slack));
            } else {
                store_low<std::uint16_t>(coarse + x / 4, means);
                coarse_slack = _mm_add_epi16(coarse_slack, _mm_srli_si128(_mm_slli_si128(slack, 12), 12));
            }
        }
        coarse += width / 4;
    }
    bytes.fine_slack = sum_of_words(fine_slack);
    bytes.coarse_slack = sum_of_words(coarse_slack);
}

} // namespace tandem
