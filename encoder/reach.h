// SPDX-License-Identifier: BSD-2-Clause
// How far the settings let an encode look: ahead in time, and across a picture.
#pragma once

#include "encoder/settings.h"
#include "me/search.h"

namespace tandem {

/// Whether anything is decided by looking at pictures ahead.
bool looks_ahead(const Settings& settings);

/// The pictures from a picture to its reference, at most.
int largest_distance(const Settings& settings);

/// The settings' range, or what is usual for their search.
int chosen_range(const Settings& settings);

/// The range of a search that does not begin at predictors at a distance, in pels to the left and right: the settings'
/// range for each picture, but beyond 63 only where that range is.
int search_range(const Settings& settings, int distance);

/// Sets the start, the ranges and the farthest vectors of a search at a distance: as the settings and the codec have
/// them.
void set_reach(const Settings& settings, int distance, SearchParams& params);

/// The longest vectors that the settings' search finds in pictures of a size, before half-pel steps.
VectorLimits longest_vectors(const Settings& settings, int width, int height);

} // namespace tandem
