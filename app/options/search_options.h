// SPDX-License-Identifier: BSD-2-Clause
// Options of a search that tandem motion and tandem encode have in common.
#pragma once

#include <span>

#include "app/json.h"
#include "app/options/filling.h"
#include "app/options/option_table.h"
#include "me/search_params.h"

namespace tandem {

/// What a search measures by, and the parameters that belong to one search each.
std::span<const OptionRow> measure_rows();
std::span<const OptionRow> tuning_rows();

/// Sets what the user gave of either.
void fill_measure_and_tuning(const Filling& fill, SearchParams& search);

/// The parameters of tuning_rows(), as reports have them.
Json tuning_json(const SearchParams& search);

} // namespace tandem
