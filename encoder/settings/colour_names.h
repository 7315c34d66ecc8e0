// SPDX-License-Identifier: BSD-2-Clause
// Names of the code points of ISO/IEC 13818-2 tables 6-7 to 6-9, as x264 and FFmpeg call them.
#pragma once

#include "me/rows/search_names.h"

namespace tandem {

inline constexpr NameTable<int, 6> primaries_names{
    {{"bt709", 1}, {"unspecified", 2}, {"bt470m", 4}, {"bt470bg", 5}, {"smpte170m", 6}, {"smpte240m", 7}}};
inline constexpr NameTable<int, 11> transfer_names{{{"bt709", 1},
                                                    {"unspecified", 2},
                                                    {"bt470m", 4},
                                                    {"bt470bg", 5},
                                                    {"smpte170m", 6},
                                                    {"smpte240m", 7},
                                                    {"linear", 8},
                                                    {"log100", 9},
                                                    {"log316", 10},
                                                    {"iec61966-2-4", 11},
                                                    {"bt1361e", 12}}};
inline constexpr NameTable<int, 7> matrix_names{
    {{"bt709", 1}, {"unspecified", 2}, {"fcc", 4}, {"bt470bg", 5}, {"smpte170m", 6}, {"smpte240m", 7}, {"ycgco", 8}}};
/// Whether luma has its full range.
inline constexpr NameTable<bool, 2> range_names{{{"limited", false}, {"full", true}}};

} // namespace tandem
