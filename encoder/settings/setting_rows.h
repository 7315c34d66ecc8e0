// SPDX-License-Identifier: BSD-2-Clause
// The settings of an encode as rows: see me/rows/setting_row.h. A new one is a field of Settings and a row here; the
// command's option, its help, the checks of Settings::validate(), reports and the key of a result of `tandem compare`
// follow. Quantiser matrices, 64 numbers each, have no rows.
#pragma once

#include <span>

#include "encoder/settings.h"
#include "me/rows/setting_row.h"

namespace tandem {

/// In the order of help.
std::span<const SettingRow<Settings>> setting_rows();

/// Null where no row has the name.
const SettingRow<Settings>* find_setting(std::string_view name);

} // namespace tandem
