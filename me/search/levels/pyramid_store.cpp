// SPDX-License-Identifier: BSD-2-Clause
// Lock order: the mutex is not held while a pyramid is made, so that several are made at once.
#include "me/search/levels/pyramid_store.h"

#include <algorithm>
#include <optional>

namespace tandem {

struct PyramidStore::Entry {
    Key key;
    std::once_flag made;
    std::optional<Pyramid> pyramid;
};

std::shared_ptr<const Pyramid> PyramidStore::of(const Key& key, PlaneView luma, Workers& workers) {
    std::shared_ptr<Entry> entry;
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(entries_, [&](const auto& kept) { return kept->key == key; });
        if (found != entries_.end()) {
            entry = *found;
        } else {
            if (entries_.size() == most_kept) entries_.pop_front();
            entry = entries_.emplace_back(std::make_shared<Entry>(key));
        }
    }
    std::call_once(entry->made, [&] { entry->pyramid.emplace(luma, key.levels, key.border, workers); });
    const Pyramid* const pyramid = &*entry->pyramid;
    return {std::move(entry), pyramid};
}

} // namespace tandem
