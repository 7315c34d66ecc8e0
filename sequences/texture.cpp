// SPDX-License-Identifier: BSD-2-Clause
#include "sequences/texture.h"

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
    static constexpr std::array luma{Knot{2, 0},     Knot{3, 0.25}, Knot{6, 0.4},   Knot{12, 0.5},
                                     Knot{24, 0.55}, Knot{96, 0.6}, Knot{192, 0.4}, Knot{384, 0}};
    static constexpr std::array chroma{Knot{8, 0}, Knot{12, 0.1}, Knot{24, 0.3}, Knot{192, 0.3}, Knot{384, 0}};
    const double weight = kind == Texture::Kind::luma ? interpolate(luma, spacing) : interpolate(chroma, spacing);
    return static_cast<int>(weight * 256 + 0.5);
}

/// Units of 2^-32 lattice cells of octave 0 to those of `octave`.
std::int64_t to_octave(std::int64_t coordinate, int octave) {
    if (octave >= 0) return coordinate >> octave;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(coordinate) << -octave);
}

} // namespace

std::uint64_t hash(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

Texture::Texture(std::uint64_t seed) : seed_(hash(seed)), lattice_(std::size_t{1} << (2 * lattice_bits)) {
    for (std::size_t i = 0; i < lattice_.size(); ++i)
        lattice_[i] = static_cast<std::int16_t>(hash(seed_ + i) % 255) - std::int16_t{127};
}

std::int64_t Texture::sample(std::uint64_t u, std::uint64_t v) const {
    const auto wx = spline_weights(static_cast<std::uint32_t>(u >> 16) & 0xFFFF);
    const auto wy = spline_weights(static_cast<std::uint32_t>(v >> 16) & 0xFFFF);
    const auto column = static_cast<std::uint32_t>(u >> 32), row = static_cast<std::uint32_t>(v >> 32);
    std::int64_t sum = 0;
    for (std::uint32_t j = 0; j < 4; ++j) {
        const std::int16_t* line = lattice_.data() + (((row + j) & lattice_mask) << lattice_bits);
        std::int32_t across = 0;
        for (std::uint32_t k = 0; k < 4; ++k)
            across += wx[k] * line[(column + k) & lattice_mask];
        sum += std::int64_t{across} * wy[j];
    }
    return sum;
}

void Texture::add_row(Kind kind, std::uint64_t layer, const FixedAffine& map, double magnification, Row row,
                      std::span<std::int32_t> out) const {
    const std::int64_t u0 = ((map.xx * row.x + map.xy * row.y) / 2 + map.x0) / finest_spacing;
    const std::int64_t v0 = ((map.yx * row.x + map.yy * row.y) / 2 + map.y0) / finest_spacing;
    const std::int64_t du = map.xx * row.step / (2 * finest_spacing), dv = map.yx * row.step / (2 * finest_spacing);
    for (int octave = first_octave; octave <= last_octave; ++octave) {
        const double cells = octave >= 0 ? static_cast<double>(1 << octave) : 1.0 / static_cast<double>(1 << -octave);
        const int weight = octave_weight(kind, finest_spacing * cells * magnification);
        if (weight == 0) continue;
        // Each layer and octave looks at its own part of the lattice.
        const std::uint64_t place = hash(seed_ ^ hash(layer * 64 + static_cast<std::uint64_t>(octave - first_octave)));
        const std::uint64_t place_u = place << 32, place_v = place & 0xFFFFFFFF00000000u;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::int64_t u = to_octave(u0 + du * static_cast<std::int64_t>(i), octave);
            const std::int64_t v = to_octave(v0 + dv * static_cast<std::int64_t>(i), octave);
            const std::int64_t value =
                sample(static_cast<std::uint64_t>(u) + place_u, static_cast<std::uint64_t>(v) + place_v);
            out[i] += static_cast<std::int32_t>((value * weight) >> 32);
        }
    }
}

} // namespace tandem
