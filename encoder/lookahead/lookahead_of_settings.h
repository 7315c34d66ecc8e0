// SPDX-License-Identifier: BSD-2-Clause
// What an encode's settings ask of the lookahead.
#pragma once

#include "encoder/lookahead/lookahead.h"
#include "encoder/settings.h"

namespace tandem {

/// `settings.qp` is the quantiser_scale_code that is likely. Without a guess.
LookaheadSettings lookahead_settings(const Settings& settings);

} // namespace tandem
