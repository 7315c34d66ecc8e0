// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/first_guess.h"

#include "encoder/rate/pace/foresight.h"
#include "encoder/rate/quantiser_search.h"
#include "encoder/rate/size_model.h"

namespace tandem {

double FirstGuess::quantiser(std::span<const ForeseenPicture> pictures, int macroblocks) const {
    const SizeModel usual(macroblocks);
    const double target = bits_per_picture * static_cast<double>(pictures.size());
    const auto is_too_fine = [&](double quantiser) {
        double bits = 0;
        for (const ForeseenPicture& each : pictures) {
            const double cost = Foresight::usual_worth * static_cast<double>(each.cost);
            bits += usual.bits(each.type, cost, quantiser * type_factors[index_of(each.type)]);
        }
        return bits > target;
    };
    return rounded_quantiser(finest_quantiser(least, largest, 20, is_too_fine));
}

} // namespace tandem
