// SPDX-License-Identifier: BSD-2-Clause
// Results as text: CSV for spreadsheets, Markdown for a README.
#pragma once

#include <string>

#include "app/compare/report/report_points.h"

namespace tandem {

/// A line a point, after a line of names.
std::string results_csv(const ReportPoints& points);

/// Tables of what report_summary() gave.
std::string results_markdown(const Json& summary);

} // namespace tandem
