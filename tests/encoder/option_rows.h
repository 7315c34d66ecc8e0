// SPDX-License-Identifier: BSD-2-Clause
// The choices an encode has, one at a time: what streams are tried with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "encoder/settings.h"

namespace tandem::test {

struct OptionRow {
    std::string name;
    std::function<void(Settings&)> change;
};

/// Those of the codec, for pictures of at least 9 macroblocks in at most 5 rows.
std::vector<OptionRow> option_rows(Codec codec);

} // namespace tandem::test
