// SPDX-License-Identifier: BSD-2-Clause
// The answer to one request, put together from the bands that it was cut into.
#pragma once

#include <chrono>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "me/coprocessor/backend.h"
#include "me/coprocessor/motion_result.h"

namespace tandem {

/// `rows` in at most `bands` parts (>= 1) from top to bottom, none of them empty unless `rows` is, as even as can be.
std::vector<BlockRows> cut_rows(BlockRows rows, int bands);

/// The rows that a request wants, which may be none or, where the request breaks the estimators' rules, nonsense.
BlockRows rows_of(const MotionRequest& request);

/// One field, or one for each of a request's sizes.
using MotionFields = std::vector<MotionField>;

/// Fulfils its promise once: when the last band has come, or with the first error. Thread-safe; its mutex is a leaf.
class MotionAnswer {
  public:
    std::future<MotionResult> future() { return promise_.get_future(); }
    /// So many bands are to come, at least 1. Before the first of them.
    void expect(std::size_t bands) { missing_ = bands; }

    /// The fields of a band, whose `rows` are filled, and who made them: its place in the order of preference and its
    /// name. Several fields come as one band. Throws std::bad_alloc; then fail() is to follow.
    void add(MotionFields fields, BlockRows rows, std::size_t backend, const std::string& name,
             std::chrono::microseconds duration);
    /// What comes after it is dropped.
    void fail(const std::exception_ptr& error);

  private:
    std::mutex mutex_; ///< Guards what follows.
    std::size_t missing_ = 1;
    std::promise<MotionResult> promise_;
    MotionResult result_;
    std::map<std::size_t, std::string> backends_;
};

} // namespace tandem
