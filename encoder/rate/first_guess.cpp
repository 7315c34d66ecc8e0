// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/first_guess.h"

#include <algorithm>
#include <cmath>

#include "encoder/rate/pace/foresight.h"
#include "encoder/rate/size_model.h"

namespace tandem {

double FirstGuess::quantiser(std::span<const ForeseenPicture> pictures, int macroblocks) const {
    const SizeModel usual(macroblocks);
    const double target = bits_per_picture * static_cast<double>(pictures.size());
    const auto is_too_much = [&](double quantiser) {
        double bits = 0;
        for (const ForeseenPicture& each : pictures) {
            const double cost = Foresight::usual_worth * static_cast<double>(each.cost);
            bits += usual.bits(each.type, cost, quantiser * type_factors[index_of(each.type)]);
        }
        return bits > target;
    };
    // By steps of 1/64, so that the last digit of a power, which may differ between machines, does not count.
    constexpr double steps = 64;
    int low = static_cast<int>(std::ceil(least * steps)), high = static_cast<int>(largest * steps);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (is_too_much(middle / steps))
            low = middle + 1;
        else
            high = middle;
    }
    return low / steps;
}

} // namespace tandem
