// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/sizes.h"

#include <algorithm>
#include <numeric>

#include "me/kernels/distortion_rows.h"
#include "me/search/block_search.h"
#include "me/search/rate_rows.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

constexpr int row_padding = 64;  ///< What kernels may write beyond a row.
constexpr int rows_together = 8; ///< Rows of displacements that lie one after another in memory.
static_assert(rows_together * (2 * largest_range + 1) <= 65536, "kernels number displacements by 16 bits");

std::uint32_t worst_distortion(Metric metric, const BlockSize& size) {
    // A transform of a 4x4 block keeps the squares' sum but for a factor of 16, so that the sum of its absolute
    // coefficients is at most 4 times that of the largest differences, and SATD is half of it.
    const std::uint32_t of_sample = metric == Metric::sad ? 255 : metric == Metric::satd ? 2 * 255 : 255 * 255;
    return of_sample * static_cast<std::uint32_t>(size.width * size.height);
}

bool fits_16_bits(Metric metric, const BlockSize& size) { return worst_distortion(metric, size) <= 65535; }

/// What all sizes are made of, so small that kernels measure it at rectangles of positions.
BlockSize common_cell(std::span<const BlockSize> sizes, Metric metric) {
    const int most = metric == Metric::satd ? 8 : 16;
    BlockSize cell{most, most};
    for (const BlockSize& size : sizes)
        cell = {std::gcd(cell.width, size.width), std::gcd(cell.height, size.height)};
    return cell;
}

BlockSize largest_sides(std::span<const BlockSize> sizes) {
    BlockSize largest;
    for (const BlockSize& size : sizes)
        largest = {std::max(largest.width, size.width), std::max(largest.height, size.height)};
    return largest;
}

bool divides(const BlockSize& part, const BlockSize& whole) {
    return whole.width % part.width == 0 && whole.height % part.height == 0;
}

int area(const BlockSize& size) { return size.width * size.height; }

/// From the cells up; each level sums the largest blocks before it that divide its own.
std::vector<SizeLevel> make_levels(std::span<const SearchInput> inputs, const BlockSize& largest) {
    const Metric metric = inputs.front().params->metric;
    std::vector<BlockSize> sizes;
    for (const SearchInput& input : inputs)
        sizes.push_back({input.params->block_width, input.params->block_height});
    std::vector<SizeLevel> levels;
    const BlockSize cell = common_cell(sizes, metric);
    if (std::ranges::find(sizes, cell) == sizes.end()) levels.push_back({cell});
    for (std::size_t i = 0; i < sizes.size(); ++i)
        levels.push_back({sizes[i], -1, static_cast<int>(i)});
    std::ranges::stable_sort(levels, {}, [](const SizeLevel& level) { return area(level.size); });
    for (std::size_t i = 0; i < levels.size(); ++i) {
        SizeLevel& level = levels[i];
        level.columns = largest.width / level.size.width;
        level.rows = largest.height / level.size.height;
        level.narrow = fits_16_bits(metric, level.size);
        for (std::size_t part = 0; part < i; ++part) {
            if (divides(levels[part].size, level.size)) level.parts = static_cast<int>(part);
        }
    }
    return levels;
}

