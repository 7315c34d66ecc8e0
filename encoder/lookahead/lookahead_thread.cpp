// SPDX-License-Identifier: BSD-2-Clause
// Steps run one after the other on thread_; lookahead_ belongs to them.
#include "encoder/lookahead/lookahead_thread.h"

#include <exception>
#include <memory>
#include <utility>

namespace tandem {

LookaheadThread::LookaheadThread(const LookaheadSettings& settings, Coprocessor& motion, Workers& workers, Trace* trace)
    : lookahead_(settings, motion, workers), trace_(trace) {}

LookaheadThread::Pictures LookaheadThread::push(FramePtr source) {
    begin([this, source = std::move(source)] { return lookahead_.push(source); });
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
    thread_.run(0, [this, promise, step = std::move(step), picture = begun_++] {
        if (failed_) return;
        const auto begin = Trace::Clock::now();
        try {
            promise->set_value(step());
        } catch (...) {
            failed_ = true;
            promise->set_exception(std::current_exception());
        }
        if (trace_ != nullptr) trace_->add("look ahead", "lookahead", picture, begin, Trace::Clock::now());
    });
}

LookaheadThread::Pictures LookaheadThread::oldest() {
    std::future<Pictures> result = std::move(results_.front());
    results_.pop_front();
    return result.get();
}

} // namespace tandem
