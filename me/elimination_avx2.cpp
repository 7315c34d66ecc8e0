// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

__m256i load(const std::uint16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
void store(std::uint16_t* p, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
__m256i load_samples(const std::uint8_t* p) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

__m256i splat(std::uint16_t value) { return _mm256_set1_epi16(static_cast<short>(value)); }

/// Two equal bits for each of 16 sums.
unsigned mask_within(__m256i sum, __m256i limit) {
    return static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_min_epu16(sum, limit), sum)));
}

/// What a level has at 32 positions, in the order of columns or of a chunk.
struct Sums {
    __m256i low, high;
    std::uint32_t within(__m256i limit) const {
        const unsigned in_low = mask_within(low, limit), in_high = mask_within(high, limit);
        if ((in_low | in_high) == 0) return 0;
        return _pext_u32(in_low, 0x55555555) | _pext_u32(in_high, 0x55555555) << 16;
    }
    void store(std::uint16_t* words) const {
        tandem::store(words, low);
        tandem::store(words + 16, high);
    }
};

/// Of the cells, at 16 positions.
__m256i half_of_sums(const BlockCells& cells, std::ptrdiff_t first) {
    __m256i sum = _mm256_setzero_si256();
    for (int c = 0; c < cells.count; ++c) {
        const __m256i there = load(cells.cells[c].sums + first), here = splat(cells.cells[c].value[0]);
        sum = _mm256_adds_epu16(sum, _mm256_abs_epi16(_mm256_sub_epi16(there, here)));
    }
    return sum;
}

__m256i load_means(const std::uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }

/// Of coarse means of a block of 16x16, whose 16 are in each lane of `here`.
__m256i half_of_16x16(__m256i here, const std::uint8_t* p, std::ptrdiff_t stride) {
    const auto at = [&](int y) { return load_means(p + 4 * y * stride); };
    return _mm256_adds_epu16(
        _mm256_adds_epu16(_mm256_mpsadbw_epu8(at(0), here, 0x00), _mm256_mpsadbw_epu8(at(1), here, 0x09)),
        _mm256_adds_epu16(_mm256_mpsadbw_epu8(at(2), here, 0x12), _mm256_mpsadbw_epu8(at(3), here, 0x1B)));
}

/// Of means, in half a chunk.
__m256i half_of_means(const CellMeans& means, const std::uint8_t* p) {
    const std::uint8_t* values = means.values;
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < means.rows; ++y, p += means.side * means.stride) {
        for (int x = 0; x < means.fours; ++x, values += 4) {
            int four;
            __builtin_memcpy(&four, values, sizeof four);
            const __m256i here = _mm256_set1_epi32(four), there = load_means(p + x / 2 * bytes_per_chunk);
            sum = _mm256_adds_epu16(sum, x % 2 == 0 ? _mm256_mpsadbw_epu8(there, here, 0x00)
                                                    : _mm256_mpsadbw_epu8(there, here, 0x24));
        }
    }
    return sum;
}

__m256i means_limit(const CellMeans& means, std::int32_t limit) {
    return splat(static_cast<std::uint16_t>((limit + means.slack) >> (means.side == 4 ? 4 : 2)));
}

/// The 32 positions of a chunk that the coarse means leave, in the order of columns.
std::uint32_t left_by_coarse_means(const CellMeans& means, const std::uint8_t* p, __m256i limit) {
    Sums sums;
    if (means.fours == 1 && means.rows == 4) {
        const __m256i here =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(means.values)));
        sums = {half_of_16x16(here, p, means.stride), half_of_16x16(here, p + 32, means.stride)};
    } else {
        sums = {half_of_means(means, p), half_of_means(means, p + 32)};
    }
    const std::uint32_t lanes = sums.within(limit);
    if (lanes == 0) return 0;
    return _pdep_u32(lanes, 0x11111111) | _pdep_u32(lanes >> 8, 0x22222222) | _pdep_u32(lanes >> 16, 0x44444444) |
           _pdep_u32(lanes >> 24, 0x88888888);
}

/// A chunk of fine means has its even columns first.
Sums sums_of_fine_means(const CellMeans& means, const std::uint8_t* p) {
    const __m256i even = half_of_means(means, p), odd = half_of_means(means, p + 32);
    const __m256i low = _mm256_unpacklo_epi16(even, odd), high = _mm256_unpackhi_epi16(even, odd);
    return {_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31)};
}

