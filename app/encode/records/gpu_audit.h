// SPDX-License-Identifier: BSD-2-Clause
// --verify-gpu: each field that a GPU finds is searched again on the CPU, and must be the same.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "me/estimator.h"

namespace tandem {

class GpuAudit {
  public:
    explicit GpuAudit(int threads) : cpu_(make_cpu_estimator(threads)) {}

    /// Throws RunError that names the picture, the block and what both found, where the rows of the request differ.
    /// From any thread.
    void compare(const MotionRequest& request, std::int64_t picture, const MotionField& field,
                 const std::string& backend);

    /// Compared so far and found equal.
    std::int64_t fields() const { return fields_; }

  private:
    std::mutex mutex_; ///< Guards the estimator.
    std::unique_ptr<Estimator> cpu_;
    std::atomic<std::int64_t> fields_{0};
};

} // namespace tandem
