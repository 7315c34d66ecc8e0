// SPDX-License-Identifier: BSD-2-Clause
// What made a row of results.jsonl.
#pragma once

#include <string>
#include <vector>

#include "app/compare/compare_plan.h"

namespace tandem {

/// What holds for all points of this process: command, versions, machine.
Json common_provenance();

/// The version of a peer, asked of its library or command; run_program()'s rules hold.
std::string peer_version(const Peer& peer);

/// Warns, once for each difference, of rows that another machine or version made.
void warn_of_other_makers(const std::vector<Json>& rows, const Json& provenance);

} // namespace tandem
