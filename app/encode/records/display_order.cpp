// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/display_order.h"

#include <utility>

namespace tandem {

void DisplayOrder::push(std::int64_t display_index, FramePtr frame) {
    waiting_.emplace(display_index, std::move(frame));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
        output_(first->second);
        waiting_.erase(first);
        ++next_;
    }
}

void DisplayOrder::flush() {
    for (const auto& [display_index, frame] : std::exchange(waiting_, {}))
        output_(frame);
}

} // namespace tandem
