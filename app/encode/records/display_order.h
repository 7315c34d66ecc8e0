// SPDX-License-Identifier: BSD-2-Clause
// From coding order back to display order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "video/frame.h"

namespace tandem {

/// Holds pictures until all before them in display order have come. One thread.
class DisplayOrder {
  public:
    explicit DisplayOrder(std::function<void(const FramePtr&)> output) : output_(std::move(output)) {}
    void push(std::int64_t display_index, FramePtr frame);
    /// Gives what is held, although pictures before it are missing.
    void flush();
    /// Pictures still held; 0 when all display indices up to the last have come.
    std::size_t held() const { return waiting_.size(); }

  private:
    std::function<void(const FramePtr&)> output_;
    std::map<std::int64_t, FramePtr> waiting_;
    std::int64_t next_ = 0;
};

} // namespace tandem
