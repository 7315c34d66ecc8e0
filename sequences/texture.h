// SPDX-License-Identifier: BSD-2-Clause
// A smooth random texture that can be looked at from any position, sub-pel ones included.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sequences/affine.h"

namespace tandem {

/// SplitMix64's finaliser (Steele, Lea and Flood 2014): the one source of chance in the scenes.
std::uint64_t hash(std::uint64_t value);

/// How a texture is looked at.
struct TextureLook {
    double blur = 0; ///< Standard deviation of what is out of focus, in pels of the screen: finer octaves fade.
    int period = 0;  ///< Pels, a power of two from 8 on: octaves of which a period has two cells or more repeat after
                     ///< it, the others are a quarter as strong. 0: nothing repeats.
};

/// Octaves of random lattices, each interpolated by cubic B-splines. The spectrum of a lattice with a spacing of s pels
/// falls as sinc^4(f s), and no octave with less than 1.5 pels on the screen is drawn, so that the picture is
/// band-limited enough to be sampled: a texture moved by a fraction of a pel is evaluated there, not interpolated from
/// pels. Integer arithmetic throughout: the same samples on every machine.
class Texture {
  public:
    explicit Texture(std::uint64_t seed);

    /// Pels of octave 0 at scale 1: a power of two, so that whole steps of a pan are whole steps in every lattice.
    static constexpr int octave_0_spacing = 4;
    static constexpr int first_octave = -7; ///< Spacing 1/32 pels: seen when magnified 64 times.
    static constexpr int last_octave = 13;  ///< Spacing 32,768 pels: seen when made 64 times smaller.
    enum class Kind { luma, chroma };

    /// Where a row of samples lies in the picture, in half pels (chroma samples lie between luma samples).
    struct Row {
        int x = 0, y = 0; ///< The first sample.
        int step = 2;     ///< From one sample to the next, along x.
    };

    /// Adds one row: out[i] += texture at map(the row's sample i), in 1/256 of a sample value around 0. `map` takes
    /// picture pels to texture pels; `magnification` is its inverse's scale. `layer` picks one of many independent
    /// textures.
    void add_row(Kind kind, std::uint64_t layer, const FixedAffine& map, double magnification, Row row,
                 std::span<std::int32_t> out, const TextureLook& look = {}) const;

  private:
    /// Positions of a row's samples in an octave's lattice: cells with 32 fraction bits, modulo 2^32 cells. Cell (0, 0)
    /// is that of the lattice at the place; `period` is what cells repeat after, less one.
    struct Walk {
        std::uint64_t u, v, du, dv;
        std::uint32_t place_u, place_v, period;
        std::uint32_t column(std::uint32_t cell) const;
        std::uint32_t row(std::uint32_t cell) const;
    };
    /// The four lattice rows about v.
    std::array<const std::int16_t*, 4> lines(const Walk& walk, std::uint64_t v) const;
    void add_level_row(const Walk& walk, int weight, std::span<std::int32_t> out) const; ///< For dv = 0.
    void add_slanted_row(const Walk& walk, int weight, std::span<std::int32_t> out) const;

    std::uint64_t seed_;
    std::vector<std::int16_t> lattice_; ///< 256 x 256 values -127..127, used with period 256.
};

} // namespace tandem
