// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/resample.h"

#include <algorithm>

#include "me/block.h"

namespace tandem {

MotionField resample(const MotionField& field, int block_width, int block_height) {
    MotionField result(field.picture_width(), field.picture_height(), block_width, block_height, field.candidates());
    for (int row = 0; row < result.rows(); ++row) {
        for (int column = 0; column < result.columns(); ++column) {
            const BlockRect block = block_rect(result, column, row);
            const auto from = field.block((block.x + block.width / 2) / field.block_width(),
                                          (block.y + block.height / 2) / field.block_height());
            std::ranges::copy(from, result.block(column, row).begin());
        }
    }
    return result;
}

} // namespace tandem
