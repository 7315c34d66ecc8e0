// SPDX-License-Identifier: BSD-2-Clause
// The makers that the rows of the table name.
#pragma once

#include "me/search.h"

namespace tandem {

std::unique_ptr<Search> make_full_search(const SearchInput& input, int first_row, int end_row);
/// The search of every row that has a walk.
std::unique_ptr<Search> make_walk_search(const SearchInput& input, int first_row, int end_row);
std::unique_ptr<Search> make_smpuhex_search(const SearchInput& input, int first_row, int end_row);
std::unique_ptr<Search> make_hierarchical_search(const SearchInput& input, int first_row, int end_row);
std::unique_ptr<Search> make_phase_search(const SearchInput& input, int first_row, int end_row);
std::unique_ptr<Search> make_predictive_search(const SearchInput& input, int first_row, int end_row);
std::unique_ptr<Search> make_given_vectors(const SearchInput& input, int first_row, int end_row);

/// Whether full search finds the positions that cannot win in less time than it takes to measure them.
bool is_worth_eliminating(const SearchParams& params);

int rows_above_smpuhex(const SearchParams& params, int first_row);

} // namespace tandem
