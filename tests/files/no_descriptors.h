// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "machine/errors.h"

namespace tandem::test {

/// While it lives this process opens no file.
class NoDescriptors {
  public:
    NoDescriptors() {
        // A sanitizer that meets an object of a class for the first time looks at its memory through a pipe.
        EXPECT_THROW(throw RunError("as those that follow"), RunError);
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
        const rlimit none{0, before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    }
    ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

  private:
    rlimit before_{};
};

} // namespace tandem::test