/// Searches the blocks of all sizes in one block of the largest size after another.
class LargestBlock {
  public:
    LargestBlock(std::span<const SearchInput> inputs, std::span<const SizeLevel> levels)
        : inputs_(inputs), params_(*inputs.front().params), levels_(levels), blocks_(levels.size()),
          narrow_(levels.size()), wide_(levels.size()), row_length_(static_cast<std::size_t>(2 * params_.range_x + 1)),
          found_(rows_together * row_length_) {
        std::size_t searches = 0;
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const auto count = static_cast<std::size_t>(levels[i].columns) * static_cast<std::size_t>(levels[i].rows);
            blocks_[i].resize(count);
            // Where a window is narrower, there stands what is as bad as can be, or what kernels wrote beyond a row.
            const std::size_t length = count * rows_together * row_length_ + row_padding;
            const std::uint32_t worst = worst_distortion(params_.metric, levels[i].size);
            if (levels[i].narrow)
                narrow_[i].assign(length, static_cast<std::uint16_t>(worst));
            else
                wide_[i].assign(length, worst);
            if (levels[i].field >= 0) searches += count;
        }
        searches_.reserve(searches);
        // Blocks whose predictors are all zero share the rows of rates.
        const bool one = params_.predictor == Predictor::zero;
        rates_.assign(one ? 1 : searches, RateRows(params_.lambda_q8, params_.rate_unit));
    }

    void search(int x, int y, std::span<MotionField> fields) {
        searches_.clear();
        for (std::size_t level = 0; level < levels_.size(); ++level)
            place_blocks(level, x, y, fields);
        // From zero outwards, which soon gives costs that are hard to beat.
        for (int distance = 0; distance <= params_.range_y; distance += rows_together) {
            search_rows(distance);
            search_rows(-distance - rows_together);
        }
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            for (Block& block : blocks_[level]) {
                if (block.search >= 0) searches_[static_cast<std::size_t>(block.search)].store(field_of(level, fields));
            }
        }
    }

  private:
    struct Block {
        BlockRect rect; ///< Empty beyond the picture.
        Window window;
        int search = -1; ///< Which of searches_.
    };

    MotionField& field_of(std::size_t level, std::span<MotionField> fields) const {
        return fields[static_cast<std::size_t>(levels_[level].field)];
    }

    void place_blocks(std::size_t index, int x, int y, std::span<MotionField> fields) {
        const SizeLevel& level = levels_[index];
        const PlaneView& picture = inputs_.front().current;
        for (int row = 0; row < level.rows; ++row) {
            for (int column = 0; column < level.columns; ++column) {
                Block& block = blocks_[index][static_cast<std::size_t>(row * level.columns + column)];
                block = {};
                const int left = x + column * level.size.width, top = y + row * level.size.height;
                if (left >= picture.width || top >= picture.height) continue;
                block.rect = {left, top, std::min(level.size.width, picture.width - left),
                              std::min(level.size.height, picture.height - top)};
                block.window = search_window(block.rect, picture.width, picture.height, params_);
                if (level.field < 0) continue;
                block.search = static_cast<int>(searches_.size());
                searches_.emplace_back(inputs_[static_cast<std::size_t>(level.field)], field_of(index, fields),
                                       left / level.size.width, top / level.size.height);
                if (params_.lambda_q8 > 0) prepare_rates(block.search);
            }
        }
    }

    RateRows& rates_of(int search) { return rates_[rates_.size() > 1 ? static_cast<std::size_t>(search) : 0]; }

    void prepare_rates(int search) {
        rates_of(search).prepare(searches_[static_cast<std::size_t>(search)].predictor(),
                                 -eighths_per_pel * params_.range_x, 2 * params_.range_x + 1,
                                 -eighths_per_pel * params_.range_y, 2 * params_.range_y + 1);
    }

    /// The rows of displacements of a block's window that are searched at once: `count` of them from y on, each with so
    /// many `columns`, the first of which stands at `start`.
    struct Rows {
        int y, count, columns;
        std::size_t start;
    };
    Rows rows_of(std::size_t index, const Window& window, int first_y) const {
        const int y = std::max(first_y, window.min_y), end = std::min(first_y + rows_together, window.max_y + 1);
        const std::size_t row = index * rows_together + static_cast<std::size_t>(y - first_y);
        return {y, end - y, window.max_x - window.min_x + 1,
                row * row_length_ + static_cast<std::size_t>(params_.range_x + window.min_x)};
    }
    /// From the first to the last displacement, with what stands between the rows.
    int length_of(const Rows& rows) const { return (rows.count - 1) * static_cast<int>(row_length_) + rows.columns; }

    /// All horizontal displacements at the vertical ones from `first_y` on.
    void search_rows(int first_y) {
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            for (std::size_t index = 0; index < blocks_[level].size(); ++index) {
                const Block& block = blocks_[level][index];
                if (block.rect.width == 0) continue;
                const Rows rows = rows_of(index, block.window, first_y);
                if (rows.count <= 0) continue;
                if (levels_[level].parts < 0)
                    measure(level, block, rows);
                else
                    sum_parts(level, index, rows, first_y);
                if (block.search < 0 || searches_[static_cast<std::size_t>(block.search)].settled()) continue;
                look_through(level, block, rows);
            }
        }
    }

    void measure(std::size_t level, const Block& block, const Rows& rows) {
        const SearchInput& input = inputs_.front();
        const BlockRect& rect = block.rect;
        const std::uint8_t* current = input.current.row(rect.y) + rect.x;
        const std::uint8_t* reference =
            input.reference.data + (rect.y + rows.y) * input.reference.stride + rect.x + block.window.min_x;
        const auto measure_all = [&](auto kernel, auto* distortions) {
            kernel(current, input.current.stride, reference, input.reference.stride, rect.width, rect.height,
                   rows.columns, rows.count, distortions + rows.start, static_cast<std::ptrdiff_t>(row_length_));
        };
        if (params_.metric == Metric::sad)
            measure_all(input.kernels->all_sads, narrow_[level].data());
        else if (params_.metric == Metric::satd)
            measure_all(input.kernels->all_satds, narrow_[level].data());
        else
            measure_all(input.kernels->all_ssds, wide_[level].data());
    }

    /// A block's window lies in those of its parts, so their distortions are there.
    void sum_parts(std::size_t level, std::size_t index, const Rows& rows, int first_y) {
        const SizeLevel& whole = levels_[level];
        const auto from = static_cast<std::size_t>(whole.parts);
        const SizeLevel& part = levels_[from];
        const int across = whole.size.width / part.size.width, down = whole.size.height / part.size.height;
        const int column = static_cast<int>(index) % whole.columns, row = static_cast<int>(index) / whole.columns;
        const Window& window = blocks_[level][index].window;
        narrow_parts_.clear();
        wide_parts_.clear();
        for (int y = row * down; y < (row + 1) * down; ++y) {
            for (int x = column * across; x < (column + 1) * across; ++x) {
                const auto place = static_cast<std::size_t>(y * part.columns + x);
                if (blocks_[from][place].rect.width == 0) continue;
                const std::size_t start = rows_of(place, window, first_y).start;
                if (part.narrow)
                    narrow_parts_.push_back(narrow_[from].data() + start);
                else
                    wide_parts_.push_back(wide_[from].data() + start);
            }
        }
        const int length = length_of(rows);
        const auto narrow_parts = static_cast<int>(narrow_parts_.size());
        if (whole.narrow)
            kernels_.sum_narrow(narrow_parts_.data(), narrow_parts, length, narrow_[level].data() + rows.start);
        else if (part.narrow)
            kernels_.sum_widening(narrow_parts_.data(), narrow_parts, length, wide_[level].data() + rows.start);
        else
            kernels_.sum_wide(wide_parts_.data(), static_cast<int>(wide_parts_.size()), length,
                              wide_[level].data() + rows.start);
    }

    /// Offers the good ones of some rows of distortions.
    void look_through(std::size_t level, const Block& block, const Rows& rows) {
        BlockSearch& search = searches_[static_cast<std::size_t>(block.search)];
        search.count(rows.count * rows.columns);
        RateRows* rates = params_.lambda_q8 > 0 ? &rates_of(block.search) : nullptr;
        std::uint32_t least_rate = rates ? UINT32_MAX : 0;
        for (int row = 0; rates && row < rows.count; ++row)
            least_rate = std::min(least_rate, rates->least(rows.y + row + params_.range_y));
        const std::uint32_t least = least_of(level, rows.start, nullptr, length_of(rows));
        if (cost_of(least, least_rate) > search.list().threshold()) return;
        // Of several candidates those of a row soon make the next rows hopeless.
        const bool at_once = !rates && params_.candidates == 1 && rows.columns == static_cast<int>(row_length_);
        const int step = at_once ? rows.count : 1;
        for (int row = 0; row < rows.count; row += step) {
            const int y = rows.y + row;
            const std::uint32_t* rates_of_row =
                rates ? rates->row(y + params_.range_y) + params_.range_x + block.window.min_x : nullptr;
            const std::size_t start = rows.start + static_cast<std::size_t>(row) * row_length_;
            offer_good({y, step, rows.columns, start}, level, rates_of_row, block.window.min_x, search);
        }
    }

    /// Of rows with nothing between them; with rates, of one.
    void offer_good(const Rows& rows, std::size_t level, const std::uint32_t* rates, int first_x, BlockSearch& search) {
        const int count = rows.count * rows.columns;
        const std::uint32_t least = least_of(level, rows.start, rates, count), worst_kept = search.list().threshold();
        if (least > worst_kept) return;
        const int good = find_within(level, rows.start, rates, count, params_.candidates == 1 ? least : worst_kept);
        int y = rows.y, before = 0; // Positions of the rows above.
        for (std::size_t i = 0; i < static_cast<std::size_t>(good); ++i) {
            for (; found_[i] - before >= rows.columns; before += rows.columns)
                ++y;
            const std::size_t place = rows.start + found_[i];
            const std::uint32_t distortion = levels_[level].narrow ? narrow_[level][place] : wide_[level][place];
            const std::uint32_t cost = cost_of(distortion, rates ? rates[found_[i]] : 0);
            if (cost > search.list().threshold()) continue;
            search.offer({mv_from_pels(first_x + found_[i] - before, y), distortion, cost});
        }
    }

    /// Kernels' answers for distortions that stand somewhere.
    std::uint32_t least_of(std::size_t level, std::size_t start, const std::uint32_t* rates, int count) const {
        return levels_[level].narrow ? kernels_.least_narrow(narrow_[level].data() + start, rates, count)
                                     : kernels_.least_wide(wide_[level].data() + start, rates, count);
    }
    int find_within(std::size_t level, std::size_t start, const std::uint32_t* rates, int count,
                    std::uint32_t threshold) {
        return levels_[level].narrow
                   ? kernels_.within_narrow(narrow_[level].data() + start, rates, count, threshold, found_.data())
                   : kernels_.within_wide(wide_[level].data() + start, rates, count, threshold, found_.data());
    }

    std::span<const SearchInput> inputs_;
    const SearchParams& params_;
    std::span<const SizeLevel> levels_;
    const DistortionRowKernels& kernels_ = distortion_row_kernels();
    std::vector<std::vector<Block>> blocks_; ///< By level.
    /// Rows of distortions by level, some for each block; the one or the other.
    std::vector<std::vector<std::uint16_t>> narrow_;
    std::vector<std::vector<std::uint32_t>> wide_;
    std::size_t row_length_;
    std::vector<std::uint16_t> found_;
    std::vector<const std::uint16_t*> narrow_parts_;
    std::vector<const std::uint32_t*> wide_parts_;
    std::vector<BlockSearch> searches_;
    std::vector<RateRows> rates_;
};

} // namespace

