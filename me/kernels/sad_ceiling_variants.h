// SPDX-License-Identifier: BSD-2-Clause
// The loops of sad_ceiling.h, one for each instruction set. Plain declarations only.
#pragma once

#include <cstdint>

namespace tandem {

std::uint64_t bare_sads_avx2(std::uint64_t rounds);
std::uint64_t bare_sads_avx512(std::uint64_t rounds);
/// AVX2's where mpsadbw_is_slow().
std::uint64_t bare_sads_psadbw_avx2(std::uint64_t rounds);

} // namespace tandem
