// SPDX-License-Identifier: BSD-2-Clause
// Pictures for the motion tests: random, extreme, and moved by a known vector.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "video/frame.h"

namespace tandem::test {

enum class Content { noise, smooth, black, white, checkerboard, black_on_white, bent, dots };

/// x0 x1 + y0 y1 (mod 2), where x0, x1, y0 and y1 are the lowest bits of the coordinates: a bent function. Where a
/// difference is +-255 as it says, all coefficients of 4x4 samples are as large as they can be at once.
bool bent(int x, int y);

std::vector<Content> all_contents();
std::string name_of(Content content);

/// A current picture and its reference.
struct PicturePair {
    FramePtr current;
    FramePtr reference;
};

/// Two pictures of the content, made from the seed. noise: independent samples; smooth: sums of waves, the
/// second moved a little; black_on_white: the largest difference everywhere; bent: the largest SATD; dots: few samples
/// differ from the rest, and the second is darker, so that many vectors cost the same: what the sums of both differ by.
PicturePair make_pair(Content content, int width, int height, std::uint32_t seed);

/// A textured scene; prediction from the reference by (move_x, move_y) pels is exact where it stays inside.
PicturePair make_pan(int width, int height, int move_x, int move_y, std::uint32_t seed);

struct ShuffledDrawing {
    int farthest = 100; ///< Pels.
    int bright = 50;    ///< Of 100 samples, at random; the others are dark.
    int contrast = 160; ///< Bright less dark.
    int noisy = 0;      ///< Of 100 samples of the current picture: brighter by one.
};

/// Two levels of luma, and a picture whose every block of 16x16 samples comes from somewhere else: averages tell
/// nothing of where.
PicturePair make_shuffled_drawing(int width, int height, const ShuffledDrawing& drawing, std::uint32_t seed);

/// The same luma, and chroma that is the luma's samples (2x, 2y), in the second plane altered: moves as the luma does.
PicturePair in_colour(const PicturePair& pair);

/// 1..most samples; every other time about a multiple of 64, where kernels begin anew.
int any_side(std::mt19937& random, int most);

/// A generator of random cases: the same ones in every run, others with --gtest_random_seed=N.
std::mt19937 cases_of(std::uint32_t seed);

} // namespace tandem::test
