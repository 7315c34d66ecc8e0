// SPDX-License-Identifier: BSD-2-Clause
#include "sequences/texture.h"

#include <algorithm>
#include <array>

namespace tandem {
namespace {

constexpr int lattice_bits = 8;
constexpr std::uint32_t lattice_mask = (1u << lattice_bits) - 1;

/// Cubic B-spline weights at t (16 fraction bits) in 1/65536; they add up to 65536.
std::array<std::int32_t, 4> spline_weights(std::uint32_t t) {
    const auto cube_sixth = [](std::uint64_t u) { return static_cast<std::int32_t>((u * u / 6 * u) >> 32); };
    const std::int32_t w0 = cube_sixth(65536 - t);
    const std::int32_t w3 = cube_sixth(t);
    const std::uint64_t square = static_cast<std::uint64_t>(t) * t;
    // (1 + 3t + 3t^2 - 3t^3) / 6
    const auto w2 = static_cast<std::int32_t>((65536 + 3 * std::uint64_t{t} + 3 * (square >> 16)) / 6) - 3 * w3;
    return {w0, 65536 - w0 - w2 - w3, w2, w3};
}

struct Knot {
    double spacing; ///< Pels on the screen.
    double weight;
};

double interpolate(std::span<const Knot> knots, double spacing) {
    if (spacing <= knots.front().spacing) return knots.front().weight;
    for (std::size_t i = 1; i < knots.size(); ++i) {
        if (spacing > knots[i].spacing) continue;
        const Knot& a = knots[i - 1];
        const Knot& b = knots[i];
        return a.weight + (b.weight - a.weight) * (spacing - a.spacing) / (b.spacing - a.spacing);
    }
    return knots.back().weight;
}

/// How strong a lattice is drawn, in 1/256, by its spacing on the screen: little fine detail, much coarse shading, as
/// in natural pictures, nothing that the samples could not carry, and nothing so coarse that it is a mean value only.
int octave_weight(Texture::Kind kind, double spacing) {
    static constexpr std::array luma{Knot{1.5, 0},  Knot{2, 0.2},  Knot{4, 0.55},  Knot{8, 0.6}, Knot{16, 0.55},
                                     Knot{32, 0.5}, Knot{96, 0.4}, Knot{192, 0.3}, Knot{384, 0}};
    static constexpr std::array chroma{Knot{8, 0}, Knot{12, 0.05}, Knot{24, 0.15}, Knot{192, 0.15}, Knot{384, 0}};
    const double weight = kind == Texture::Kind::luma ? interpolate(luma, spacing) : interpolate(chroma, spacing);
    return static_cast<int>(weight * 256 + 0.5);
}

/// A Gaussian of deviation b lets exp(-(pi b / s)^2 / 2) of the finest waves of a lattice through, of 2 s pels: here by
/// the first terms of the exponential's series, which every machine computes alike.
double in_focus(double blur, double spacing) {
    constexpr double half_square_of_pi = 4.934802200544679;
    const double x = half_square_of_pi * (blur / spacing) * (blur / spacing);
    return 1 / (1 + x + x * x / 2 + x * x * x / 6);
}

/// The weight of an octave by how it is looked at.
int looked_at(int weight, double spacing, const TextureLook& look, bool repeats) {
    if (look.blur > 0) weight = static_cast<int>(weight * in_focus(look.blur, spacing) + 0.5);
    return look.period > 0 && !repeats ? weight / 4 : weight;
}

/// Units of 2^-32 lattice cells of octave 0 to those of `octave`.
std::uint64_t to_octave(std::int64_t coordinate, int octave) {
    if (octave >= 0) return static_cast<std::uint64_t>(coordinate >> octave);
    return static_cast<std::uint64_t>(coordinate) << -octave;
}

/// Four lattice rows blended at one column: 1/256 of a lattice value.
std::int32_t blend_down(std::span<const std::int16_t* const, 4> lines, const std::array<std::int32_t, 4>& weights,
                        std::uint32_t column) {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < 4; ++j)
        sum += weights[j] * lines[j][column];
    return sum >> 8;
}

std::int32_t blend_across(const std::int32_t* four, const std::array<std::int32_t, 4>& weights) {
    // At most 65536 * 127 * 256 in size.
    return (four[0] * weights[0] + four[1] * weights[1] + four[2] * weights[2] + four[3] * weights[3]) >> 16;
}

std::uint32_t cell_of(std::uint64_t coordinate) { return static_cast<std::uint32_t>(coordinate >> 32); }
std::uint32_t fraction_of(std::uint64_t coordinate) { return static_cast<std::uint32_t>(coordinate >> 16) & 0xFFFF; }

} // namespace

