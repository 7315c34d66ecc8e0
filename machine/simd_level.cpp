// SPDX-License-Identifier: BSD-2-Clause
#include "machine/simd_level.h"

#include <array>
#include <atomic>
#include <string>

#include "machine/errors.h"

namespace tandem {

namespace {

constexpr std::array<std::string_view, 3> names{"scalar", "avx2", "avx512"};

SimdLevel detect() {
#if defined(TANDEM_SIMD) && defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt")) {
        return SimdLevel::scalar;
    }
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return avx512 ? SimdLevel::avx512 : SimdLevel::avx2;
#else
    return SimdLevel::scalar;
#endif
}

std::atomic<SimdLevel>& level_in_force() {
    static std::atomic<SimdLevel> level{best_simd_level()};
    return level;
}

} // namespace

SimdLevel best_simd_level() {
    static const SimdLevel best = detect();
    return best;
}

bool mpsadbw_is_slow() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
#else
    return false;
#endif
}

bool has_byte_products() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vnni") != 0;
#else
    return false;
#endif
}

SimdLevel simd_level() { return level_in_force().load(); }

void set_simd_level(SimdLevel level) {
    if (level > best_simd_level()) {
        throw InputError("this machine and build run " + std::string(name_of(best_simd_level())) + " at most, not " +
                         std::string(name_of(level)));
    }
    level_in_force().store(level);
}

std::string_view name_of(SimdLevel level) { return names[static_cast<std::size_t>(level)]; }

std::optional<SimdLevel> simd_level_by_name(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<SimdLevel>(i);
    }
    return std::nullopt;
}

} // namespace tandem