/// 32 positions from a column on, of which some are still possible; those left go to `found`. Rare, and not inline: it
/// would take registers from the loop over chunks.
[[gnu::noinline]] int narrow(const BlockCells& cells, std::uint32_t lanes, int column, int row, std::int32_t limit,
                             BoundedPosition* found) {
    const bool fine = cells.fine.plane != nullptr;
    Sums sums;
    int scale = 1, slack = 0;
    if (fine) {
        sums = sums_of_fine_means(cells.fine, cells.fine.plane + row * cells.fine.stride +
                                                  (column + cells.place) / positions_per_chunk * bytes_per_chunk);
        lanes &= sums.within(means_limit(cells.fine, limit));
        scale = cells.fine.side * cells.fine.side;
        slack = cells.fine.slack;
    } else {
        const std::ptrdiff_t first = cells.first + row * cells.stride + column;
        sums = {half_of_sums(cells, first), half_of_sums(cells, first + 16)};
        lanes &= sums.within(splat(static_cast<std::uint16_t>(limit)));
    }
    if (lanes == 0) return 0;
    alignas(32) std::uint16_t bounds[32];
    sums.store(bounds);
    int n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<int>(_tzcnt_u32(lanes));
        const int bound = scale * bounds[lane] - slack;
        found[n++] = {{static_cast<std::uint16_t>(column + lane), static_cast<std::uint16_t>(row)},
                      static_cast<std::uint32_t>(bound < 0 ? 0 : bound)};
    }
    return n;
}

} // namespace

void slide_columns_avx2(const std::uint8_t* entering, const std::uint8_t* leaving, int count, std::uint16_t* columns) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m256i change = _mm256_sub_epi16(load_samples(entering + i), load_samples(leaving + i));
        store(columns + i, _mm256_add_epi16(load(columns + i), change));
    }
    for (; i < count; ++i)
        columns[i] = static_cast<std::uint16_t>(columns[i] + entering[i] - leaving[i]);
}

void add_shifted_avx2(const std::uint16_t* from, int shift, int count, std::uint16_t* to) {
    int i = 0;
    for (; i + 16 <= count; i += 16)
        store(to + i, _mm256_add_epi16(load(from + i), load(from + i + shift)));
    for (; i < count; ++i)
        to[i] = static_cast<std::uint16_t>(from[i] + from[i + shift]);
}

void pack_means_avx2(const std::uint16_t* sums, int chunks, std::uint8_t* means) {
    const __m256i phases =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const auto pack = [&](const std::uint16_t* p) {
        const __m256i bytes = _mm256_packus_epi16(_mm256_srli_epi16(load(p), 4), _mm256_srli_epi16(load(p + 16), 4));
        const __m256i in_order = _mm256_permute4x64_epi64(bytes, 0xD8);
        return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(in_order, phases), order);
    };
    for (int i = 0; i < chunks; ++i, sums += positions_per_chunk, means += bytes_per_chunk) {
        // Each has 8 bytes of the four phases: the halves of the chunk's lanes.
        const __m256i left = pack(sums), right = pack(sums + 32);
        const __m256i even = _mm256_unpacklo_epi64(left, right), odd = _mm256_unpackhi_epi64(left, right);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(means), _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(means + 32), _mm256_permute2x128_si256(even, odd, 0x31));
    }
}

void pack_fine_means_avx2(const std::uint8_t* upper, const std::uint8_t* lower, int chunks, std::uint8_t* means) {
    const auto halved = [](const std::uint8_t* a, const std::uint8_t* b) {
        const __m256i ones = _mm256_set1_epi8(1);
        const __m256i sums =
            _mm256_add_epi16(_mm256_maddubs_epi16(load_means(a), ones), _mm256_maddubs_epi16(load_means(b), ones));
        return _mm256_srli_epi16(sums, 2);
    };
    // Every other mean of 2x2 samples, 32 of them in the order 0, 2, 1, 3 of eights; a chunk's lanes share eight.
    const auto pack = [&](const std::uint8_t* a, const std::uint8_t* b) {
        return _mm256_permute4x64_epi64(_mm256_packus_epi16(halved(a, b), halved(a + 32, b + 32)), 0x68);
    };
    for (int i = 0; i < chunks; ++i, upper += positions_per_chunk, lower += positions_per_chunk) {
        std::uint8_t* to = means + i * bytes_per_chunk;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), pack(upper, lower));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 32), pack(upper + 1, lower + 1));
    }
}

int survivors_avx2(const BlockCells& cells, int columns, int rows, const std::int32_t* limits, BoundedPosition* found) {
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        const __m256i most = means_limit(cells.coarse, limits[row]);
        std::ptrdiff_t chunk = row * cells.coarse.stride;
        for (int i = -cells.place; i < columns; i += positions_per_chunk, chunk += bytes_per_chunk) {
            std::uint32_t lanes = ~std::uint32_t{0};
            if (cells.coarse.plane) lanes = left_by_coarse_means(cells.coarse, cells.coarse.plane + chunk, most);
            if (i < 0) lanes &= ~std::uint32_t{0} << -i;
            if (columns - i < 32) lanes &= (1u << (columns - i)) - 1;
            if (lanes != 0) n += narrow(cells, lanes, i, row, limits[row], found + n);
        }
    }
    return n;
}

} // namespace tandem
