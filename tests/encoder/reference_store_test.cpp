// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/pictures/reference_store.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tandem {
namespace {

TEST(ReferenceStore, HoldsTheLatest) {
    ReferenceStore store(2);
    const auto picture = [] { return std::make_shared<ReferencePicture>(std::make_shared<Frame>(16, 16)); };
    const auto first = picture(), second = picture(), third = picture();
    store.add(0, first);
    store.add(3, second);
    EXPECT_EQ(store.at(0), first);
    store.add(1, third);
    EXPECT_EQ(store.at(3), second);
    EXPECT_EQ(store.at(1), third);
    EXPECT_THROW(store.at(0), std::logic_error);
    EXPECT_THROW(store.at(2), std::logic_error);
}

} // namespace
} // namespace tandem
