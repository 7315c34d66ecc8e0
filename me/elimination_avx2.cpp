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

/// Two equal bits for each of the 16 positions from `first` on: are their cells within the limit?
unsigned within(const BlockCells& level, std::ptrdiff_t first, __m256i limit) {
    __m256i sum = _mm256_setzero_si256();
    for (int c = 0; c < level.count; ++c) {
        const __m256i there = load(level.cells[c].sums + first), here = splat(level.cells[c].value[0]);
        sum = _mm256_adds_epu16(sum, _mm256_abs_epi16(_mm256_sub_epi16(there, here)));
    }
    return mask_within(sum, limit);
}

/// As below, for a block of 16x16 whose 16 means are in each lane of `here`.
unsigned within_16x16(__m256i here, const std::uint8_t* p, std::ptrdiff_t stride, __m256i limit) {
    const auto at = [&](int y) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 4 * y * stride)); };
    return mask_within(
        _mm256_add_epi16(
            _mm256_add_epi16(_mm256_mpsadbw_epu8(at(0), here, 0x00), _mm256_mpsadbw_epu8(at(1), here, 0x09)),
            _mm256_add_epi16(_mm256_mpsadbw_epu8(at(2), here, 0x12), _mm256_mpsadbw_epu8(at(3), here, 0x1B))),
        limit);
}

/// Two equal bits for each of 16 positions, in the order of half a chunk.
unsigned within(const CellMeans& means, const std::uint8_t* p, __m256i limit) {
    const std::uint8_t* values = means.values;
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < means.rows; ++y) {
        for (int x = 0; x < means.fours; ++x, values += 4) {
            int four;
            __builtin_memcpy(&four, values, sizeof four);
            const __m256i here = _mm256_set1_epi32(four);
            const __m256i there = _mm256_loadu_si256(
                reinterpret_cast<const __m256i*>(p + 4 * y * means.stride + x / 2 * bytes_per_chunk));
            sum = _mm256_add_epi16(sum, x % 2 == 0 ? _mm256_mpsadbw_epu8(there, here, 0x00)
                                                   : _mm256_mpsadbw_epu8(there, here, 0x24));
        }
    }
    return mask_within(sum, limit);
}

/// The 32 positions of a chunk that the means leave, in the order of columns.
std::uint32_t chunk_within(const CellMeans& means, const std::uint8_t* p, __m256i limit) {
    unsigned low, high;
    if (means.fours == 1 && means.rows == 4) {
        const __m256i here =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(means.values)));
        low = within_16x16(here, p, means.stride, limit);
        high = within_16x16(here, p + 32, means.stride, limit);
    } else {
        low = within(means, p, limit);
        high = within(means, p + 32, limit);
    }
    if ((low | high) == 0) return 0;
    const std::uint32_t lanes = _pext_u32(low, 0x55555555) | _pext_u32(high, 0x55555555) << 16;
    return _pdep_u32(lanes, 0x11111111) | _pdep_u32(lanes >> 8, 0x22222222) | _pdep_u32(lanes >> 16, 0x44444444) |
           _pdep_u32(lanes >> 24, 0x88888888);
}

/// The sums of 32 positions from a column on, of which some are still possible; those left go to `found`.
int narrow(const BlockCells& cells, std::uint32_t lanes, int column, int row, __m256i limit, Position* found) {
    std::uint32_t left = 0;
    const std::ptrdiff_t first = cells.first + row * cells.stride + column;
    if ((lanes & 0xFFFF) != 0) left |= _pext_u32(within(cells, first, limit), 0x55555555);
    if (lanes >> 16 != 0) left |= _pext_u32(within(cells, first + 16, limit), 0x55555555) << 16;
    int n = 0;
    for (left &= lanes; left != 0; left &= left - 1) {
        found[n++] = {static_cast<std::uint16_t>(column + static_cast<int>(_tzcnt_u32(left))),
                      static_cast<std::uint16_t>(row)};
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

int survivors_avx2(const CellMeans& means, const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                   Position* found) {
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        const __m256i limit = splat(static_cast<std::uint16_t>(limits[row]));
        const __m256i means_limit = splat(static_cast<std::uint16_t>((limits[row] + means.slack) / 16));
        const std::uint8_t* chunk = means.plane + row * means.stride;
        for (int i = -means.first; i < columns; i += positions_per_chunk, chunk += bytes_per_chunk) {
            std::uint32_t lanes = means.plane ? chunk_within(means, chunk, means_limit) : ~std::uint32_t{0};
            if (i < 0) lanes &= ~std::uint32_t{0} << -i;
            if (columns - i < 32) lanes &= (1u << (columns - i)) - 1;
            if (lanes != 0) n += narrow(cells, lanes, i, row, limit, found + n);
        }
    }
    return n;
}

} // namespace tandem
