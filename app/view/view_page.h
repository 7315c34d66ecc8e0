// SPDX-License-Identifier: BSD-2-Clause
// The files of page/ as text, put into the program by cmake/embed_text.cmake.
#pragma once

#include <string_view>

namespace tandem {

extern const std::string_view view_html; ///< With {{title}}, {{style}}, {{script}} and {{data}} to fill in.
extern const std::string_view view_css, view_js;

} // namespace tandem
