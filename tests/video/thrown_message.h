// SPDX-License-Identifier: BSD-2-Clause
// What an exception says.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace tandem::test {

/// Of the Error that action() throws; a failure of the test where it throws none.
template <class Error, class Action> std::string message_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

} // namespace tandem::test
