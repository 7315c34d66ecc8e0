// SPDX-License-Identifier: BSD-2-Clause
// Pictures of a scene and all that a filter is told of them, by chance.
#pragma once

#include <random>

#include "coding/filter/temporal_filter.h"

namespace tandem::test {

/// Of every kind: any number of neighbours, vectors that are right, wrong or lead out of the picture, costs on either
/// side of intra's, macroblocks that are left alone, pictures that are nothing but noise, any quantiser.
FilterInput random_filter_input(std::mt19937& random);

} // namespace tandem::test
