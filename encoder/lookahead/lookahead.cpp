// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/lookahead.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace tandem {

namespace {

/// Pictures beyond those that a decision sees: their searches and measures are under way meanwhile.
constexpr int under_way = 16;
/// Where there are no more than so many beyond, and none will come, the decision sees them too.
constexpr int more_at_the_end = 7;
/// A flash of so many pictures is none but a cut.
constexpr int longest_flash = 2;

} // namespace

Lookahead::Lookahead(const LookaheadSettings& settings, Coprocessor& motion, Workers& workers,
                     const CodingDevices& devices, Trace* trace)
    : settings_(settings), motion_(motion), workers_(workers), trace_(trace), filter_(workers, devices),
      costs_(settings.rules.most_b, std::max(furthest_forward(), furthest_backward()), workers, devices, trace) {}

SearchParams Lookahead::search_params() {
    SearchParams params;
    params.algorithm = Algorithm::diamond;
    params.start = Start::predictors;
    params.block_width = params.block_height = half_macroblock;
    params.range_x = params.range_y = 16;
    params.precision = 2;
    params.lambda_q8 = 256;
    return params;
}

/// Types that are given alone need no search.
bool Lookahead::needs_motion() const {
    return settings_.importance || settings_.rules.scenecut > 0 || settings_.rules.b_adapt != BAdapt::fixed;
}

/// Pictures that a decision sees. The last one is an anchor in the table only: where types are given, it is not the one
/// that comes out.
int Lookahead::wanted() const {
    return std::max(settings_.pictures, settings_.rules.most_b + (settings_.given.empty() ? 1 : 2)) + 1;
}

int Lookahead::furthest_forward() const {
    return std::max({settings_.rules.most_b + 1, settings_.rules.scenecut > 0 ? longest_flash + 1 : 1,
                     filters() ? farthest_filter_neighbour : 1});
}

int Lookahead::furthest_backward() const {
    return std::max(settings_.rules.most_b, filters() ? farthest_filter_neighbour : 0);
}

std::vector<TypedPicture> Lookahead::push(FramePtr source, HalfPicture half) {
    SearchedPicture searched{std::make_shared<const HalfPicture>(std::move(half)), {}, {}};
    const FramePtr own = searched.half->frame;
    const int before = needs_motion() ? static_cast<int>(held_.size()) : 0;
    const int forward = std::min(furthest_forward(), before), backward = std::min(furthest_backward(), before);
    std::vector<MotionRequest> requests;
    const auto half_before = [&](int distance) { return held_[static_cast<std::size_t>(before - distance)].half; };
    for (int d = 1; d <= forward; ++d)
        requests.push_back({own, half_before(d), search_params(), nullptr, 0, -1});
    for (int d = 1; d <= backward; ++d)
        requests.push_back({half_before(d), own, search_params(), nullptr, 0, -1});
    searched.forward = motion_.submit_batch(std::move(requests));
    searched.backward.assign(std::make_move_iterator(searched.forward.begin() + forward),
                             std::make_move_iterator(searched.forward.end()));
    searched.forward.resize(static_cast<std::size_t>(forward));
    costs_.push(std::move(searched));
    held_.push_back({std::move(source), own});
    if (static_cast<int>(held_.size()) < wanted() + under_way) return {};
    return decide(wanted(), false);
}

std::vector<TypedPicture> Lookahead::rest() {
    if (held_.size() <= (begun_ ? 1 : 0)) return {};
    const int held = static_cast<int>(held_.size());
    const bool is_to_the_end = held <= wanted() + more_at_the_end;
    return decide(is_to_the_end ? held : wanted(), is_to_the_end);
}

