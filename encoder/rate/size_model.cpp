// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/size_model.h"

#include <algorithm>
#include <cmath>

namespace tandem {

namespace {

// Measured on clips of CIF to 720p at quantisers from 2 to 31: bits fall so with the quantiser, and are so many for a
// unit of cost at quantiser 1,
constexpr std::array<double, 3> exponents{0.93, 1.2, 1.3};
constexpr std::array<double, 3> usual_factors{0.31, 0.8, 0.65};
// beside those that a macroblock takes at any quantiser and of any content, as in a black I picture: six sizes of DC
// and ends of blocks.
constexpr std::array<double, 3> bits_of_a_macroblock{33, 0, 0};

/// A picture of skipped macroblocks is its headers (13818-2 clauses 6.2.3 and 6.2.3.1) and its slices (6.2.4): each has
/// a header, two macroblocks without a difference, and an escape for every 33 that are skipped between these.
constexpr double bits_of_headers = 144, bits_of_a_slice = 64, bits_of_a_skipped_macroblock = 1.0 / 3;

/// Little beside what is learnt from usual video, and much beside black, which says nothing of what comes.
constexpr double usual_cost_of_a_macroblock = 100;

/// What a picture's weight is multiplied by with each later one of its type.
constexpr std::array<double, 3> decays{0.5, 0.87, 0.87};

/// Of the intra cost, what is left of a picture that is predicted from nothing like it, as noise is.
constexpr double unpredicted_part = 0.95;

/// Of a picture without any difference to code: its macroblocks take bits all the same.
constexpr int least_cost_of_a_macroblock = 24;

} // namespace

double least_cost(int macroblocks) { return static_cast<double>(least_cost_of_a_macroblock) * macroblocks; }

double cost_of(PictureType type, const PictureCosts& costs, int macroblocks) {
    const std::uint64_t cost = type == PictureType::intra ? costs.intra : costs.inter;
    return std::max(static_cast<double>(cost), least_cost(macroblocks));
}

PictureType size_law(PictureType type, double cost, double intra_cost, int macroblocks) {
    // What is nearly black or flat is skipped, whatever it would be predicted from.
    const bool is_flat = cost < usual_cost_of_a_macroblock * macroblocks;
    return intra_cost > 0 && !is_flat && cost > unpredicted_part * intra_cost ? PictureType::intra : type;
}

double bits_of_skipped(int macroblocks, int rows) {
    return rows > 0 ? bits_of_headers + bits_of_a_slice * rows + bits_of_a_skipped_macroblock * macroblocks : 0;
}

SizeModel::SizeModel(int macroblocks, int rows)
    : macroblocks_(macroblocks), least_(bits_of_skipped(macroblocks, rows)),
      usual_cost_(usual_cost_of_a_macroblock * macroblocks_) {}

double SizeModel::factor(std::size_t type) const {
    constexpr std::size_t intra = index_of(PictureType::intra);
    const double usual = usual_factors[type] * (type == intra ? 1 : factor(intra) / usual_factors[intra]);
    const Sums& sums = sums_[type];
    return (sums.bits + usual * usual_cost_) / (sums.cost + usual_cost_);
}

double SizeModel::exponent(PictureType type) { return exponents[index_of(type)]; }

double SizeModel::bits(PictureType type, double cost, double quantiser) const {
    const std::size_t i = index_of(type);
    if (least_ > 0 && type != PictureType::intra && cost <= least_cost(macroblocks_)) return least_;
    return std::max(always(type, macroblocks_) + factor(i) * cost / std::pow(quantiser, exponents[i]), least_);
}

double SizeModel::always(PictureType type, int macroblocks) {
    return bits_of_a_macroblock[index_of(type)] * macroblocks;
}

double SizeModel::quantiser(PictureType type, double cost, double bits_wanted) const {
    const std::size_t i = index_of(type);
    // Less than it takes always cannot be had: a tenth of what is wanted stands for nearly nothing.
    const double more = std::max(bits_wanted - always(type, macroblocks_), 0.1 * bits_wanted);
    return std::pow(factor(i) * cost / more, 1 / exponents[i]);
}

void SizeModel::learn(PictureType type, double cost, double quantiser, double bits) {
    if (cost <= least_cost(macroblocks_)) return;
    const std::size_t i = index_of(type);
    Sums& sums = sums_[i];
    // The more a picture costs the more it counts: a scene is known from its first picture, whatever was black before.
    sums.bits =
        decays[i] * sums.bits + std::max(bits - always(type, macroblocks_), 0.0) * std::pow(quantiser, exponents[i]);
    sums.cost = decays[i] * sums.cost + cost;
}

} // namespace tandem
