// SPDX-License-Identifier: BSD-2-Clause
// Costs of pictures that a lookahead will decide about, measured ahead of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "coding/costs/device_costs.h"
#include "coding/costs/half_picture.h"
#include "machine/task_pool.h"
#include "machine/trace.h"
#include "machine/workers.h"
#include "me/coprocessor/motion_result.h"

namespace tandem {

using HalfPicturePtr = std::shared_ptr<const HalfPicture>;

/// A picture, and the searches that end with it. Those begin with the pictures before it, the nearest first.
struct SearchedPicture {
    HalfPicturePtr half;
    std::vector<std::future<MotionResult>> forward;  ///< [d - 1]: from this one to the picture d before it.
    std::vector<std::future<MotionResult>> backward; ///< [d - 1]: from that picture to this one.
};

/// What its searches tell of a picture, and of those before it.
struct MeasuredPicture {
    struct Both {
        int before, after; ///< Of the picture `after` before this one, from between this one and the one `before` that.
        CostsPtr costs;
    };
    CostsPtr intra;
    std::vector<PredictedCostsPtr> forward;  ///< [d - 1]: from the picture d before it.
    std::vector<PredictedCostsPtr> backward; ///< [d - 1]: of that picture, from this one.
    std::vector<Both> both;
};

/// Measures pictures in the order of their coming, on a thread of its own: several in one piece where their searches
/// have ended, since a device has a fixed time for each piece.
///
///     measurer.push({half, std::move(forward), std::move(backward)});
///     MeasuredPicture oldest = measurer.next();
class CostMeasurer {
  public:
    /// `most_b`: B pictures between two others at most. Searches reach `furthest` pictures back at most. The workers
    /// and the trace, which may be null, outlive it.
    CostMeasurer(int most_b, int furthest, Workers& workers, const CodingDevices& devices, Trace* trace);
    ~CostMeasurer() = default;
    CostMeasurer(const CostMeasurer&) = delete;
    CostMeasurer& operator=(const CostMeasurer&) = delete;

    /// By one thread, as next().
    void push(SearchedPicture picture);
    /// The oldest that was pushed and has not come yet: waits for it, and throws what its searches or a device threw.
    /// After a failure every later one throws the same.
    MeasuredPicture next();

  private:
    struct Waiting {
        SearchedPicture picture;
        std::promise<MeasuredPicture> measured;
    };
    /// A picture that others are predicted from.
    struct Recent {
        HalfPicturePtr half;
        std::vector<PredictedCostsPtr> forward;
    };

    void measure_some();
    std::vector<Waiting> take_some();
    MeasuredPicture list(SearchedPicture& picture, CostWork& work);
    std::size_t cost_bytes(const SearchedPicture& picture, std::size_t macroblocks) const;
    void list_between(const HalfPicturePtr& picture, int after, const std::shared_ptr<CostMemory>& memory,
                      MeasuredPicture& measured, CostWork& work) const;
    const Recent& before(int distance) const { return recent_[recent_.size() - static_cast<std::size_t>(distance)]; }

    const int most_b_;
    const std::size_t furthest_; ///< Pictures back that are referred to.
    Trace* const trace_;
    DeviceCosts costs_;                                ///< The thread's, as the next three.
    std::exception_ptr failure_;                       ///< Of the first piece that failed.
    std::deque<Recent> recent_;                        ///< The oldest first.
    std::int64_t pictures_ = 0;                        ///< That were measured.
    std::mutex mutex_;                                 ///< Guards what follows.
    std::deque<Waiting> waiting_;                      ///< For the thread.
    std::deque<std::future<MeasuredPicture>> results_; ///< The caller's.
    TaskPool thread_{1};                               ///< The last: its destructor waits for what runs.
};

} // namespace tandem
