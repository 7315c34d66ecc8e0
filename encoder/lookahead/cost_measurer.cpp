// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/cost_measurer.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace tandem {

namespace {

/// In one piece: a device has memory for so many.
constexpr std::size_t most_at_once = 9;

bool have_ended(const std::vector<std::future<MotionResult>>& searches) {
    return std::ranges::all_of(searches, [](const std::future<MotionResult>& search) {
        return search.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
}

} // namespace

CostMeasurer::CostMeasurer(int most_b, int furthest, Workers& workers, const CodingDevices& devices, Trace* trace)
    : most_b_(most_b), furthest_(static_cast<std::size_t>(std::max(furthest, most_b + 1))), trace_(trace),
      costs_(workers, devices) {}

void CostMeasurer::push(SearchedPicture picture) {
    Waiting waiting{std::move(picture), {}};
    results_.push_back(waiting.measured.get_future());
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(waiting));
    }
    thread_.run(0, [this] { measure_some(); });
}

MeasuredPicture CostMeasurer::next() {
    std::future<MeasuredPicture> oldest = std::move(results_.front());
    results_.pop_front();
    return oldest.get();
}

/// The oldest, and those after it whose searches have ended; none: another piece had the picture.
std::vector<CostMeasurer::Waiting> CostMeasurer::take_some() {
    std::vector<Waiting> taken;
    const std::lock_guard lock(mutex_);
    while (!waiting_.empty() && taken.size() < most_at_once) {
        const SearchedPicture& next = waiting_.front().picture;
        if (!taken.empty() && !(have_ended(next.forward) && have_ended(next.backward))) break;
        taken.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    return taken;
}

void CostMeasurer::measure_some() {
    std::vector<Waiting> taken = take_some();
    if (taken.empty()) return;
    try {
        if (failure_) std::rethrow_exception(failure_);
        CostWork work;
        std::vector<MeasuredPicture> measured;
        {
            const TraceSpan span(trace_, "wait for motion", "costs", pictures_);
            for (Waiting& each : taken)
                measured.push_back(list(each.picture, work));
        }
        {
            const TraceSpan span(trace_, "measure", "costs", pictures_);
            costs_.measure(work);
        }
        while (recent_.size() > furthest_)
            recent_.pop_front();
        pictures_ += static_cast<std::int64_t>(taken.size());
        for (std::size_t i = 0; i < taken.size(); ++i)
            taken[i].measured.set_value(std::move(measured[i]));
    } catch (...) {
        failure_ = std::current_exception();
        for (Waiting& each : taken)
            each.measured.set_exception(failure_);
    }
}

/// Room for what a picture can let be measured.
std::size_t CostMeasurer::cost_bytes(const SearchedPicture& picture, std::size_t macroblocks) const {
    const auto most_b = static_cast<std::size_t>(most_b_);
    const std::size_t predicted = picture.forward.size() + picture.backward.size(), both = most_b * (most_b + 1) / 2;
    return (1 + both) * CostMemory::bytes_of<std::uint32_t>(macroblocks) +
           predicted * CostMemory::bytes_of<PredictedCost>(macroblocks);
}

/// Waits for the picture's searches and adds what they let be measured to the work.
MeasuredPicture CostMeasurer::list(SearchedPicture& picture, CostWork& work) {
    const std::size_t macroblocks = static_cast<std::size_t>(picture.half->frame->width() / half_macroblock) *
                                    static_cast<std::size_t>(picture.half->frame->height() / half_macroblock);
    const auto memory = std::make_shared<CostMemory>(cost_bytes(picture, macroblocks));
    MeasuredPicture measured;
    const auto intra = std::make_shared<Costs>(memory, macroblocks);
    work.intra.push_back({picture.half.get(), intra.get()});
    measured.intra = intra;
    const auto predict = [&](const HalfPicturePtr& from, const HalfPicturePtr& reference,
                             std::future<MotionResult>& search) {
        auto costs = std::make_shared<PredictedCosts>(memory, macroblocks);
        work.predicted.push_back({from.get(), reference.get(), search.get().field, costs.get()});
        return costs;
    };
    int distance = 0;
    for (std::future<MotionResult>& search : picture.forward)
        measured.forward.push_back(predict(picture.half, before(++distance).half, search));
    recent_.push_back({picture.half, measured.forward});
    int after = 0;
    for (std::future<MotionResult>& search : picture.backward) {
        measured.backward.push_back(predict(before(++after + 1).half, picture.half, search));
        list_between(picture.half, after, memory, measured, work);
    }
    return measured;
}

/// Adds the pictures between `picture` and those that the one `after` before it can be predicted from.
void CostMeasurer::list_between(const HalfPicturePtr& picture, int after, const std::shared_ptr<CostMemory>& memory,
                                MeasuredPicture& measured, CostWork& work) const {
    const Recent& between = before(after + 1);
    const PredictedCosts* const backward = measured.backward[static_cast<std::size_t>(after - 1)].get();
    const int furthest = std::min(most_b_ + 1 - after, static_cast<int>(between.forward.size()));
    for (int distance = 1; distance <= furthest; ++distance) {
        auto costs = std::make_shared<Costs>(memory, measured.intra->size());
        work.both.push_back({between.half.get(), before(after + distance + 1).half.get(), picture.get(),
                             between.forward[static_cast<std::size_t>(distance - 1)].get(), backward, costs.get()});
        measured.both.push_back({distance, after, std::move(costs)});
    }
}

} // namespace tandem
