// SPDX-License-Identifier: BSD-2-Clause
// The data in a page of `tandem view`.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tandem::test {

inline nlohmann::json data_of_page(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

} // namespace tandem::test
