// SPDX-License-Identifier: BSD-2-Clause
// The table of searches and of their settings for Python: what the command's options are made from.
#include <string>
#include <utility>

#include "me/rows/search_rows.h"
#include "me/search.h"
#include "python/module.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// As far as the command looks where nothing is said, in pels; of what is no search, as full.
std::pair<int, int> usual_range(const std::string& search) {
    const SearchRow& row = search_row(algorithm_by_name(search).value_or(Algorithm::full));
    return {row.usual_range, row.vertical_range(row.usual_range)};
}

/// Name, default and words of each setting of a search.
py::list search_settings() {
    py::list all;
    for (const auto rows : {plain_search_rows(), shared_search_rows()}) {
        for (const SettingRow<SearchParams>& row : rows) {
            py::list words;
            for (const SettingWord& word : row.words)
                words.append(std::string(word.word));
            all.append(py::make_tuple(std::string(row.name),
                                      setting_value_text(row.words, row.field.get(SearchParams{})), py::tuple(words)));
        }
    }
    return all;
}

} // namespace

void add_search_rows(py::module_& module) {
    module.def("usual_range", &usual_range, py::arg("search"));
    module.def("search_settings", &search_settings);
}

} // namespace tandem::python