/// Adds the next picture to the table, and what its searches tell of those before it there.
void Lookahead::take_costs() {
    const int at = static_cast<int>(table_.pictures.size());
    MeasuredPicture measured = costs_.next();
    const Frame& half = *held_[static_cast<std::size_t>(at)].half;
    table_.columns = half.width() / half_macroblock;
    table_.rows = half.height() / half_macroblock;
    CostRow& own = table_.pictures.emplace_back(std::move(measured.intra));
    int distance = 0;
    for (PredictedCostsPtr& costs : measured.forward)
        if (++distance <= at) own.set_forward(distance, std::move(costs));
    const auto before = [&](int after) -> CostRow& { return table_.pictures[static_cast<std::size_t>(at - after)]; };
    int after = 0;
    for (PredictedCostsPtr& costs : measured.backward)
        if (++after <= at) before(after).set_backward(after, std::move(costs));
    for (MeasuredPicture::Both& both : measured.both)
        if (both.before + both.after <= at) before(both.after).set_both(both.before, both.after, std::move(both.costs));
}

/// The table up to the first `count` pictures.
void Lookahead::fill_table(int count) {
    if (static_cast<int>(table_.pictures.size()) >= count) return;
    {
        const TraceSpan span(trace_, "wait for costs", "lookahead", first_held_ + count - 1);
        while (static_cast<int>(table_.pictures.size()) < count)
            take_costs();
    }
    workers_.for_each(static_cast<int>(table_.pictures.size()),
                      [&](int at, int) { table_.pictures[static_cast<std::size_t>(at)].sum_up(); });
}

/// Of the pictures in the table.
std::vector<PictureType> Lookahead::types() const {
    std::vector<std::optional<PictureType>> given;
    if (!settings_.given.empty()) given.resize(table_.pictures.size());
    for (std::size_t at = 0; at < given.size(); ++at) {
        const auto wish = settings_.given.find(first_held_ + static_cast<std::int64_t>(at));
        if (wish != settings_.given.end()) given[at] = wish->second;
    }
    std::vector<PictureType> types{PictureType::intra};
    const std::vector<PictureType> decided = decide_types(table_, since_intra_, settings_.rules, given);
    types.insert(types.end(), decided.begin(), decided.end());
    return types;
}

std::vector<ForeseenPicture> Lookahead::foreseen(const std::vector<PictureType>& types, int first, int last) const {
    std::vector<ForeseenPicture> pictures(types.size() - static_cast<std::size_t>(first));
    int before = 0, after = last; // The anchors about a picture.
    for (int at = first; at < static_cast<int>(types.size()); ++at) {
        const CostRow& row = table_.pictures[static_cast<std::size_t>(at)];
        const PictureType type = types[static_cast<std::size_t>(at)];
        while (after < at || types[static_cast<std::size_t>(after)] == PictureType::bidirectional)
            ++after;
        std::uint64_t cost = row.intra_sum();
        if (type == PictureType::predicted) cost = row.predicted_sum(at - before);
        if (type == PictureType::bidirectional) cost = row.between_sum(at - before, after - at);
        if (at == after) before = at;
        const int place = at == last ? 0 : at < last ? at - first + 1 : at - first;
        pictures[static_cast<std::size_t>(place)] = {type, cost, row.intra_sum()};
    }
    return pictures;
}

/// Of a picture that is held, or of one of the last before them; null: it is neither.
FramePtr Lookahead::source_of(int at) const {
    if (at >= 0) return at < static_cast<int>(held_.size()) ? held_[static_cast<std::size_t>(at)].source : nullptr;
    const int place = static_cast<int>(gone_.size()) + at;
    return place >= 0 ? gone_[static_cast<std::size_t>(place)] : nullptr;
}

/// Work for one of the threads that run behind, whose part of the trace is `name`: what comes of it.
template <class Work> auto Lookahead::run_behind(TaskPool& thread, const char* name, int at, Work work) {
    auto task = std::make_shared<std::packaged_task<decltype(work())()>>(
        [this, name, picture = first_held_ + at, work = std::move(work)]() mutable {
            const TraceSpan span(trace_, name, name, picture);
            return work();
        });
    thread.run(0, [task] { (*task)(); });
    return task->get_future().share();
}

/// Of a decision that foresees these pictures.
double Lookahead::likely_quantiser(std::span<const ForeseenPicture> pictures) const {
    if (expected_) return *expected_;
    return settings_.guess ? settings_.guess->quantiser(pictures, table_.columns * table_.rows) : settings_.quantiser;
}

