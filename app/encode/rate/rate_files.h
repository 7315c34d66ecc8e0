// SPDX-License-Identifier: BSD-2-Clause
// What a user says of single pictures: --zones and --qpfile.
#pragma once

#include <string>
#include <vector>

#include "encoder/rate/rate_settings.h"

namespace tandem {

/// "FIRST,LAST,q=QUANTISER/FIRST,LAST,b=TIMES": pictures in display order. Throws InputError that names the zone.
std::vector<Zone> parse_zones(const std::string& text);

/// A line for each picture: its number in display order, its type (I, P, B; i and K are I, b is B) and, if it is to
/// have one of its own, its quantiser (-1: as it comes). What follows a # is a comment. Throws InputError that names
/// the line.
std::vector<GivenPicture> read_quantiser_file(const std::string& path);

} // namespace tandem
