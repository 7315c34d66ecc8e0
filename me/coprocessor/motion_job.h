// SPDX-License-Identifier: BSD-2-Clause
// What the coprocessor keeps of each request and of each backend.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "me/coprocessor/motion_answer.h"

namespace tandem {

/// A request, or a band of one, on its way through the coprocessor.
struct MotionJob {
    MotionRequest request;
    std::int64_t picture = 0;
    std::vector<int> at_once; ///< By backend: so many such jobs it may take at a time; 0: it cannot run this one.
    double work = 0;          ///< Samples to be searched for.
    std::size_t home = 0;     ///< Which backend had best run it, counted round: see State::is_at_home().
    bool returned = false;    ///< Came back from a backend.
    bool alone = false;       ///< Not to be run together with others any more.
    std::shared_ptr<MotionAnswer> answer;

    bool runs_on(std::size_t backend) const { return backend < at_once.size() && at_once[backend] > 0; }
};

/// An estimator at work.
struct MotionBackend {
    std::unique_ptr<Estimator> estimator;
    std::string name;
    std::unique_ptr<std::condition_variable> work_changed = std::make_unique<std::condition_variable>();
    int workers = 1;
    int idle = 1;
    bool retired = false;
    double running = 0; ///< Work of the jobs under way.
    double pace = 0;    ///< Seconds that a worker takes for a unit of work, lately; 0: not known yet.

    int busy() const { return workers - idle; }
};

/// Samples of the picture in the request's rows.
inline double work_of(const MotionRequest& request) {
    const BlockRows rows = rows_of(request);
    if (!request.current || rows.end <= rows.first) return 1;
    return static_cast<double>(rows.end - rows.first) * request.params.block_height * request.current->width();
}

} // namespace tandem
