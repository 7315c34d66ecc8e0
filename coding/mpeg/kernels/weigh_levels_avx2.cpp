// SPDX-License-Identifier: BSD-2-Clause
// The costs of a trellis's levels with AVX2, 8 coefficients a step.
#include <immintrin.h>

#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

using Lanes = __m256i; ///< 8 values of 32 bits.

Lanes load(const std::int32_t* from) { return _mm256_load_si256(reinterpret_cast<const Lanes*>(from)); }
void store(std::int32_t* to, Lanes lanes) { _mm256_store_si256(reinterpret_cast<Lanes*>(to), lanes); }
Lanes all(int value) { return _mm256_set1_epi32(value); }

/// Of levels that are rebuilt as steps / 32 where no limit is `highest`; `twice` is 2 * |coefficient|.
Lanes cost_of(Lanes steps, Lanes highest, Lanes twice, bool mpeg1) {
    Lanes rebuilt = _mm256_srai_epi32(steps, 5);
    if (mpeg1) { // Oddification, 11172-2 clause 2.4.4: even ones are one less, but for 0.
        const Lanes even = _mm256_andnot_si256(rebuilt, all(1));
        rebuilt = _mm256_sub_epi32(rebuilt, _mm256_and_si256(even, _mm256_cmpgt_epi32(rebuilt, all(0))));
    }
    const Lanes scaled = _mm256_mullo_epi32(_mm256_min_epi32(rebuilt, highest), all(coefficient_scale));
    return _mm256_mullo_epi32(scaled, _mm256_sub_epi32(scaled, twice));
}

} // namespace

void weigh_levels_avx2(const Quantiser& quantiser, int count, LevelChoices& choices) {
    const Lanes half_step = all(quantiser.intra ? 0 : 1);
    for (int i = 0; i < count; i += 8) {
        const Lanes coefficient = load(choices.coefficient + i), weight = load(choices.weight + i);
        const Lanes level = load(choices.level + i);
        const Lanes twice = _mm256_slli_epi32(_mm256_abs_epi32(coefficient), 1);
        const Lanes highest = _mm256_add_epi32(all(2047), _mm256_srli_epi32(coefficient, 31)); // -2048 has one more.
        const Lanes one_level = _mm256_slli_epi32(weight, 1);
        const Lanes steps = _mm256_mullo_epi32(_mm256_add_epi32(_mm256_slli_epi32(level, 1), half_step), weight);
        const Lanes steps_below = _mm256_sub_epi32(steps, one_level);
        const Lanes cost = cost_of(steps, highest, twice, quantiser.mpeg1);
        const Lanes below = cost_of(steps_below, highest, twice, quantiser.mpeg1);
        const Lanes two_below = cost_of(_mm256_sub_epi32(steps_below, one_level), highest, twice, quantiser.mpeg1);

        const Lanes skipped = _mm256_andnot_si256(_mm256_cmpgt_epi32(below, cost), _mm256_cmpgt_epi32(level, all(1)));
        const Lanes chosen = _mm256_add_epi32(level, skipped);
        const Lanes is_one = _mm256_cmpeq_epi32(chosen, all(1));
        store(choices.level + i, chosen);
        store(choices.level_cost + i, _mm256_blendv_epi8(cost, below, skipped));
        store(choices.below_cost + i,
              _mm256_blendv_epi8(_mm256_blendv_epi8(below, two_below, skipped), all(INT32_MAX), is_one));
    }
}

} // namespace tandem
