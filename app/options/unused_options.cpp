// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/unused_options.h"

#include <algorithm>

#include "me/search.h"

namespace tandem {
namespace {

bool is_search(std::string_view name) {
    const auto rows = search_table();
    return std::ranges::any_of(rows, [&](const auto& row) { return name == row.name; });
}

/// The searches before the colon of an option's help; none where it is not of single searches.
std::vector<std::string_view> searches_of(std::string_view help) {
    std::vector<std::string_view> found;
    std::string_view list = help.substr(0, std::min(help.find(':'), help.size()));
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(", "), list.size());
        if (!is_search(list.substr(0, end))) return {};
        found.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
    return found;
}

} // namespace

std::string unused_search_options(const Arguments& arguments, std::string_view search) {
    std::string text;
    for (const OptionRow& row : arguments.command().options) {
        if (!arguments.given(row.name)) continue;
        const auto searches = searches_of(row.help);
        if (searches.empty() || std::ranges::find(searches, search) != searches.end()) continue;
        std::string names;
        for (const std::string_view name : searches)
            names += (names.empty() ? "" : " and ") + std::string(name);
        text += (text.empty() ? "--" : ", --") + std::string(row.name) + " is of " + names;
    }
    return text;
}

} // namespace tandem
