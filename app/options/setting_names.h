// SPDX-License-Identifier: BSD-2-Clause
// The words of the command line that stand for values of the settings; the option table lists them, options read them,
// reports write them. Those of the search are in me/search_names.h.
#pragma once

#include "encoder/settings.h"
#include "me/coprocessor/coprocessor.h"
#include "me/search_names.h"

namespace tandem {

inline constexpr NameTable<Codec, 2> codec_names{{{"mpeg1", Codec::mpeg1}, {"mpeg2", Codec::mpeg2}}};
inline constexpr NameTable<Decision, 4> decision_names{
    {{"tm5", Decision::tm5}, {"sm3", Decision::sm3}, {"cost", Decision::cost}, {"rd", Decision::rd}}};
inline constexpr NameTable<BAdapt, 3> b_adapt_names{
    {{"0", BAdapt::fixed}, {"1", BAdapt::greedy}, {"2", BAdapt::paths}}};
inline constexpr NameTable<MotionReference, 2> motion_reference_names{
    {{"source", MotionReference::source}, {"recon", MotionReference::recon}}};
inline constexpr NameTable<Split, 3> split_names{
    {{"auto", Split::automatic}, {"pictures", Split::pictures}, {"bands", Split::bands}}};
inline constexpr NameTable<bool, 2> quantiser_type_names{{{"linear", false}, {"nonlinear", true}}};
inline constexpr NameTable<bool, 2> switch_names{{{"0", false}, {"1", true}}};

/// Positions per pel, by their number or by their distance.
inline constexpr NameTable<int, 7> precision_names{
    {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"1/2", 2}, {"1/4", 4}, {"1/8", 8}}};
/// Those that MPEG-1 and MPEG-2 code.
inline constexpr NameTable<int, 2> macroblock_grid_names{{{"1", 1}, {"2", 2}}};

} // namespace tandem
