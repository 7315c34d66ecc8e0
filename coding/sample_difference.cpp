// SPDX-License-Identifier: BSD-2-Clause
#include "coding/sample_difference.h"

namespace tandem {

std::string sample_difference(const Frame& a, const Frame& b) {
    for (int p = 0; p < 3; ++p) {
        const PlaneView one = a.plane(p).view(), other = b.plane(p).view();
        for (int y = 0; y < one.height; ++y) {
            for (int x = 0; x < one.width; ++x) {
                if (one.at(x, y) != other.at(x, y))
                    return "sample " + std::to_string(x) + ',' + std::to_string(y) + " of plane " + std::to_string(p);
            }
        }
    }
    return "";
}

} // namespace tandem