std::uint64_t hash(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

Texture::Texture(std::uint64_t seed) : seed_(hash(seed)), lattice_(std::size_t{1} << (2 * lattice_bits)) {
    for (std::size_t i = 0; i < lattice_.size(); ++i)
        lattice_[i] = static_cast<std::int16_t>(static_cast<int>(hash(seed_ + i) % 255) - 127);
}

std::uint32_t Texture::Walk::column(std::uint32_t cell) const { return (place_u + (cell & period)) & lattice_mask; }
std::uint32_t Texture::Walk::row(std::uint32_t cell) const { return (place_v + (cell & period)) & lattice_mask; }

std::array<const std::int16_t*, 4> Texture::lines(const Walk& walk, std::uint64_t v) const {
    std::array<const std::int16_t*, 4> result{};
    for (std::uint32_t j = 0; j < 4; ++j)
        result[j] = lattice_.data() + (walk.row(cell_of(v) + j) << lattice_bits);
    return result;
}

void Texture::add_level_row(const Walk& walk, int weight, std::span<std::int32_t> out) const {
    // All samples lie between the same lattice rows: blend those once.
    const auto rows = lines(walk, walk.v);
    const auto down_weights = spline_weights(fraction_of(walk.v));
    const std::uint64_t last = walk.u + walk.du * (out.size() - 1);
    const bool forward = static_cast<std::int64_t>(walk.du) >= 0;
    const std::uint32_t first_cell = cell_of(forward ? walk.u : last);
    const std::uint32_t cells = cell_of(forward ? last : walk.u) - first_cell + 4;
    std::vector<std::int32_t> blended(cells);
    for (std::uint32_t i = 0; i < cells; ++i)
        blended[i] = blend_down(rows, down_weights, walk.column(first_cell + i));
    std::uint64_t u = walk.u;
    for (std::int32_t& sample : out) {
        const std::int32_t* four = blended.data() + (cell_of(u) - first_cell);
        sample += (blend_across(four, spline_weights(fraction_of(u))) * weight) >> 8;
        u += walk.du;
    }
}

void Texture::add_slanted_row(const Walk& walk, int weight, std::span<std::int32_t> out) const {
    std::uint64_t u = walk.u, v = walk.v;
    for (std::int32_t& sample : out) {
        const auto rows = lines(walk, v);
        const auto down_weights = spline_weights(fraction_of(v));
        std::array<std::int32_t, 4> four{};
        for (std::uint32_t k = 0; k < 4; ++k)
            four[k] = blend_down(rows, down_weights, walk.column(cell_of(u) + k));
        sample += (blend_across(four.data(), spline_weights(fraction_of(u))) * weight) >> 8;
        u += walk.du;
        v += walk.dv;
    }
}

void Texture::add_row(Kind kind, std::uint64_t layer, const FixedAffine& map, double magnification, Row row,
                      std::span<std::int32_t> out, const TextureLook& look) const {
    if (out.empty()) return;
    const std::int64_t u = ((map.xx * row.x + map.xy * row.y) / 2 + map.x0) / octave_0_spacing;
    const std::int64_t v = ((map.yx * row.x + map.yy * row.y) / 2 + map.y0) / octave_0_spacing;
    const std::int64_t du = map.xx * row.step / (2 * octave_0_spacing), dv = map.yx * row.step / (2 * octave_0_spacing);
    for (int octave = first_octave; octave <= last_octave; ++octave) {
        const double cells = octave >= 0 ? static_cast<double>(1 << octave) : 1.0 / static_cast<double>(1 << -octave);
        const double spacing = octave_0_spacing * cells;
        const bool repeats = look.period > 0 && 2 * spacing <= look.period;
        const int weight =
            looked_at(octave_weight(kind, spacing * magnification), spacing * magnification, look, repeats);
        if (weight == 0) continue;
        // Each layer and octave looks at its own part of the lattice.
        const std::uint64_t place = hash(seed_ ^ hash(layer * 64 + static_cast<std::uint64_t>(octave - first_octave)));
        const std::uint32_t period = repeats ? static_cast<std::uint32_t>(look.period / spacing) : lattice_mask + 1;
        const Walk walk{to_octave(u, octave),
                        to_octave(v, octave),
                        to_octave(du, octave),
                        to_octave(dv, octave),
                        static_cast<std::uint32_t>(place),
                        static_cast<std::uint32_t>(place >> 32),
                        std::min(period, lattice_mask + 1) - 1};
        if (walk.dv == 0)
            add_level_row(walk, weight, out);
        else
            add_slanted_row(walk, weight, out);
    }
}

} // namespace tandem
