// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/search_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "machine/errors.h"

namespace tandem {

std::vector<Algorithm> searches_of(const Arguments& arguments, std::string_view option) {
    std::vector<Algorithm> searches;
    const auto add = [&](Algorithm search, std::string_view word) {
        if (std::ranges::find(searches, search) != searches.end())
            throw InputError(fmt::format("{}: {} is given twice", arguments.written(option), word));
        searches.push_back(search);
    };
    for (const std::string& word : arguments.list(option)) {
        if (word == "all") {
            for (const SearchRow& row : search_table())
                if (!row.from_hint && is_built(row)) add(row.algorithm, row.name);
            continue;
        }
        const auto found = algorithm_by_name(word);
        if (!found || search_row(*found).from_hint)
            throw InputError(
                fmt::format("{} {}: must be of {}, all", arguments.written(option), word, search_names(", ", false)));
        add(*found, word);
    }
    return searches;
}

} // namespace tandem
