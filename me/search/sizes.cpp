// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/sizes.h"

#include <algorithm>
#include <numeric>

#include "me/cell_kernels.h"
#include "me/search/block_search.h"
#include "me/search/rate_rows.h"

namespace tandem {

namespace {

constexpr int row_padding = 32;          ///< What kernels may write beyond a row.
constexpr int most_narrow_samples = 256; ///< Whose sum of absolute differences fits 16 bits.

BlockSize common_cell(std::span<const BlockSize> sizes) {
    BlockSize cell;
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
std::vector<SizeLevel> make_levels(std::span<const SearchInput> inputs, const BlockSize& largest, bool squares) {
    std::vector<BlockSize> sizes;
    for (const SearchInput& input : inputs)
        sizes.push_back({input.params->block_width, input.params->block_height});
    std::vector<SizeLevel> levels;
    const BlockSize cell = common_cell(sizes);
    if (std::ranges::find(sizes, cell) == sizes.end()) levels.push_back({cell});
    for (std::size_t i = 0; i < sizes.size(); ++i)
        levels.push_back({sizes[i], -1, static_cast<int>(i)});
    std::ranges::stable_sort(levels, {}, [](const SizeLevel& level) { return area(level.size); });
    for (std::size_t i = 0; i < levels.size(); ++i) {
        SizeLevel& level = levels[i];
        level.columns = largest.width / level.size.width;
        level.rows = largest.height / level.size.height;
        level.narrow = !squares && area(level.size) <= most_narrow_samples;
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
          narrow_(levels.size()), wide_(levels.size()),
          row_length_(static_cast<std::size_t>(2 * params_.range_x + 1 + row_padding)), found_(row_length_) {
        std::size_t searches = 0;
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const auto count = static_cast<std::size_t>(levels[i].columns) * static_cast<std::size_t>(levels[i].rows);
            blocks_[i].resize(count);
            if (levels[i].narrow)
                narrow_[i].resize(count * row_length_);
            else
                wide_[i].resize(count * row_length_);
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
        for (int distance = 0; distance <= params_.range_y; ++distance) {
            search_row(distance);
            if (distance > 0) search_row(-distance);
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

    /// All horizontal displacements at the vertical one `y`.
    void search_row(int y) {
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            for (std::size_t index = 0; index < blocks_[level].size(); ++index) {
                const Block& block = blocks_[level][index];
                if (block.rect.width == 0 || y < block.window.min_y || y > block.window.max_y) continue;
                if (levels_[level].parts < 0)
                    measure(level, index, y);
                else
                    sum_parts(level, index);
                if (block.search >= 0) look_through(level, index, y);
            }
        }
    }

    /// Where the distortions of block `index` of a level start, from the first displacement of a window on.
    std::size_t start_of(std::size_t index, const Window& window) const {
        return index * row_length_ + static_cast<std::size_t>(params_.range_x + window.min_x);
    }

    void measure(std::size_t level, std::size_t index, int y) {
        const SearchInput& input = inputs_.front();
        const Block& block = blocks_[level][index];
        const BlockRect& rect = block.rect;
        const int count = block.window.max_x - block.window.min_x + 1;
        const std::uint8_t* current = input.current.row(rect.y) + rect.x;
        const std::uint8_t* reference =
            input.reference.data + (rect.y + y) * input.reference.stride + rect.x + block.window.min_x;
        const CellKernels& kernels = rect.width % 4 == 0 ? kernels_ : *all_cell_kernels().front();
        const std::size_t start = start_of(index, block.window);
        if (levels_[level].narrow) {
            kernels.sad_row(current, input.current.stride, reference, input.reference.stride, rect.width, rect.height,
                            count, narrow_[level].data() + start);
        } else if (params_.metric == Metric::sad) {
            input.kernels->sad_row(current, input.current.stride, reference, input.reference.stride, rect.width,
                                   rect.height, count, wide_[level].data() + start);
        } else {
            kernels.ssd_row(current, input.current.stride, reference, input.reference.stride, rect.width, rect.height,
                            count, wide_[level].data() + start);
        }
    }

    /// A block's window lies in those of its parts, so their distortions are there.
    void sum_parts(std::size_t level, std::size_t index) {
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
                const std::size_t start = start_of(place, window);
                if (part.narrow)
                    narrow_parts_.push_back(narrow_[from].data() + start);
                else
                    wide_parts_.push_back(wide_[from].data() + start);
            }
        }
        const std::size_t start = start_of(index, window);
        const int count = window.max_x - window.min_x + 1;
        const auto narrow_parts = static_cast<int>(narrow_parts_.size());
        if (whole.narrow)
            kernels_.sum_narrow(narrow_parts_.data(), narrow_parts, count, narrow_[level].data() + start);
        else if (part.narrow)
            kernels_.sum_widening(narrow_parts_.data(), narrow_parts, count, wide_[level].data() + start);
        else
            kernels_.sum_wide(wide_parts_.data(), static_cast<int>(wide_parts_.size()), count,
                              wide_[level].data() + start);
    }

    /// Offers the good ones of a row of distortions.
    void look_through(std::size_t level, std::size_t index, int y) {
        const Block& block = blocks_[level][index];
        BlockSearch& search = searches_[static_cast<std::size_t>(block.search)];
        const int count = block.window.max_x - block.window.min_x + 1;
        if (search.settled()) return;
        const std::uint32_t threshold = search.list().threshold();
        const std::uint32_t* rates = nullptr;
        if (params_.lambda_q8 > 0) {
            RateRows& rows = rates_of(block.search);
            if (rows.least(y + params_.range_y) > threshold) return;
            rates = rows.row(y + params_.range_y) + params_.range_x + block.window.min_x;
        }
        search.count(count);
        const std::size_t start = start_of(index, block.window);
        const bool narrow = levels_[level].narrow;
        const int good =
            narrow ? kernels_.within_narrow(narrow_[level].data() + start, rates, count, threshold, found_.data())
                   : kernels_.within_wide(wide_[level].data() + start, rates, count, threshold, found_.data());
        for (std::size_t i = 0; i < static_cast<std::size_t>(good); ++i) {
            const std::size_t x = found_[i];
            const std::uint32_t distortion = narrow ? narrow_[level][start + x] : wide_[level][start + x];
            const std::uint32_t cost = cost_of(distortion, rates ? rates[x] : 0);
            if (cost > search.list().threshold()) continue;
            search.offer({mv_from_pels(block.window.min_x + static_cast<int>(x), y), distortion, cost});
        }
    }

    std::span<const SearchInput> inputs_;
    const SearchParams& params_;
    std::span<const SizeLevel> levels_;
    const CellKernels& kernels_ = cell_kernels();
    std::vector<std::vector<Block>> blocks_; ///< By level.
    /// Rows of distortions by level, one a block; the one or the other.
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
    if (params.algorithm != Algorithm::full || params.grid != 1 || params.metric == Metric::satd) return false;
    if (params.predictor == Predictor::neighbours || params.planes != Planes::luma || sizes.size() < 2) return false;
    const BlockSize cell = common_cell(sizes), largest = largest_sides(sizes);
    return cell.width % 4 == 0 && cell.height % 4 == 0 &&
           std::ranges::all_of(sizes, [&](const BlockSize& size) { return divides(size, largest); });
}

SizesSearch::SizesSearch(std::vector<SearchInput> inputs) : inputs_(std::move(inputs)) {
    for (const SearchInput& input : inputs_) {
        largest_ = {std::max(largest_.width, input.params->block_width),
                    std::max(largest_.height, input.params->block_height)};
    }
    levels_ = make_levels(inputs_, largest_, inputs_.front().params->metric == Metric::ssd);
}

int SizesSearch::bands() const { return (inputs_.front().current.height + largest_.height - 1) / largest_.height; }

void SizesSearch::search_band(int band, std::span<MotionField> fields) const {
    LargestBlock block(inputs_, levels_);
    for (int x = 0; x < inputs_.front().current.width; x += largest_.width)
        block.search(x, band * largest_.height, fields);
}

} // namespace tandem
