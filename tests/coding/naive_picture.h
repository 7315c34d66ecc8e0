// SPDX-License-Identifier: BSD-2-Clause
// Pictures out of a seed, and prediction as the standards word it, sample by sample: slow and plain.
#pragma once

#include <cstdint>
#include <memory>
#include <random>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/reference.h"
#include "video/frame.h"

namespace tandem::test {

/// Uniform in low..high; the same on every machine, unlike std::uniform_int_distribution.
int draw(std::mt19937& random, int low, int high);

/// Waves with `noise` (0..255) of noise on them.
std::shared_ptr<Frame> random_frame(int width, int height, std::uint32_t seed, int noise);
/// A picture that resembles `frame`: moved by whole pels, with `noise` on it.
std::shared_ptr<Frame> moved_frame(const Frame& frame, int move_x, int move_y, std::uint32_t seed, int noise);

/// A random vector at half-pels, `reach` half-pels at most, that keeps the macroblock at luma (x, y) inside.
Mv random_vector(std::mt19937& random, int x, int y, int width, int height, int reach);

/// The predicted sample at (x, y) of a plane (0 luma, 1 Cb, 2 Cr): 13818-2 clauses 7.6.3.7, 7.6.4 and 7.6.7.1.
int predicted_sample(const References& references, std::uint8_t flags, Mv forward, Mv backward, int plane, int x,
                     int y);

} // namespace tandem::test
