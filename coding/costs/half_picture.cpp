// SPDX-License-Identifier: BSD-2-Clause
#include "coding/costs/half_picture.h"

#include "machine/workers.h"
#include "me/search/levels/pyramid.h"

namespace tandem {

HalfPicture half_picture_of(const Frame& picture) {
    Workers caller(1);
    const Pyramid pyramid(picture.luma().view(), 2, 0, caller);
    auto half = std::make_shared<Frame>(picture.width() / 2, picture.height() / 2);
    copy_and_extend(pyramid.level(1), half->plane(0).view());
    half->plane(1).fill(128); // Not searched, but copied to devices.
    half->plane(2).fill(128);
    SubpelPlanes half_pels = SubpelPlanes::half_pels_of(half->luma().view());
    return {std::move(half), std::move(half_pels)};
}

} // namespace tandem
