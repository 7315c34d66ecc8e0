// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/libav_log.h"

#include <gtest/gtest.h>

extern "C" {
#include <libavutil/log.h>
}

namespace tandem {
namespace {

void log_error(const char* text) { av_log(nullptr, AV_LOG_ERROR, "%s\n", text); }

TEST(LibavLogScope, CollectsWhatIsLoggedWhileItLives) {
    const LibavLogScope scope;
    EXPECT_EQ(scope.text(), "");
    log_error("first");
    log_error("second.");
    EXPECT_EQ(scope.text(), "first; second");
}

TEST(LibavLogScope, OneWithinAnotherTakesItsPartAndGivesTheRestBack) {
    const LibavLogScope outer;
    log_error("before");
    {
        const LibavLogScope inner;
        log_error("within");
        EXPECT_EQ(inner.text(), "within");
    }
    log_error("after");
    EXPECT_EQ(outer.text(), "before; after");
}

} // namespace
} // namespace tandem
