// SPDX-License-Identifier: BSD-2-Clause
// Steps run one after the other on thread_; lookahead_ belongs to them. Pool and thread keep the promise of a half
// picture together, which is broken where the pool has ended.
#include "encoder/lookahead/lookahead_thread.h"

#include <exception>
#include <memory>
#include <utility>

namespace tandem {

LookaheadThread::LookaheadThread(const LookaheadSettings& settings, LikelyQuantiser likely_quantiser,
                                 Coprocessor& motion, Workers& workers, const CodingDevices& devices, TaskPool& pool,
                                 std::int64_t rank, Trace* trace)
    : lookahead_(settings, motion, workers, devices, trace), likely_quantiser_(std::move(likely_quantiser)),
      pool_(pool), rank_(rank), trace_(trace) {}

LookaheadThread::Pictures LookaheadThread::push(FramePtr source) {
    auto half = std::make_shared<std::promise<HalfPicture>>();
    pool_.run(rank_, [source, half] {
        try {
            half->set_value(half_picture_of(*source));
        } catch (...) {
            half->set_exception(std::current_exception());
        }
    });
    begin([this, source = std::move(source), half] { return lookahead_.push(source, half->get_future().get()); });
    return results_.size() > pictures_behind ? oldest() : Pictures();
}

void LookaheadThread::finish(const std::function<void(Pictures)>& take) {
    const auto begin_next = [this] { begin([this] { return lookahead_.rest(); }); };
    const std::size_t pushed = results_.size();
    begin_next();
    for (std::size_t i = 0; i < pushed; ++i)
        take(oldest());
    begin_next(); // One is under way while the caller takes the other.
    for (Pictures pictures = oldest(); !pictures.empty(); pictures = oldest()) {
        begin_next();
        take(std::move(pictures));
    }
}

void LookaheadThread::begin(std::function<Pictures()> step) {
    auto promise = std::make_shared<std::promise<Pictures>>(); // A task of the pool can be copied.
    results_.push_back(promise->get_future());
    thread_.run(0, [this, promise, step = std::move(step), picture = begun_++, quantiser = likely_quantiser_()] {
        if (failed_) return;
        if (quantiser) lookahead_.expect(*quantiser);
        const TraceSpan span(trace_, "look ahead", "lookahead", picture);
        try {
            promise->set_value(step());
        } catch (...) {
            failed_ = true;
            promise->set_exception(std::current_exception());
        }
    });
}

LookaheadThread::Pictures LookaheadThread::oldest() {
    std::future<Pictures> result = std::move(results_.front());
    results_.pop_front();
    return result.get();
}

} // namespace tandem
