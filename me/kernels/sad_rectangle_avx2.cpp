// SPDX-License-Identifier: BSD-2-Clause
// As sad_rectangle_avx512.cpp, by mpsadbw: 64 differences an instruction of two micro-operations on one port, so 8
// cycles a position of 16x16.
#include "me/kernels/sad_rectangle_avx2.h"
#include "me/kernels/distortion_variants.h"

namespace tandem {

namespace {

constexpr int together = 32; ///< Positions of a row that are measured together.

/// 32 positions of a block so many fours of samples wide: `near` has 0..7 and 16..23, `far` the others.
template <int fours> struct Sums {
    using Word = std::uint16_t;
    static constexpr int positions = together;
    struct Row {
        __m256i at0, at8, at16;
        explicit Row(const Byte* p) : at0(load32(p)), at8(load32(p + 8)), at16(fours > 2 ? load32(p + 16) : at8) {}
    };
    __m256i near = _mm256_setzero_si256(), far = _mm256_setzero_si256();

    void add(const Byte* block, const Row& row) {
        const __m256i b = _mm256_broadcastsi128_si256(load16(block));
        near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at0, b, 0x00));
        far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at8, b, 0x00));
        if constexpr (fours > 1) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at0, b, 0x2D));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at8, b, 0x2D));
        }
        if constexpr (fours > 2) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at8, b, 0x12));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at16, b, 0x12));
        }
        if constexpr (fours > 3) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at8, b, 0x3F));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at16, b, 0x3F));
        }
    }
    std::uint64_t within(std::int32_t most) const {
        const unsigned in_near = words_within(near, words_of(most)), in_far = words_within(far, words_of(most));
        if ((in_near | in_far) == 0) return 0;
        return _pdep_u32(_pext_u32(in_near, 0x55555555), 0x00FF00FF) |
               _pdep_u32(_pext_u32(in_far, 0x55555555), 0xFF00FF00);
    }
    void store(std::uint16_t* words) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), _mm256_permute2x128_si256(near, far, 0x20));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + 16), _mm256_permute2x128_si256(near, far, 0x31));
    }
};

/// A block of at most 256 samples.
template <class Taker> void measure_small(const Rectangle& r, int width, Taker& taker) {
    switch (width) {
    case 4:
        return measure_narrow_sums<Sums<1>>(r, 4, taker);
    case 8:
        return measure_narrow_sums<Sums<2>>(r, 8, taker);
    case 12:
        return measure_narrow_sums<Sums<3>>(r, 12, taker);
    case 16:
        return measure_narrow_sums<Sums<4>>(r, 16, taker);
    default:
        return measure_any<sad_row_avx2>(r, width, 0, taker);
    }
}

} // namespace

int sads_within_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int columns, int rows, const std::int32_t* limits,
                     MeasuredPosition* found) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows};
    Within good(limits, found);
    if (width * height <= 256)
        measure_small(r, width, good);
    else if (width % 16 == 0 && height % 16 == 0 && rows > 1)
        measure_tiles<Sums<4>, SumsOfTiles<Sums<4>>, sad_row_avx2>(r, width, good);
    else
        measure_any<sad_row_avx2>(r, width, 0, good);
    return good.count_from(found);
}

void all_sads_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                   int width, int height, int columns, int rows, std::uint16_t* sads, Stride row_length) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows};
    const Everything<std::uint16_t> all{sads, row_length};
    measure_small(r, width, all);
}

} // namespace tandem
