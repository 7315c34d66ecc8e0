// SPDX-License-Identifier: BSD-2-Clause
// The files of page/ as text, put into the program by cmake/embed_text.cmake.
#pragma once

#include <string_view>

namespace tandem {

extern const std::string_view report_html; ///< With {{title}}, {{style}}, {{script}} and {{data}} to fill in.
extern const std::string_view report_css, report_js;

} // namespace tandem
