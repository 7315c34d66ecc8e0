// SPDX-License-Identifier: BSD-2-Clause
// Pyramids of the last pictures: a picture is searched as the current one, and again as the reference of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "me/search/kept_values.h"
#include "me/search/levels/pyramid.h"

namespace tandem {

/// Thread-safe. Keeps the pyramids of the last few pictures; whoever holds one may go on reading it.
///
///     const auto pyramid = store.of({frame.serial(), 3, 0}, frame.luma().view(), workers);
///     search(pyramid->level(1));
class PyramidStore {
  public:
    /// For so many searches at a time.
    explicit PyramidStore(int searches) : pyramids_(static_cast<std::size_t>(searches) + more_kept) {}

    struct Key {
        std::uint64_t picture; ///< Frame::serial().
        int levels;
        int border; ///< Samples at full size.
        bool operator==(const Key&) const = default;
    };

    /// Makes the pyramid unless it is kept. Level 0 is `luma` of whoever asked first: read the smaller ones alone.
    std::shared_ptr<const Pyramid> of(const Key& key, PlaneView luma, Workers& workers);

  private:
    /// Of two pictures of each search the other one is mostly another search's, too.
    static constexpr std::size_t more_kept = 11;
    KeptValues<Key, Pyramid> pyramids_;
};

} // namespace tandem
