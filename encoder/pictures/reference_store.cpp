// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/pictures/reference_store.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace tandem {

void ReferenceStore::add(std::int64_t display_index, ReferencePicturePtr picture) {
    entries_.push_back({display_index, std::move(picture)});
    if (entries_.size() > most_) entries_.pop_front();
}

ReferencePicturePtr ReferenceStore::at(std::int64_t display_index) const {
    const auto found = std::ranges::find(entries_, display_index, &Entry::display_index);
    if (found == entries_.end())
        throw std::logic_error("picture " + std::to_string(display_index) + " is no reference any more");
    return found->picture;
}

} // namespace tandem
