// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/levels/pyramid_store.h"

namespace tandem {

std::shared_ptr<const Pyramid> PyramidStore::of(const Key& key, PlaneView luma, Workers& workers) {
    return pyramids_.of(key, workers,
                        [&] { return std::make_shared<const Pyramid>(luma, key.levels, key.border, workers); });
}

} // namespace tandem
