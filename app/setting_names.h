// SPDX-License-Identifier: BSD-2-Clause
// The words of the command line that stand for values of the settings; options read them, reports write them.
// Searches have their names in the table of searches.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "encoder/settings.h"
#include "me/coprocessor.h"

namespace tandem {

template <class Value, std::size_t count> using NameTable = std::array<std::pair<std::string_view, Value>, count>;

inline constexpr NameTable<VideoCodec, 2> codec_names{{{"mpeg1", VideoCodec::mpeg1}, {"mpeg2", VideoCodec::mpeg2}}};
inline constexpr NameTable<Decision, 3> decision_names{
    {{"tm5", Decision::tm5}, {"sm3", Decision::sm3}, {"cost", Decision::cost}}};
inline constexpr NameTable<MotionReference, 2> motion_reference_names{
    {{"source", MotionReference::source}, {"recon", MotionReference::recon}}};
inline constexpr NameTable<Split, 3> split_names{
    {{"auto", Split::automatic}, {"pictures", Split::pictures}, {"bands", Split::bands}}};
inline constexpr NameTable<bool, 2> quantiser_type_names{{{"linear", false}, {"nonlinear", true}}};
inline constexpr NameTable<bool, 2> switch_names{{{"0", false}, {"1", true}}};

inline constexpr NameTable<Metric, 3> metric_names{
    {{"sad", Metric::sad}, {"ssd", Metric::ssd}, {"satd", Metric::satd}}};
inline constexpr NameTable<Planes, 2> planes_names{{{"luma", Planes::luma}, {"all", Planes::all}}};
inline constexpr NameTable<Interpolation, 3> interpolation_names{
    {{"bilinear", Interpolation::bilinear}, {"six-tap", Interpolation::six_tap}, {"texture", Interpolation::texture}}};
inline constexpr NameTable<Boundary, 2> boundary_names{{{"inside", Boundary::inside}, {"padded", Boundary::padded}}};
inline constexpr NameTable<StepSequence, 2> step_sequence_names{
    {{"falling", StepSequence::falling}, {"halving", StepSequence::halving}}};
inline constexpr NameTable<BlockOrder, 2> block_order_names{
    {{"passes", BlockOrder::passes}, {"raster", BlockOrder::raster}}};
/// Positions per pel, by their number or by their distance.
inline constexpr NameTable<int, 7> precision_names{
    {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"1/2", 2}, {"1/4", 4}, {"1/8", 8}}};

/// A name that the option table allows and no row has is a fault of the program.
template <class Value, std::size_t count>
Value value_named(const NameTable<Value, count>& names, std::string_view name) {
    for (const auto& [known, value] : names)
        if (known == name) return value;
    throw std::logic_error("nothing stands for " + std::string(name));
}

template <class Value, std::size_t count> std::string_view name_of(const NameTable<Value, count>& names, Value value) {
    for (const auto& [name, known] : names)
        if (known == value) return name;
    throw std::logic_error("a value of the settings has no name");
}

} // namespace tandem
