// SPDX-License-Identifier: BSD-2-Clause
// What is known of one pair's field once it is measured, or of all together, and its figures as columns: the table on
// standard output, --stats and --report are made from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/motion/motion_options.h"
#include "me/fields/field_measures.h"

namespace tandem {

struct MotionRecord {
    std::int64_t picture = 0, reference = 0;
    std::string backend; ///< Who searched; of all pairs, whoever had a part.
    FieldMeasures measures;
    std::optional<TruthErrors> truth;
    std::optional<FieldDifferences> differences;
    double search_seconds = 0; ///< In the estimators, one after the other.

    /// Counts a pair in the total.
    void add(const MotionRecord& pair);
};

struct MotionColumn {
    /// What must be given for the figure to be known.
    enum class Needs { nothing, truth, other_field, truth_of_samples };
    std::string_view name;                ///< In CSV and JSON.
    std::string_view heading;             ///< In the table; empty: not shown there.
    int digits;                           ///< After the point.
    double (*value)(const MotionRecord&); ///< NaN: not known.
    Needs needs = Needs::nothing;
};

std::span<const MotionColumn> motion_columns();

/// Whether the options ask for the figure: what it needs is given.
bool is_wanted(const MotionColumn& column, const MotionOptions& options);

/// As the table and CSV write it: "inf" for infinity, `nothing` for NaN.
std::string figure_text(double value, int digits, std::string_view nothing);

} // namespace tandem
