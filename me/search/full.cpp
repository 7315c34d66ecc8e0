// SPDX-License-Identifier: BSD-2-Clause
// Full search: every vector of the window, on the whole-pel grid or a finer one; exact, but not by brute force.
// The list of the best does not depend on the order in which positions are tried, so they are tried in the order that
// soon gives a cost which is hard to beat: near the vectors of the block before, then rows away from the best, many at
// a time.
// Positions that cannot beat the worst of the list, by the sums of the block's cells, are not measured (after Li and
// Salari, 1995, and Gao, Duanmu and Zou, 2000).
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "machine/long_work.h"
#include "me/kernels/elimination_kernels.h"
#include "me/search/block_cells.h"
#include "me/search/block_search.h"
#include "me/search/rate_rows.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

constexpr std::uint32_t no_limit = 65535; ///< From here on cells eliminate nothing: sums of differences saturate.

/// The reference at one fraction of the grid, and its sums by cells.
struct Phase {
    PlaneView plane;
    int x = 0, y = 0; ///< Eighth-pels, 0..7.
    std::optional<CellSums> sums;
};

/// Where elimination pays: samples of a block, and their differences at all of its positions.
constexpr int least_samples = 256;
constexpr std::int64_t least_work = 120000, least_work_for_several = 600000;

constexpr int first_rows = 16; ///< Rows of positions that are eliminated about the start where several are kept: the
                               ///< last of those is hard to beat only then.
constexpr int most_rows = most_rows_of_survivors; ///< And in one go.

/// Leaves out elimination for a while where it did not exclude enough, for longer each time.
class Patience {
  public:
    bool try_now(bool possible) {
        if (possible && wait_ == 0) return tried_ = true;
        if (wait_ > 0) --wait_;
        return tried_ = false;
    }
    void note(bool worthwhile) {
        if (!tried_) return;
        longest_ = worthwhile ? 0 : std::min(2 * longest_ + 1, 15);
        wait_ = longest_ / 2;
    }

  private:
    int wait_ = 0, longest_ = 0;
    bool tried_ = false;
};

/// What the blocks of one thread use one after another. Most of the room for positions is never touched.
struct Scratch {
    explicit Scratch(const SearchParams& params)
        : Scratch(params, static_cast<std::size_t>(2 * params.range_x + 1) * most_rows) {}
    Scratch(const SearchParams& params, std::size_t most)
        : distortions(std::make_unique_for_overwrite<std::uint32_t[]>(most)),
          positions(std::make_unique_for_overwrite<BoundedPosition[]>(most)),
          measured(std::make_unique_for_overwrite<MeasuredPosition[]>(most)),
          addresses(std::make_unique_for_overwrite<const std::uint8_t*[]>(most)),
          rates(params.lambda_q8, params.rate_unit) {}
    std::unique_ptr<std::uint32_t[]> distortions;
    std::unique_ptr<BoundedPosition[]> positions;
    std::unique_ptr<MeasuredPosition[]> measured;
    std::unique_ptr<const std::uint8_t*[]> addresses;
    RateRows rates;
    int first_y = 0; ///< Of the rows of rates.
    CellsOfBlock cells;
    std::array<std::int32_t, most_rows> limits; ///< Of the sum of absolute differences, for each row of a band.
    Patience patience;
    std::vector<Candidate> previous; ///< The candidates of the block before.
};

/// A rectangle of positions of one fraction in one block's window, in whole steps, both ends included.
struct Positions {
    int min_x, max_x, min_y, max_y;
    int columns() const { return max_x - min_x + 1; }
    int rows() const { return max_y - min_y + 1; }
};

