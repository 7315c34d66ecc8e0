// SPDX-License-Identifier: BSD-2-Clause
#include "app/page/page_text.h"

namespace tandem {

std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string_view>>& values) {
    std::string result;
    while (!text.empty()) {
        std::size_t next = text.size();
        const std::pair<std::string_view, std::string_view>* found = nullptr;
        for (const auto& value : values) {
            const std::size_t place = text.find(value.first);
            if (place >= next) continue;
            next = place;
            found = &value;
        }
        result += text.substr(0, next);
        if (found == nullptr) break;
        result += found->second;
        text.remove_prefix(next + found->first.size());
    }
    return result;
}

std::string html_escaped(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        const std::string_view special = letter == '<'   ? "&lt;"
                                         : letter == '>' ? "&gt;"
                                         : letter == '&' ? "&amp;"
                                         : letter == '"' ? "&quot;"
                                                         : "";
        if (special.empty())
            result += letter;
        else
            result += special;
    }
    return result;
}

std::string script_json(const Json& json) {
    std::string result;
    for (const char letter : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
        if (letter == '<')
            result += "\\u003c";
        else
            result += letter;
    }
    return result;
}

} // namespace tandem
