// SPDX-License-Identifier: BSD-2-Clause
// The words that stand for values of the settings. Those of the search are in me/rows/search_names.h.
#pragma once

#include "encoder/settings.h"
#include "me/rows/search_names.h"

namespace tandem {

inline constexpr NameTable<Codec, 2> codec_names{{{"mpeg1", Codec::mpeg1}, {"mpeg2", Codec::mpeg2}}};
inline constexpr NameTable<Compatibility, 6> compatibility_names{{{"any", Compatibility::any},
                                                                  {"vcd", Compatibility::vcd},
                                                                  {"svcd", Compatibility::svcd},
                                                                  {"dvd", Compatibility::dvd},
                                                                  {"atsc", Compatibility::atsc},
                                                                  {"dvb", Compatibility::dvb}}};
inline constexpr NameTable<Decision, 4> decision_names{
    {{"tm5", Decision::tm5}, {"sm3", Decision::sm3}, {"cost", Decision::cost}, {"rd", Decision::rd}}};
inline constexpr NameTable<BAdapt, 3> b_adapt_names{
    {{"0", BAdapt::fixed}, {"1", BAdapt::greedy}, {"2", BAdapt::paths}}};
inline constexpr NameTable<AqMode, 3> aq_mode_names{{{"0", AqMode::off}, {"1", AqMode::usual}, {"2", AqMode::picture}}};
inline constexpr NameTable<IntraTable, 3> intra_table_names{
    {{"auto", IntraTable::shorter}, {"0", IntraTable::b14}, {"1", IntraTable::b15}}};
inline constexpr NameTable<MotionReference, 2> motion_reference_names{
    {{"source", MotionReference::source}, {"recon", MotionReference::recon}}};

} // namespace tandem
