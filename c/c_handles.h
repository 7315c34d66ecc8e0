// SPDX-License-Identifier: BSD-2-Clause
// What stands behind the handles of the C interface, and how exceptions become its statuses.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "c/tandem_motion.h"
#include "machine/errors.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor.h"
#include "video/source.h"

struct tandem_estimator {
    std::string message;
    std::unique_ptr<tandem::Coprocessor> motion; ///< Null where the device could not be opened.
    std::unique_ptr<tandem::Workers> workers;    ///< For compensation.
    bool is_automatic = false;                   ///< The caller asked for whatever there is.
};

struct tandem_field {
    std::shared_ptr<const tandem::MotionField> field;
};

struct tandem_picture_handle {
    tandem::FramePtr frame;
    bool has_chroma = false;
    std::atomic<long> owners{1};
};

struct tandem_clip {
    std::string message;
    std::unique_ptr<tandem::FrameSource> source; ///< Null where it could not be opened.
};

struct tandem_ticket {
    std::future<tandem::MotionResult> answer;                       ///< Not valid once it was taken.
    tandem_status status = TANDEM_OK;                               ///< Of the answer that was taken,
    std::vector<std::shared_ptr<const tandem::MotionField>> fields; ///< whose fields are these.
    std::string device, message;
};

namespace tandem {

/// Runs `body`; whatever it throws becomes a status and the message.
template <class Body> tandem_status guarded(std::string& message, const Body& body) noexcept {
    const auto say = [&message](const char* text) {
        try {
            message = text;
        } catch (const std::bad_alloc&) {
            message.clear(); // no memory for the words; the status still tells
        }
    };
    try {
        message.clear();
        body();
        return TANDEM_OK;
    } catch (const InputError& error) {
        say(error.what());
        return TANDEM_BAD_INPUT;
    } catch (const std::bad_alloc&) {
        say("not enough memory");
    } catch (const std::exception& error) {
        say(error.what());
    } catch (...) {
        say("an error without a message");
    }
    return TANDEM_FAILED;
}

template <class Body> tandem_status guarded(tandem_estimator* estimator, const Body& body) noexcept {
    return estimator == nullptr ? TANDEM_BAD_INPUT : guarded(estimator->message, body);
}

bool has_chroma(const tandem_picture& picture);

/// A copy of the caller's samples; grey chroma where there is none. `what` names the picture in messages. Throws
/// InputError for what is no picture.
FramePtr frame_of(const std::string& what, const tandem_picture* picture);
std::unique_ptr<tandem_picture_handle> picture_handle_of(const std::string& what, const tandem_picture* picture);

std::unique_ptr<tandem_field> field_handle_of(std::shared_ptr<const MotionField> field);

} // namespace tandem
