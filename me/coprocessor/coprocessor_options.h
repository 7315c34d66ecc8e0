// SPDX-License-Identifier: BSD-2-Clause
// How a coprocessor shares its work, and whom it tells of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "machine/trace.h"
#include "me/estimator.h"

namespace tandem {

/// How the work is shared by several backends. The fields are the same.
enum class Split : std::uint8_t {
    automatic, ///< Bands while fewer requests are under way than there are backends, else pictures.
    pictures,  ///< A request goes to one backend (serial splitting).
    bands,     ///< Each request is cut into one band of block rows a backend (parallel splitting).
};

struct CoprocessorOptions {
    std::size_t queue_capacity = 32; ///< submit() blocks while this many requests or bands wait. At least 1.
    Split split = Split::automatic;
    bool fallback_shares = false; ///< The fallback also takes requests that others could run, by measured speed: those
                                  ///< that it is expected to finish before the others would.
    std::function<void(const std::string&)> on_warning = {}; ///< Called once per retired backend, from a worker
                                                             ///< thread; must not throw.
    /// Looks at each field that a backend other than the fallback made, before it is given out. Called from several
    /// threads; what it throws is what the request's future gets. The request is the band that was run.
    std::function<void(const MotionRequest&, std::int64_t picture, const MotionField&, const std::string& backend)>
        audit = {};
    Trace* trace = nullptr; ///< Spans "motion" per request or band; not owned, outlives the coprocessor.
};

} // namespace tandem
