// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/sad_ceiling.h"

#include "me/kernels/sad_ceiling_variants.h"

namespace tandem {

std::optional<SadCeiling> sad_ceiling([[maybe_unused]] SimdLevel level) {
#ifdef TANDEM_SIMD
    if (level > best_simd_level()) return std::nullopt;
    if (level == SimdLevel::avx512) return SadCeiling{"vdbpsadbw and vpaddusw, 512 bits", 8 * 128, bare_sads_avx512};
    if (level == SimdLevel::avx2 && mpsadbw_is_slow())
        return SadCeiling{"vpsadbw and vpaddw, 256 bits", 8 * 32, bare_sads_psadbw_avx2};
    if (level == SimdLevel::avx2) return SadCeiling{"vmpsadbw and vpaddusw, 256 bits", 8 * 64, bare_sads_avx2};
#endif
    return std::nullopt;
}

} // namespace tandem