class FullSearch final : public Search {
  public:
    FullSearch(const SearchInput& input, int first_row, int end_row) : input_(input), params_(*input.params) {
        const int step = eighths_per_pel / params_.grid;
        for (int y = 0; y < eighths_per_pel; y += step) {
            for (int x = 0; x < eighths_per_pel; x += step)
                phases_.push_back({plane_of(x, y), x, y, std::nullopt});
        }
        if (is_worth_eliminating(params_)) add_sums(first_row, end_row);
    }

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        Scratch scratch(params_);
        for (int row = first_row; row < end_row; ++row) {
            scratch.previous.clear();
            scratch.patience = {};
            for (const Phase& phase : phases_) {
                if (phase.sums)
                    phase.sums->prepare(row * params_.block_height - params_.range_y,
                                        (row + 1) * params_.block_height + params_.range_y);
            }
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                fetch_ahead(search);
                if (!search.settled()) {
                    start_well(search, scratch);
                    for (const Phase& phase : phases_)
                        search_phase(search, phase, scratch);
                }
                search.store(field);
                scratch.previous.assign(field.block(column, row).begin(), field.block(column, row).end());
            }
        }
    }

  private:
    PlaneView plane_of(int x, int y) const {
        if (x == 0 && y == 0) return input_.reference;
        const int step = eighths_per_pel / input_.planes->precision();
        return input_.planes->plane(x / step, y / step);
    }

    /// Left out where they would take more memory than they are worth (grids finer than 1/2) or where cells do not
    /// divide the block.
    void add_sums(int first_row, int end_row) {
        const CellKinds kinds = kinds_of_cells(params_.block_width, params_.block_height);
        if ((!kinds.fine && !kinds.sums) || phases_.size() > 4) return;
        const PlaneView& reference = input_.reference;
        const int first_y = std::max(first_row * params_.block_height - params_.range_y, -input_.border);
        const int last_y = std::min(end_row * params_.block_height + params_.range_y, reference.height + input_.border);
        for (Phase& phase : phases_) {
            phase.sums.emplace(phase.plane, input_.border, first_y, last_y - cell_side + 1, kinds, *input_.buffers);
        }
    }

    /// Asks for samples to the right of what this block reads, which no block before has read: of the current picture
    /// the block's rows, of the reference the lowest rows of the window.
    void fetch_ahead(const BlockSearch& search) const {
        const BlockRect& block = search.block();
        const int ahead = block.width + 48; // In time, and mostly a line of the cache further.
        for (int y = 0; y < block.height; ++y) {
            __builtin_prefetch(search.current() + y * input_.current.stride + ahead);
            __builtin_prefetch(search.reference(search.window().max_x + ahead, search.window().max_y + y));
        }
    }

    /// Walks downhill from the vectors of the block before, so that the first rows already have something to beat.
    void start_well(BlockSearch& search, const Scratch& scratch) const {
        std::array<Offset, most_candidates> previous;
        std::size_t count = 0;
        for (const Candidate& candidate : scratch.previous) {
            if (!has_vector(candidate)) continue;
            previous[count++] = {candidate.mv.x / eighths_per_pel, candidate.mv.y / eighths_per_pel};
        }
        search.propose_all(0, 0, std::span(previous).first(count), 1, 1);
        for (int step = 0; step < params_.range_x + params_.range_y; ++step) {
            if (!try_pattern(search, patterns::small_diamond)) break;
        }
    }

    void search_phase(BlockSearch& search, const Phase& phase, Scratch& scratch) const {
        const Window& window = search.window();
        const Positions positions{window.min_x, window.max_x - (phase.x > 0), window.min_y,
                                  window.max_y - (phase.y > 0)};
        if (positions.max_x < positions.min_x || positions.max_y < positions.min_y) return;
        scratch.rates.prepare(search.predictor(), eighths_per_pel * positions.min_x + phase.x, positions.columns(),
                              eighths_per_pel * positions.min_y + phase.y, positions.rows());
        scratch.first_y = positions.min_y;
        scratch.cells.set(phase.sums ? &*phase.sums : nullptr, input_.current, search.block());
        // From the rows about the best vector outwards, as many rows at a time as are eliminated together.
        const int rows = params_.candidates <= 2 ? most_rows : first_rows;
        const int start = std::max(std::min(search.best_y() - rows / 2, positions.max_y - rows + 1), positions.min_y);
        for (int above = start, below = start; above > positions.min_y || below <= positions.max_y;) {
            if (below <= positions.max_y) {
                const int end = std::min(below + (below == start ? rows : most_rows), positions.max_y + 1);
                search_band(search, phase, {positions.min_x, positions.max_x, below, end - 1}, scratch);
                below = end;
            }
            if (above > positions.min_y) {
                const int begin = std::max(above - most_rows, positions.min_y);
                search_band(search, phase, {positions.min_x, positions.max_x, begin, above - 1}, scratch);
                above = begin;
            }
        }
    }

    /// The largest sum of absolute differences of cells that a position may have whose distortion is at most `most`.
    std::uint32_t cell_limit(std::uint32_t most, const BlockRect& block) const {
        if (params_.metric == Metric::sad) return std::min(most, no_limit);
        // The four lowest coefficients of a 4x4 Hadamard transform are the transform of its four 2x2 sums, so that
        // sum |2x2 sums| <= sum |these four|; the lowest is the sum of all 16. And coefficients are halved.
        if (params_.metric == Metric::satd) return most > no_limit / 2 ? no_limit : 2 * most;
        // (sum of n numbers)^2 <= n * (sum of squares), and one more for the rounding of the root.
        const double root = std::sqrt(static_cast<double>(most) * block.samples()) + 1;
        return root < no_limit ? static_cast<std::uint32_t>(root) : no_limit;
    }

    /// A few rows of positions: eliminates, measures what is left, and offers what is good enough.
    void search_band(BlockSearch& search, const Phase& phase, const Positions& band, Scratch& scratch) const {
        work_.end_if_told();
        const int left = scratch.patience.try_now(scratch.cells.any()) ? eliminate(search, band, scratch) : INT32_MAX;
        const int few = band.columns() * band.rows() / 5; // Whole rows cost less than single positions.
        scratch.patience.note(left <= few);
        if (left > few)
            measure_all(search, phase, band, scratch);
        else
            measure_left(search, phase, band, left, scratch);
    }

    /// What rows may have at most, to scratch.limits. False where that excludes nothing.
    bool set_limits(const BlockSearch& search, const Positions& band, Scratch& scratch) const {
        const std::uint32_t threshold = search.list().threshold();
        std::uint32_t known_rate = UINT32_MAX; // Many rows have the same.
        std::int32_t limit = -1;
        if (params_.lambda_q8 == 0) {
            limit = static_cast<std::int32_t>(cell_limit(threshold, search.block()));
            std::fill_n(scratch.limits.begin(), band.rows(), limit);
            return limit < static_cast<std::int32_t>(no_limit);
        }
        for (int row = 0; row < band.rows(); ++row) {
            const std::uint32_t rate = scratch.rates.least(band.min_y + row - scratch.first_y);
            if (rate != known_rate) {
                known_rate = rate;
                limit = rate > threshold ? -1 : static_cast<std::int32_t>(cell_limit(threshold - rate, search.block()));
                if (limit >= static_cast<std::int32_t>(no_limit)) return false;
            }
            scratch.limits[static_cast<std::size_t>(row)] = limit;
        }
        return true;
    }

    /// The positions that may be good enough, to scratch.positions; how many, or INT32_MAX where nothing can be
    /// excluded.
    int eliminate(const BlockSearch& search, const Positions& band, Scratch& scratch) const {
        if (!set_limits(search, band, scratch)) return INT32_MAX;
        const int left = elimination_kernels().survivors(scratch.cells.from(band.min_x, band.min_y), band.columns(),
                                                         band.rows(), scratch.limits.data(), scratch.positions.get());
        return left == hopeless ? INT32_MAX : left;
    }

    /// Measures the first `left` positions in the scratch: those that promise most, then what these leave of the rest.
    void measure_left(BlockSearch& search, const Phase& phase, const Positions& band, int left,
                      Scratch& scratch) const {
        constexpr std::ptrdiff_t few = 24; // Not worth dividing.
        std::span<BoundedPosition> rest(scratch.positions.get(), static_cast<std::size_t>(left));
        const auto chance = [&](const BoundedPosition& p) {
            return scratch.limits[p.position.row] - static_cast<std::int32_t>(p.bound);
        };
        if (left > few) {
            std::int32_t best_chance = 0;
            for (const BoundedPosition& p : rest)
                best_chance = std::max(best_chance, chance(p));
            const auto end = std::partition(rest.begin(), rest.end(),
                                            [&](const BoundedPosition& p) { return 4 * chance(p) >= 3 * best_chance; });
            const std::uint32_t threshold = search.list().threshold();
            measure_some(search, phase, band, {rest.begin(), end}, scratch);
            if (search.list().threshold() < threshold) set_limits(search, band, scratch);
            rest = {end, std::partition(end, rest.end(), [&](const BoundedPosition& p) { return chance(p) >= 0; })};
        }
        measure_some(search, phase, band, rest, scratch);
    }

    /// The rows without elimination: a few first, of which many may be better than what is known, then the rest.
    void measure_all(BlockSearch& search, const Phase& phase, const Positions& band, Scratch& scratch) const {
        constexpr int few = 8;
        for (int y = band.min_y, end; y <= band.max_y; y = end) {
            end = y == band.min_y ? std::min(y + few, band.max_y + 1) : band.max_y + 1;
            const int good = measure_rows(search, phase, {band.min_x, band.max_x, y, end - 1}, scratch);
            for (std::size_t i = 0; i < static_cast<std::size_t>(good); ++i) {
                const auto [position, distortion] = scratch.measured[i];
                const std::uint32_t* rates = scratch.rates.row(y + position.row - scratch.first_y);
                offer(search, phase, band.min_x + position.column, y + position.row, distortion,
                      rates[position.column]);
            }
        }
    }

    /// Measures rows of positions; the possibly good ones come to scratch.measured. How many.
    int measure_rows(BlockSearch& search, const Phase& phase, const Positions& rows, Scratch& scratch) const {
        const std::uint32_t threshold = search.list().threshold();
        std::int32_t limits[most_rows];
        int within = 0;
        const auto limit_of = [threshold](std::uint32_t rate) {
            if (rate > threshold) return -1;
            return static_cast<std::int32_t>(std::min<std::uint32_t>(threshold - rate, INT32_MAX));
        };
        if (params_.lambda_q8 == 0) {
            std::fill_n(limits, rows.rows(), limit_of(0));
            within = rows.rows();
        } else {
            for (int row = 0; row < rows.rows(); ++row) {
                limits[row] = limit_of(scratch.rates.least(rows.min_y + row - scratch.first_y));
                within += limits[row] >= 0;
            }
        }
        search.count(within * rows.columns());
        const BlockRect& block = search.block();
        const std::uint8_t* reference = reference_at(search, phase, rows.min_x, rows.min_y);
        return input_.kernels->within(params_.metric)(search.current(), input_.current.stride, reference,
                                                      phase.plane.stride, block.width, block.height, rows.columns(),
                                                      rows.rows(), limits, scratch.measured.get());
    }

    static const std::uint8_t* reference_at(const BlockSearch& search, const Phase& phase, int x, int y) {
        return phase.plane.data + (search.block().y + y) * phase.plane.stride + search.block().x + x;
    }

    static void offer(BlockSearch& search, const Phase& phase, int x, int y, std::uint32_t distortion,
                      std::uint32_t rate) {
        if (cost_of(distortion, rate) > search.list().threshold()) return;
        const Mv mv{static_cast<std::int16_t>(x * eighths_per_pel + phase.x),
                    static_cast<std::int16_t>(y * eighths_per_pel + phase.y)};
        distortion += search.chroma_distortion(mv);
        search.offer({mv, distortion, cost_of(distortion, rate)});
    }

    void measure_some(BlockSearch& search, const Phase& phase, const Positions& band,
                      std::span<const BoundedPosition> positions, Scratch& scratch) const {
        const std::uint8_t* reference = reference_at(search, phase, band.min_x, band.min_y);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const Position position = positions[i].position;
            scratch.addresses[i] = reference + position.row * phase.plane.stride + position.column;
        }
        search.measure_many(scratch.addresses.get(), phase.plane.stride, static_cast<int>(positions.size()),
                            scratch.distortions.get());
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (scratch.distortions[i] > search.list().threshold()) continue;
            const Position position = positions[i].position;
            const int y = band.min_y + position.row;
            offer(search, phase, band.min_x + position.column, y, scratch.distortions[i],
                  scratch.rates.row(y - scratch.first_y)[position.column]);
        }
    }

    const LongWork work_;
    SearchInput input_;
    const SearchParams& params_;
    std::vector<Phase> phases_;
};

} // namespace

/// Rows of positions are cheap, those of small blocks most of all, and where several candidates are kept the worst of
/// them is all that has to be beaten. The same for every SIMD level, so that all measure the same positions.
bool is_worth_eliminating(const SearchParams& params) {
    if (params.brute_force || !sees_brightness(params.metric)) return false; // Sums of cells bound no other.
    if (params.eliminate_always) return true;
    const int samples = params.block_width * params.block_height;
    if (samples < least_samples) return false;
    const std::int64_t positions =
        std::int64_t{2 * params.range_x + 1} * std::int64_t{2 * params.range_y + 1} * params.grid * params.grid;
    return positions * samples >= (params.candidates == 1 ? least_work : least_work_for_several);
}

std::unique_ptr<Search> make_full_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<FullSearch>(input, first_row, end_row);
}

} // namespace tandem