bool sizes_share_distortions(const SearchParams& params, std::span<const BlockSize> sizes) {
    if (params.algorithm != Algorithm::full || params.grid != 1 || params.planes != Planes::luma) return false;
    if (params.predictor == Predictor::neighbours || sizes.size() < 2) return false;
    if (!sees_brightness(params.metric)) return false; // Cells have means of their own.
    const auto measures_everything = [one = params](const BlockSize& size) mutable {
        one.block_width = size.width;
        one.block_height = size.height;
        return !is_worth_eliminating(one);
    };
    if (std::ranges::none_of(sizes, measures_everything)) return false;
    const BlockSize cell = common_cell(sizes, params.metric), largest = largest_sides(sizes);
    return cell.width % 4 == 0 && cell.height % 4 == 0 &&
           std::ranges::all_of(sizes, [&](const BlockSize& size) { return divides(size, largest); });
}

SizesSearch::SizesSearch(std::vector<SearchInput> inputs) : inputs_(std::move(inputs)) {
    for (const SearchInput& input : inputs_) {
        largest_ = {std::max(largest_.width, input.params->block_width),
                    std::max(largest_.height, input.params->block_height)};
    }
    levels_ = make_levels(inputs_, largest_);
}

int SizesSearch::bands() const { return blocks_along(inputs_.front().current.height, largest_.height); }

void SizesSearch::search_band(int band, std::span<MotionField> fields) const {
    LargestBlock block(inputs_, levels_);
    for (int x = 0; x < inputs_.front().current.width; x += largest_.width)
        block.search(x, band * largest_.height, fields);
}

} // namespace tandem
