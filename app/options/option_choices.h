// SPDX-License-Identifier: BSD-2-Clause
// Tables of names as the words of an option that is a choice.
#pragma once

#include <string>
#include <string_view>

#include "app/options/setting_names.h"
#include "me/search.h"

namespace tandem {

/// The names of a table as a choice.
template <const auto& names> std::string_view choices() {
    static const std::string joined = joined_names(names, "|");
    return joined;
}

/// The table of searches as a choice; the encoder has no hints.
template <bool with_hints> std::string_view searches() {
    static const std::string names = search_names("|", with_hints);
    return names;
}

} // namespace tandem