/// Of the pictures of a decision, the first of which is the picture `first`. The anchor's comes first.
void Lookahead::ask_importance(const std::vector<PictureType>& types, int first, double quantiser,
                               std::vector<TypedPicture>& pictures) {
    const auto leanings = std::make_shared<const Leanings>(table_, types, quantiser, leanings_, workers_);
    for (int i = static_cast<int>(pictures.size()) - 1; i >= 0; --i) {
        pictures[static_cast<std::size_t>(i)].importance =
            run_behind(importances_, "importance", first + i, [this, leanings, wanted = first + i] {
                return ImportancePtr(
                    std::make_shared<Importance>(leanings->importance(wanted, settings_.strength, workers_)));
            });
    }
}

/// With the neighbours whose motion is in the table.
std::shared_future<FramePtr> Lookahead::filtered_anchor(int at, double quantiser,
                                                        std::shared_future<ImportancePtr> importance) {
    const CostRow& costs = table_.pictures[static_cast<std::size_t>(at)];
    FilterInput input{source_of(at), {costs.intra().begin(), costs.intra().end()}, {}, {}, quantiser};
    for (int distance = 1; distance <= farthest_filter_neighbour; ++distance) {
        const Predictions motion = costs.between(distance, distance);
        if (const FramePtr before = source_of(at - distance); before && motion.forward != nullptr)
            input.neighbours.push_back({before, distance, {motion.forward->begin(), motion.forward->end()}});
        if (const FramePtr after = source_of(at + distance); after && motion.backward != nullptr)
            input.neighbours.push_back({after, distance, {motion.backward->begin(), motion.backward->end()}});
    }
    return run_behind(filters_, "filter", at,
                      [this, input = std::move(input), importance = std::move(importance)]() mutable {
                          input.strength = importance.get()->borne_by_others;
                          for (float& strength : input.strength)
                              strength *= static_cast<float>(settings_.filter);
                          return filter_.filtered(input);
                      });
}

/// Of the first `count` that are held.
void Lookahead::let_go(int count) {
    for (int at = 0; at < count; ++at)
        gone_.push_back(std::move(held_[static_cast<std::size_t>(at)].source));
    while (gone_.size() >= farthest_filter_neighbour)
        gone_.pop_front();
    held_.erase(held_.begin(), held_.begin() + count);
    first_held_ += count;
    table_.pictures.erase(table_.pictures.begin(), table_.pictures.begin() + count);
    if (!leanings_.empty()) leanings_.erase(leanings_.begin(), leanings_.begin() + count);
}

/// Types of the pictures up to the next anchor, by the first `seen` of those that are held.
std::vector<TypedPicture> Lookahead::decide(int seen, bool is_to_the_end) {
    fill_table(seen);
    const std::vector<PictureType> types = this->types();
    int first = 1, last = 1;
    if (!begun_) first = last = 0;
    while (types[static_cast<std::size_t>(last)] == PictureType::bidirectional)
        ++last;
    Prospect prospect{nullptr, 0, is_to_the_end};
    if (needs_motion())
        prospect.pictures = std::make_shared<std::vector<ForeseenPicture>>(foreseen(types, first, last));
    std::vector<TypedPicture> out;
    for (int at = first; at <= last; ++at) {
        prospect.place = static_cast<std::size_t>(at == last ? 0 : at - first + 1);
        out.push_back({held_[static_cast<std::size_t>(at)].source, types[static_cast<std::size_t>(at)], {}, prospect});
    }
    if (settings_.importance) {
        const double quantiser = likely_quantiser(*prospect.pictures);
        ask_importance(types, first, quantiser, out);
        fill_table(std::min(seen + last, static_cast<int>(held_.size())));
        if (filters()) out.back().filtered = filtered_anchor(last, quantiser, out.back().importance);
    }
    begun_ = true;
    since_intra_ = types[static_cast<std::size_t>(last)] == PictureType::intra ? 0 : since_intra_ + last;
    let_go(last);
    return out;
}

} // namespace tandem
