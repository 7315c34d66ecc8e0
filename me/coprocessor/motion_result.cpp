// SPDX-License-Identifier: BSD-2-Clause
#include "me/coprocessor/motion_result.h"

#include <algorithm>

namespace tandem {

void add_backends(std::string& names, std::string_view more) {
    const auto between_separators = [](std::string_view text) {
        return std::string(backend_separator).append(text).append(backend_separator);
    };
    while (!more.empty()) {
        const std::string_view name = more.substr(0, more.find(backend_separator));
        more.remove_prefix(std::min(more.size(), name.size() + backend_separator.size()));
        if (between_separators(names).find(between_separators(name)) != std::string::npos) continue;
        if (!names.empty()) names += backend_separator;
        names += name;
    }
}

} // namespace tandem
