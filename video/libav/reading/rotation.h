// SPDX-License-Identifier: BSD-2-Clause
// How a file asks players to turn its pictures.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "video/libav/libav_handles.h"

namespace tandem {

/// A stream's display matrix, nine 32-bit numbers; empty where it has none.
std::span<const std::uint8_t> display_matrix_of(const AVStream& stream);
/// Gives a stream that is to be written such a matrix.
void set_display_matrix(AVStream& stream, std::span<const std::uint8_t> matrix);
/// Degrees counter-clockwise, by the picture's own matrix or its stream's; 0: none.
double rotation_of(const AVFrame& frame, const AVStream& stream);
/// The chain of libavfilter's filters that does to the picture what its matrix, or its stream's, asks players for:
/// turns by quarters, and mirrors. Empty: nothing is asked for, or another turn.
std::string turning_chain(const AVFrame& frame, const AVStream& stream);
/// Whether a chain of filters turns or mirrors pictures itself, so that players must not do it again.
bool turns_picture(const std::string& filters);

} // namespace tandem
