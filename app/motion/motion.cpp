// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/motion.h"

#include <deque>

#include <spdlog/spdlog.h>

#include "app/encode/records/progress.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/motion/motion_options.h"
#include "app/motion/motion_outputs.h"
#include "app/motion/numbered_fields.h"
#include "app/motion/picture_pairs.h"
#include "app/options/unused_options.h"
#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "me/search.h"

namespace tandem {
namespace {

/// What the CPU cannot take over must be known before anything is written.
void require_support(const std::vector<std::unique_ptr<Estimator>>& devices, const SearchParams& search) {
    if (search.interpolation == Interpolation::texture && !any_does(devices, search))
        throw RunError("--interpolation texture needs a GPU that does this search; none is in use");
}

/// Pairs whose search is under way while others are read and measured.
class PairQueue {
  public:
    PairQueue(const MotionOptions& options, const SearchParams& search, const VideoFormat& format, Trace* trace)
        : options_(options), search_(search) {
        std::vector<std::unique_ptr<Estimator>> devices = open_devices(options.device);
        require_support(devices, search);
        say_if_left_to_the_cpu(options.device, devices, search);
        for (const auto& device : devices) {
            const int at_once = device->most_at_once(search, format.width, format.height);
            room_ += static_cast<std::size_t>(device->concurrency() * at_once);
        }
        motion_.emplace(std::move(devices), make_cpu_estimator(options.threads),
                        coprocessor_options(options.device, options.split, trace));
        motion_->prepare(search, format.width, format.height);
        if (options.hint_source == HintSource::file) {
            hints_.emplace("--hint", options.hint,
                           FieldGeometry{format.width, format.height, search.block_width, search.block_height});
        }
    }

    bool full() const { return waiting_.size() >= room_; }
    bool empty() const { return waiting_.empty(); }

    void push(PicturePair pair) {
        MotionRequest request;
        request.current = pair.current;
        request.reference = pair.reference_picture;
        request.params = search_;
        if (hints_) request.hint = std::make_shared<const MotionField>(hints_->field_of(pair));
        if (options_.hint_source == HintSource::previous) request.hint = field_before();
        const std::int64_t picture = pair.picture;
        waiting_.push_back({std::move(pair), motion_->submit(std::move(request), picture).share()});
    }

    /// The oldest pair with its field, for which this waits.
    std::pair<PicturePair, MotionResult> pop() {
        std::pair<PicturePair, MotionResult> oldest{std::move(waiting_.front().pair), waiting_.front().result.get()};
        waiting_.pop_front();
        last_ = std::make_shared<const MotionField>(oldest.second.field);
        return oldest;
    }

  private:
    struct Waiting {
        PicturePair pair;
        std::shared_future<MotionResult> result;
    };

    /// The field of the newest pair: a search that needs it begins when it is found. Null for the first pair.
    std::shared_ptr<const MotionField> field_before() const {
        if (waiting_.empty()) return last_;
        return std::make_shared<const MotionField>(waiting_.back().result.get().field);
    }

    const MotionOptions& options_;
    const SearchParams& search_;
    std::size_t room_ = 3; ///< One that is searched, one that is ready, one that is measured; more for more devices.
    std::optional<NumberedFields> hints_;
    std::shared_ptr<const MotionField> last_;
    std::deque<Waiting> waiting_;
    std::optional<Coprocessor> motion_; ///< Its workers stop before what they use goes.
};

/// Searches and measures all that there is; the number of pairs.
std::int64_t measure_pairs(const MotionOptions& options, PicturePairs& pairs, Trace* trace) {
    const VideoFormat& format = pairs.format();
    const SearchParams search = search_for_pictures(options, format.width, format.height);
    auto pair = pairs.next();
    if (!pair) return 0;
    PairQueue queue(options, search, format, trace);
    MotionOutputs outputs(options, search, format, trace);
    Progress progress(terminal_shows_status() && spdlog::should_log(spdlog::level::info), pairs.count(),
                      format.frame_rate);
    const auto measure_oldest = [&] {
        const auto [oldest, result] = queue.pop();
        outputs.write(oldest, result);
        progress.update(outputs.total().measures.pairs, 0);
    };
    try {
        for (; pair; pair = pairs.next()) {
            queue.push(std::move(*pair));
            if (queue.full()) measure_oldest();
        }
        while (!queue.empty())
            measure_oldest();
    } catch (const OutputAbandoned&) {
        throw;
    } catch (const Interrupted&) {
        // A field did not come: what is measured is what there is.
        if (outputs.total().measures.pairs == 0) return 0;
    }
    outputs.finish(interrupted());
    return outputs.total().measures.pairs;
}

/// Measures a field that is there, sample by sample; the number of pairs.
std::int64_t measure_field_as_it_is(const MotionOptions& options, PicturePairs& pairs, Trace* trace) {
    const VideoFormat& format = pairs.format();
    SearchParams of_samples;
    of_samples.block_width = of_samples.block_height = 1;
    auto pair = pairs.next();
    if (!pair) return 0;
    NumberedFields measured("--measure", options.measure, {format.width, format.height, 1, 1});
    MotionOutputs outputs(options, of_samples, format, trace);
    try {
        for (; pair; pair = pairs.next())
            outputs.write_samples(*pair, measured.vectors_of(*pair));
    } catch (const OutputAbandoned&) {
        throw;
    } catch (const Interrupted&) {
        if (outputs.total().measures.pairs == 0) return 0;
    }
    outputs.finish(interrupted());
    return outputs.total().measures.pairs;
}

} // namespace

int run_motion(const Arguments& arguments) {
    const MotionOptions options = motion_options(arguments);
    if (options.simd) set_simd_level(*options.simd);
    const std::string_view search = search_row(options.search.algorithm).name;
    if (const std::string unused = unused_search_options(arguments, search); !unused.empty())
        spdlog::warn("warning: the search {} has no use for what is given: {}", search, unused);
    spdlog::debug("reading {}", options.input);
    PicturePairs pairs(options);
    std::int64_t measured = 0;
    if (pairs.start()) {
        const std::string note = pairs.conversion_note();
        if (!note.empty()) spdlog::warn("warning: {}", note);
        std::optional<Trace> trace;
        if (!options.trace.empty()) trace.emplace();
        const auto measure = options.measure.empty() ? measure_pairs : measure_field_as_it_is;
        measured = measure(options, pairs, trace ? &*trace : nullptr);
        if (const std::string more = late_part(note, pairs.conversion_note()); !more.empty())
            spdlog::warn("warning: {}", more);
    }
    if (!interrupted()) {
        const std::string shortfall = pairs.shortfall();
        if (!shortfall.empty()) spdlog::error("{}; what is there was measured", shortfall);
        return shortfall.empty() ? 0 : 1;
    }
    if (measured == 0)
        spdlog::warn("interrupted before the first pair; nothing is written");
    else
        spdlog::warn("interrupted; what is written ends with pair {}", measured);
    return interrupted_exit_code();
}

} // namespace tandem
