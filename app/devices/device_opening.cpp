// SPDX-License-Identifier: BSD-2-Clause
// State::mutex guards `take` and `is_done`, and is held while `take` runs, which takes the coprocessor's lock. The
// thread holds nothing else.
#include "app/devices/device_opening.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <spdlog/spdlog.h>

#include "machine/threads.h"

namespace tandem {
namespace {

std::atomic<int> openings{0}; ///< States that are there.

} // namespace

struct DeviceOpening::State {
    State() { ++openings; }
    ~State() { --openings; }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    std::mutex mutex;
    std::condition_variable changed;
    std::function<void(std::vector<std::unique_ptr<Estimator>>)> take; ///< Empty: nobody wants them any more.
    bool is_done = false;

    void open(const DeviceChoice& choice) {
        std::vector<std::unique_ptr<Estimator>> devices;
        try {
            devices = open_devices(choice);
        } catch (const std::exception& error) {
            spdlog::warn("warning: no GPU is used: {}", error.what());
        }
        const std::lock_guard lock(mutex);
        try {
            if (take && !devices.empty()) take(std::move(devices));
        } catch (const std::exception& error) {
            spdlog::warn("warning: not every GPU is used: {}", error.what());
        }
        is_done = true;
        changed.notify_all();
    }
};

DeviceOpening::DeviceOpening(const DeviceChoice& choice,
                             std::function<void(std::vector<std::unique_ptr<Estimator>>)> take)
    : state_(std::make_shared<State>()) {
    state_->take = std::move(take);
    start_thread("a thread that opens GPUs", [choice, state = state_] { state->open(choice); }).detach();
}

DeviceOpening::~DeviceOpening() {
    std::unique_lock lock(state_->mutex);
    if (spdlog::should_log(spdlog::level::debug)) state_->changed.wait(lock, [&] { return state_->is_done; });
    state_->take = nullptr;
}

bool DeviceOpening::is_done() const {
    const std::unique_lock lock(state_->mutex, std::try_to_lock);
    return lock && state_->is_done;
}

bool DeviceOpening::any_is_under_way() { return openings > 0; }

} // namespace tandem
