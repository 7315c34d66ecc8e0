// SPDX-License-Identifier: BSD-2-Clause
// What one search makes of a picture, kept for those that need the same.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "machine/workers.h"

namespace tandem {

/// The values made last, by key. Thread-safe; whoever holds a value may go on reading it. The lock is not held while a
/// value is made, so that several are made at once.
///
/// Who asks for a value that is in the making waits for it, with one exception: a maker whose workers are a pool's gets
/// on only while the pool's threads do, so one of these threads, which would have to wait for itself, makes the value
/// once more.
///
///     KeptValues<int, Table> tables(4);
///     const auto table = tables.of(8, workers, [&] { return std::make_shared<const Table>(8, workers); });
template <class Key, class Value> class KeptValues {
  public:
    using ValuePtr = std::shared_ptr<const Value>;

    explicit KeptValues(std::size_t most_kept) : most_kept_(most_kept) {}

    /// The value that is kept, or make(), which works with `workers`: a pool's, or none of a pool where the caller is a
    /// thread of one. What make() throws is thrown to all who wait for it, and nothing is kept of it.
    template <class Make> ValuePtr of(const Key& key, const Workers& workers, const Make& make) {
        std::promise<ValuePtr> promise;
        if (const auto value = kept_or_begun(key, workers.are_of_a_pool(), promise)) return value->get();
        try {
            ValuePtr made = make();
            promise.set_value(made);
            return made;
        } catch (...) {
            forget(key);
            promise.set_exception(std::current_exception());
            throw;
        }
    }

  private:
    struct Entry {
        Key key;
        bool needs_a_pool; ///< Until it is made.
        std::shared_future<ValuePtr> value;

        bool is_made() const { return value.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
    };

    /// What the caller may wait for; none: it is to keep the promise.
    std::optional<std::shared_future<ValuePtr>> kept_or_begun(const Key& key, bool has_a_pool,
                                                              std::promise<ValuePtr>& promise) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
            return entry.key == key && (has_a_pool || !entry.needs_a_pool || entry.is_made());
        });
        if (found != entries_.end()) return found->value;
        if (entries_.size() == most_kept_) entries_.pop_front();
        entries_.push_back({key, has_a_pool, promise.get_future().share()});
        return std::nullopt;
    }

    void forget(const Key& key) {
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
    }

    const std::size_t most_kept_;
    std::mutex mutex_;
    std::deque<Entry> entries_; ///< The one begun last at the end.
};

} // namespace tandem
