// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/display_order.h"

namespace tandem {

void DisplayOrder::push(std::int64_t display_index, FramePtr frame) {
    waiting_.emplace(display_index, std::move(frame));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
        output_(first->second);
        waiting_.erase(first);
        ++next_;
    }
}

} // namespace tandem
