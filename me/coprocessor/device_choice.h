// SPDX-License-Identifier: BSD-2-Clause
// Where motion is searched, as users of every interface say it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tandem {

/// auto: the GPUs where there are any, else the CPU. cpu. gpu: all GPUs, or those named as in gpu:0,2; it is an error
/// when they cannot be used. cpu+gpu, cpu+gpu:0,2: the same, and the CPU takes its share.
struct DeviceChoice {
    bool gpus = true;
    bool gpus_are_required = false; ///< gpu or cpu+gpu.
    bool cpu_shares = false;
    std::vector<int> ordinals; ///< Empty: all.
};

/// What a word is told that is none of these.
inline constexpr std::string_view device_words = "auto, cpu, gpu, gpu:N[,N...] (each N once), cpu+gpu or "
                                                 "cpu+gpu:N[,N...]";

/// Nothing for a word that is none of these.
std::optional<DeviceChoice> device_named(std::string_view text);

} // namespace tandem
