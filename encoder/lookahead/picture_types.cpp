// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/picture_types.h"

#include <algorithm>
#include <cstddef>

namespace tandem {

namespace {

/// Below this cost per macroblock a picture is as good as empty, and no cut from another empty one.
constexpr std::uint64_t least_intra_of_cut = 16;

/// What stands at a place before the number of B pictures is known.
enum class Mark : std::uint8_t {
    none,      ///< Anything but an I picture.
    predicted, ///< A P picture.
    between,   ///< A B picture.
    intra,
    cut, ///< An I picture that no B picture stands before.
};

class TypeDecision {
  public:
    TypeDecision(const CostTable& table, int since_intra, const TypeRules& rules,
                 std::span<const std::optional<PictureType>> given)
        : table_(table), rules_(rules), given_(given), since_intra_(since_intra),
          end_(static_cast<int>(table.pictures.size())), marks_(table.pictures.size(), Mark::none) {}

    std::vector<PictureType> types() {
        mark();
        std::vector<PictureType> types(table_.pictures.size(), PictureType::bidirectional);
        for (const int anchor : anchors()) {
            types[static_cast<std::size_t>(anchor)] = is_intra(anchor) ? PictureType::intra : PictureType::predicted;
        }
        types.erase(types.begin());
        return types;
    }

  private:
    struct Step {
        std::uint64_t cost = UINT64_MAX; ///< Of the cheapest path here.
        int from = 0;
    };

    const CostRow& row(int at) const { return table_.pictures[static_cast<std::size_t>(at)]; }

    Mark mark_at(int at) const { return marks_[static_cast<std::size_t>(at)]; }

    bool is_intra(int at) const { return mark_at(at) == Mark::intra || mark_at(at) == Mark::cut; }

    /// Finds the I pictures, and what is given.
    void mark() {
        int since = since_intra_, between = 0;
        for (int at = 1; at < end_; ++at) {
            ++since;
            Mark& here = marks_[static_cast<std::size_t>(at)];
            here = given_mark(at);
            between = here == Mark::between ? between + 1 : 0;
            if (between > rules_.most_b) here = Mark::none;
            if (here == Mark::none && since >= rules_.min_keyint && is_cut(at, since))
                here = mark_at(at - 1) == Mark::between ? Mark::intra : Mark::cut;
            if (since >= rules_.keyint && !is_intra(at)) here = Mark::intra;
            if (!is_intra(at)) continue;
            since = 0;
            Mark& before = marks_[static_cast<std::size_t>(at - 1)];
            if (rules_.closed && before == Mark::between) before = Mark::none;
        }
    }

    Mark given_mark(int at) const {
        if (given_.empty() || !given_[static_cast<std::size_t>(at)]) return Mark::none;
        const PictureType type = *given_[static_cast<std::size_t>(at)];
        if (type == PictureType::intra) return Mark::intra;
        return type == PictureType::predicted ? Mark::predicted : Mark::between;
    }

    /// Whether an anchor may stand here.
    bool may_be_anchor(int at) const { return mark_at(at) != Mark::between || at == end_ - 1; }

    /// Whether the picture is predicted from `distance` before about as badly as if it were intra.
    bool is_foreign(int at, int distance, int since) const {
        const std::uint64_t intra = row(at).intra_sum();
        if (intra < least_intra_of_cut * row(at).macroblocks()) return false;
        const auto keyint = static_cast<std::uint64_t>(rules_.keyint);
        const std::uint64_t place = std::min(static_cast<std::uint64_t>(since), keyint);
        // In 1/(200 * keyint) of the intra cost.
        const std::uint64_t near = static_cast<std::uint64_t>(rules_.scenecut) * (keyint + place);
        return row(at).predicted_sum(distance) * 200 * keyint >= intra * (200 * keyint - near);
    }

    /// Whether no picture from `at` on that is known to be near is predicted well from one before it.
    bool is_cut(int at, int since) const {
        if (rules_.scenecut == 0 || !row(at).knows(1)) return false;
        for (int later = at; later < end_ && row(later).knows(later - at + 1); ++later) {
            for (int distance = later - at + 1; row(later).knows(distance); ++distance)
                if (!is_foreign(later, distance, since)) return false;
        }
        return true;
    }

    /// B pictures that may stand before an anchor at this place, after one at `from`.
    bool may_follow(int from, int anchor) const {
        const int most = anchor - from - 1;
        if (most > rules_.most_b || !may_be_anchor(anchor)) return false;
        const Mark mark = mark_at(anchor);
        if (most > 0 && (mark == Mark::cut || (mark == Mark::intra && rules_.closed))) return false;
        return std::all_of(marks_.begin() + from + 1, marks_.begin() + anchor,
                           [](Mark between) { return between == Mark::none || between == Mark::between; });
    }

    std::uint64_t cost(int from, int anchor) const {
        std::uint64_t between = 0;
        for (int at = from + 1; at < anchor; ++at)
            between += row(at).between_sum(at - from, anchor - at);
        return anchor_weight * (is_intra(anchor) ? row(anchor).intra_sum() : row(anchor).predicted_sum(anchor - from)) +
               b_weight * between;
    }

    std::vector<int> anchors() const {
        return rules_.b_adapt == BAdapt::paths && rules_.most_b > 0 ? cheapest_path() : one_after_the_other();
    }

    /// Of paths that cost the same, the one with more B pictures.
    std::vector<int> cheapest_path() const {
        std::vector<Step> steps(marks_.size());
        steps[0].cost = 0;
        for (int at = 1; at < end_; ++at) {
            Step& step = steps[static_cast<std::size_t>(at)];
            for (int from = std::max(0, at - rules_.most_b - 1); from < at; ++from) {
                const std::uint64_t so_far = steps[static_cast<std::size_t>(from)].cost;
                if (so_far == UINT64_MAX || !may_follow(from, at)) continue;
                const std::uint64_t whole = so_far + cost(from, at);
                if (whole < step.cost) step = {whole, from};
            }
        }
        std::vector<int> path;
        for (int at = end_ - 1; at > 0; at = steps[static_cast<std::size_t>(at)].from)
            path.push_back(at);
        return path;
    }

    std::vector<int> one_after_the_other() const {
        std::vector<int> path;
        for (int from = 0; from < end_ - 1; from = path.back())
            path.push_back(rules_.b_adapt == BAdapt::fixed ? furthest(from) : cheapest_a_picture(from));
        return path;
    }

    int nearest(int from) const {
        int at = from + 1;
        while (at < end_ - 1 && !may_follow(from, at))
            ++at;
        return at;
    }

    int furthest(int from) const {
        int best = nearest(from);
        for (int at = best + 1; at < end_; ++at)
            if (may_follow(from, at)) best = at;
        return best;
    }

    int cheapest_a_picture(int from) const {
        int best = nearest(from);
        for (int at = best + 1; at < end_ && at <= from + rules_.most_b + 1; ++at) {
            if (!may_follow(from, at)) continue;
            const auto pictures = [&](int anchor) { return static_cast<std::uint64_t>(anchor - from); };
            if (cost(from, at) * pictures(best) <= cost(from, best) * pictures(at)) best = at;
        }
        return best;
    }

    const CostTable& table_;
    const TypeRules& rules_;
    const std::span<const std::optional<PictureType>> given_;
    const int since_intra_, end_;
    std::vector<Mark> marks_; ///< By picture of the table.
};

} // namespace

std::vector<PictureType> decide_types(const CostTable& table, int since_intra, const TypeRules& rules,
                                      std::span<const std::optional<PictureType>> given) {
    return TypeDecision(table, since_intra, rules, given).types();
}

} // namespace tandem
