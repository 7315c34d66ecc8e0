// SPDX-License-Identifier: BSD-2-Clause
// Holds pictures back until it has seen what follows them, and says what each is to be.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <vector>

#include "encoder/lookahead/cost_table.h"
#include "encoder/lookahead/half_picture.h"
#include "encoder/lookahead/importance.h"
#include "encoder/lookahead/picture_types.h"
#include "encoder/lookahead/temporal_filter.h"
#include "encoder/pictures/picture_order.h"
#include "machine/task_pool.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

struct LookaheadSettings {
    TypeRules rules;
    int pictures = 40; ///< That a decision sees beyond the last one decided, 1..250; at least most_b + 1 are seen.
    bool importance = true;
    double quantiser = 8;  ///< That is likely, as Quality::quantiser.
    double strength = 0.5; ///< Of Leanings::importance(), 0..1.
    /// 0..4, with `importance`: strength of the TemporalFilter for what others lean on wholly; 0: none.
    double filter = 0;
    std::map<std::int64_t, PictureType> given; ///< Types that somebody wants, by display index: decide_types().
};

/// Pictures go in and come out in display order, as many at a time as there are up to the next anchor. What comes out
/// depends on the settings and the pictures alone. TypedPicture::filtered may still be in the making, and is to be
/// waited for while the lookahead lives. Not thread-safe. A use:
///
///     Lookahead lookahead(settings, motion, workers);
///     for (FramePtr picture : video)
///         for (TypedPicture& typed : lookahead.push(picture, half_picture_of(*picture))) order.push(typed);
///     for (auto rest = lookahead.rest(); !rest.empty(); rest = lookahead.rest())
///         for (TypedPicture& typed : rest) order.push(typed);
class Lookahead {
  public:
    /// The coprocessor and the workers outlive it.
    Lookahead(const LookaheadSettings& settings, Coprocessor& motion, Workers& workers);

    /// Pictures have sides that are multiples of 16, and the first one's size.
    std::vector<TypedPicture> push(FramePtr source, HalfPicture half);
    /// After the last push: the pictures up to the next anchor; none: that was all.
    std::vector<TypedPicture> rest();

    /// The parameters of the searches between pictures of half size.
    static SearchParams search_params();

  private:
    /// A picture, and the searches that end with it.
    struct Held {
        FramePtr source;
        HalfPicture half;
        /// [d - 1]: from the picture d before it to this one, and from this one to that.
        std::vector<std::future<MotionResult>> forward, backward;
    };

    /// What is to be measured in a row of macroblocks, in this order: what comes later may need what comes before.
    using Steps = std::vector<std::function<void(int row)>>;

    bool filters() const { return settings_.importance && settings_.filter > 0; }
    bool needs_motion() const;
    int wanted() const;
    int furthest_forward() const;
    int furthest_backward() const;
    void take_fields(int at, Steps& steps);
    void fill_table(int count, int beside, const std::function<void(int)>& body);
    std::vector<TypedPicture> decide(int seen, bool is_to_the_end);
    void let_go(int count);
    /// In coding order up to the anchor `last`, then in display order.
    std::vector<ForeseenPicture> foreseen(const std::vector<PictureType>& types, int first, int last) const;
    std::vector<PictureType> types() const;
    FramePtr source_of(int at) const;
    std::shared_future<FramePtr> filtered_anchor(int at, const Importance& importance);

    const LookaheadSettings settings_;
    Coprocessor& motion_;
    Workers& workers_;
    const TemporalFilter filter_;
    std::deque<FramePtr> gone_; ///< Sources of the last pictures before those that are held: fewer than
                                ///< farthest_filter_neighbour.
    std::deque<Held> held_;     ///< The last anchor that came out (none before the first), and all after it.
    CostTable table_;           ///< Of the first of them, as far as their searches have been taken.
    Leanings leanings_;
    bool begun_ = false;          ///< The first picture came out.
    std::int64_t first_held_ = 0; ///< Display index of the first picture that is held.
    int since_intra_ = 0;         ///< Pictures from the last I picture to the last anchor that came out.
    TaskPool filtering_{1};       ///< The last: its destructor waits for filters under way.
};

} // namespace tandem
