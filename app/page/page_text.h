// SPDX-License-Identifier: BSD-2-Clause
// Pages that hold all they need: templates with places to fill in, and data for their scripts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/json.h"

namespace tandem {

/// What all pages share, from the files of app/page/: typography, colours, the parts of a page, and how its scripts
/// make them. A page puts its own behind these.
extern const std::string_view page_css, page_js;

/// `text` with each placeholder replaced, in one go: what is put in is not looked at again.
std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string_view>>& values);

std::string html_escaped(std::string_view text);

/// For a <script> element: nothing in a string can end it or begin a comment in it.
std::string script_json(const Json& json);

} // namespace tandem
