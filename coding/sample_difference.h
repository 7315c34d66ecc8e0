// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "video/frame.h"

namespace tandem {

/// The first sample in which two pictures of one size differ, in words; empty: they are the same.
std::string sample_difference(const Frame& a, const Frame& b);

} // namespace tandem
