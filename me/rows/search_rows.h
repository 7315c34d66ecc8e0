// SPDX-License-Identifier: BSD-2-Clause
// The settings of a search as rows. Block, range and predictor are no plain numbers or words, and have none.
#pragma once

#include <span>

#include "me/rows/setting_row.h"
#include "me/search_params.h"

namespace tandem {

/// What a search measures by, and the parameters that belong to one search each: an encode has them too.
std::span<const SettingRow<SearchParams>> shared_search_rows();

/// The others, whose limits and meaning are those of SearchParams.
std::span<const SettingRow<SearchParams>> plain_search_rows();

} // namespace tandem
