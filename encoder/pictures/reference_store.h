// SPDX-License-Identifier: BSD-2-Clause
// Who owns the rebuilt pictures that others are predicted from.
#pragma once

#include <cstdint>
#include <deque>

#include "coding/reference_picture.h"

namespace tandem {

/// Holds the latest references in coding order, up to so many; jobs under way hold theirs beside it.
class ReferenceStore {
  public:
    explicit ReferenceStore(std::size_t most) : most_(most) {}

    void add(std::int64_t display_index, ReferencePicturePtr picture);
    /// The reference with this place in display order. std::logic_error where it is not held.
    ReferencePicturePtr at(std::int64_t display_index) const;

  private:
    struct Entry {
        std::int64_t display_index;
        ReferencePicturePtr picture;
    };
    std::size_t most_;
    std::deque<Entry> entries_; ///< The latest last.
};

} // namespace tandem
