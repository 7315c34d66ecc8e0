// SPDX-License-Identifier: BSD-2-Clause
// Holds pictures back until it has seen what follows them, and says what each is to be.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coding/costs/half_picture.h"
#include "coding/filter/device_filter.h"
#include "encoder/lookahead/cost_measurer.h"
#include "encoder/lookahead/cost_table.h"
#include "encoder/lookahead/importance.h"
#include "encoder/lookahead/picture_types.h"
#include "encoder/pictures/picture_order.h"
#include "encoder/rate/first_guess.h"
#include "machine/task_pool.h"
#include "machine/trace.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

struct LookaheadSettings {
    TypeRules rules;
    int pictures = 40; ///< That a decision sees beyond the last one decided, 1..250; at least most_b + 1 are seen.
    bool importance = true;
    double quantiser = 8; ///< That is likely, as Quality::quantiser, until expect() says another.
    /// With a bit rate: tells the quantiser until expect() does, by the pictures that are seen.
    std::optional<FirstGuess> guess;
    double strength = 0.5; ///< Of Leanings::importance(), 0..1.
    /// 0..4, with `importance`: strength of the temporal filter for what others lean on wholly; 0: none.
    double filter = 0;
    std::map<std::int64_t, PictureType> given; ///< Types that somebody wants, by display index: decide_types().
};

/// Pictures go in and come out in display order, as many at a time as there are up to the next anchor. What comes out
/// depends on the settings, the pictures and what is expected alone. TypedPicture::importance and ::filtered may still
/// be in the making, and are to be waited for while the lookahead lives. Not thread-safe. A use:
///
///     Lookahead lookahead(settings, motion, workers);
///     for (FramePtr picture : video)
///         for (TypedPicture& typed : lookahead.push(picture, half_picture_of(*picture))) order.push(typed);
///     for (auto rest = lookahead.rest(); !rest.empty(); rest = lookahead.rest())
///         for (TypedPicture& typed : rest) order.push(typed);
class Lookahead {
  public:
    /// The coprocessor, the workers and the trace, which may be null, outlive it. `devices`: who filters and measures
    /// costs beside the CPU.
    Lookahead(const LookaheadSettings& settings, Coprocessor& motion, Workers& workers,
              const CodingDevices& devices = {}, Trace* trace = nullptr);

    /// What pictures are coded with from here on, more or less (Quality::quantiser).
    void expect(double quantiser) { expected_ = quantiser; }
    /// Pictures have sides that are multiples of 16, and the first one's size.
    std::vector<TypedPicture> push(FramePtr source, HalfPicture half);
    /// After the last push: the pictures up to the next anchor; none: that was all.
    std::vector<TypedPicture> rest();

    /// The parameters of the searches between pictures of half size.
    static SearchParams search_params();

  private:
    struct Held {
        FramePtr source, half;
    };

    bool filters() const { return settings_.importance && settings_.filter > 0; }
    bool needs_motion() const;
    int wanted() const;
    int furthest_forward() const;
    int furthest_backward() const;
    void take_costs();
    void fill_table(int count);
    std::vector<TypedPicture> decide(int seen, bool is_to_the_end);
    void let_go(int count);
    /// In coding order up to the anchor `last`, then in display order.
    std::vector<ForeseenPicture> foreseen(const std::vector<PictureType>& types, int first, int last) const;
    std::vector<PictureType> types() const;
    FramePtr source_of(int at) const;
    double likely_quantiser(std::span<const ForeseenPicture> pictures) const;
    void ask_importance(const std::vector<PictureType>& types, int first, double quantiser,
                        std::vector<TypedPicture>& pictures);
    std::shared_future<FramePtr> filtered_anchor(int at, double quantiser,
                                                 std::shared_future<ImportancePtr> importance);
    template <class Work> auto run_behind(TaskPool& thread, const char* name, int at, Work work);

    const LookaheadSettings settings_;
    Coprocessor& motion_;
    Workers& workers_;
    Trace* const trace_;
    DeviceFilter filter_;            ///< The thread's of filters_.
    std::deque<FramePtr> gone_;      ///< Sources of the last pictures before those that are held: fewer than
                                     ///< farthest_filter_neighbour.
    std::deque<Held> held_;          ///< The last anchor that came out (none before the first), and all after it.
    CostTable table_;                ///< Of the first of them, as far as their costs have been taken.
    KnownLeanings leanings_;         ///< Of the table's pictures.
    bool begun_ = false;             ///< The first picture came out.
    std::int64_t first_held_ = 0;    ///< Display index of the first picture that is held.
    int since_intra_ = 0;            ///< Pictures from the last I picture to the last anchor that came out.
    std::optional<double> expected_; ///< By expect().
    CostMeasurer costs_;
    /// Make what is not waited for here, what is filtered behind its importance. The last: their destructors wait.
    TaskPool filters_{1}, importances_{1};
};

} // namespace tandem
