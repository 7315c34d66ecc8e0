// SPDX-License-Identifier: BSD-2-Clause
// How many bits pictures take, learnt from those that were coded.
#pragma once

#include <array>
#include <cstdint>

#include "encoder/pictures/picture_costs.h"
#include "video/picture_type.h"

namespace tandem {

inline constexpr std::array<PictureType, 3> picture_types{PictureType::intra, PictureType::predicted,
                                                          PictureType::bidirectional};
/// 0 I, 1 P, 2 B: for tables by type.
constexpr std::size_t index_of(PictureType type) { return static_cast<std::size_t>(type) - 1; }

/// Of a picture that shows nothing new.
double least_cost(int macroblocks);
/// The cost that a picture of a type is coded at; least_cost() at least.
double cost_of(PictureType type, const PictureCosts& costs, int macroblocks);

/// The type whose law a picture's size follows: where prediction saves next to nothing of what it would cost as an I
/// picture (`intra_cost`, 0: not known), that of I pictures.
PictureType size_law(PictureType type, double cost, double intra_cost, int macroblocks);

/// Bits of a P or B picture of so many macroblocks, in so many rows, that are all skipped: the least that one takes. 0
/// where there are no rows.
double bits_of_skipped(int macroblocks, int rows);
/// Whether a picture took no more than bits_of_skipped(), as one that shows nothing new does at any quantiser.
inline bool is_skipped(PictureType type, double bits, double skipped) {
    return type != PictureType::intra && bits <= skipped;
}

/// bits = always + factor * cost / quantiser^exponent; what it takes always and the exponent are the type's, the factor
/// is learnt. No picture takes less than bits_of_skipped(), and a P or B picture that shows nothing new takes just
/// that.
class SizeModel {
  public:
    /// `rows`: of macroblocks; 0 where the least that a picture takes does not count.
    explicit SizeModel(int macroblocks, int rows = 0);
    double bits(PictureType type, double cost, double quantiser) const;
    /// The quantiser at which a picture takes so many bits (more than 0).
    double quantiser(PictureType type, double cost, double bits) const;
    /// Pictures that show nothing new teach nothing; what nobody has learnt of P and B pictures is as far from the
    /// usual as I pictures are.
    void learn(PictureType type, double cost, double quantiser, double bits);
    static double exponent(PictureType type);
    /// Bits at any quantiser, beside bits_of_skipped().
    static double always(PictureType type, int macroblocks);

  private:
    /// Over pictures, those long ago counting less. The bits are those of quantiser 1.
    struct Sums {
        double bits = 0, cost = 0;
    };
    double factor(std::size_t type) const;

    int macroblocks_;
    double least_;      ///< bits_of_skipped().
    double usual_cost_; ///< Of a picture of which the usual is known, with which the sums begin and stay.
    std::array<Sums, 3> sums_{};
};

} // namespace tandem
