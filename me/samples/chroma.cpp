// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/chroma.h"

namespace tandem {

std::uint32_t ChromaPair::distortion(BlockDistortion metric, const BlockRect& luma, Mv mv) const {
    const BlockRect block = chroma_rect(luma);
    if (block.width == 0 || block.height == 0) return 0;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < current.size(); ++i) {
        const SubpelPlanes& planes = (*reference)[i];
        sum += metric(current[i].row(block.y) + block.x, current[i].stride, planes.chroma_at(block.x, block.y, mv),
                      planes.stride(), block.width, block.height);
    }
    return sum;
}

} // namespace tandem
