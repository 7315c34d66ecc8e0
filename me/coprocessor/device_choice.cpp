// SPDX-License-Identifier: BSD-2-Clause
#include "me/coprocessor/device_choice.h"

#include <algorithm>
#include <charconv>

namespace tandem {
namespace {

/// "0,2"; nothing twice. Empty where it is no such list.
std::vector<int> ordinals_of(std::string_view list) {
    std::vector<int> ordinals;
    const char* at = list.data();
    const char* const end = at + list.size();
    while (true) {
        int ordinal = 0;
        const auto [stop, error] = std::from_chars(at, end, ordinal);
        if (error != std::errc{} || *at == '-' || std::ranges::find(ordinals, ordinal) != ordinals.end()) return {};
        ordinals.push_back(ordinal);
        if (stop == end) return ordinals;
        if (*stop != ',') return {};
        at = stop + 1;
    }
}

} // namespace

std::optional<DeviceChoice> device_named(std::string_view text) {
    DeviceChoice choice;
    if (text == "auto") return choice;
    if (text == "cpu") {
        choice.gpus = false;
        return choice;
    }
    choice.gpus_are_required = true;
    choice.cpu_shares = text.starts_with("cpu+");
    if (choice.cpu_shares) text.remove_prefix(4);
    if (text == "gpu") return choice;
    if (!text.starts_with("gpu:")) return std::nullopt;
    choice.ordinals = ordinals_of(text.substr(4));
    if (choice.ordinals.empty()) return std::nullopt;
    return choice;
}

} // namespace tandem
