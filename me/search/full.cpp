// SPDX-License-Identifier: BSD-2-Clause
// Full search: every whole vector of the window.
#include <vector>

#include "me/search/block_search.h"
#include "me/search/rate_rows.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

class FullSearch final : public Search {
  public:
    explicit FullSearch(const SearchInput& input) : input_(input) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        Scratch scratch(*input_.params);
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) search_block(search, scratch);
                search.store(field.block(column, row));
            }
        }
    }

  private:
    /// What the blocks of one thread use one after another: a row of positions.
    struct Scratch {
        explicit Scratch(const SearchParams& params)
            : distortions(static_cast<std::size_t>(2 * params.range_x + 1)), found(distortions.size()),
              rates(params.lambda_q8, params.rate_unit) {}
        std::vector<std::uint32_t> distortions;
        std::vector<std::uint16_t> found;
        RateRows rates;
    };

    void search_block(BlockSearch& search, Scratch& scratch) const {
        const Window& window = search.window();
        const int count = window.max_x - window.min_x + 1;
        scratch.rates.prepare(search.predictor(), eighths_per_pel * window.min_x, eighths_per_pel, count);
        for (int y = window.min_y; y <= window.max_y; ++y) {
            measure_row(search, y, count, scratch.distortions.data());
            const int hits =
                input_.kernels->scan_row(scratch.distortions.data(), scratch.rates.row(y * eighths_per_pel), count,
                                         search.list().threshold(), scratch.found.data());
            for (int i = 0; i < hits; ++i) {
                const int x = scratch.found[static_cast<std::size_t>(i)];
                search.offer(window.min_x + x, y, scratch.distortions[static_cast<std::size_t>(x)]);
            }
        }
    }

    void measure_row(const BlockSearch& search, int y, int count, std::uint32_t* distortions) const {
        const BlockRect& block = search.block();
        const std::uint8_t* reference = search.reference(search.window().min_x, y);
        if (input_.params->metric == Metric::sad) {
            input_.kernels->sad_row(search.current(), input_.current.stride, reference, input_.reference.stride,
                                    block.width, block.height, count, distortions);
            return;
        }
        const BlockDistortion measure = input_.kernels->of(input_.params->metric);
        for (int i = 0; i < count; ++i) {
            distortions[i] = measure(search.current(), input_.current.stride, reference + i, input_.reference.stride,
                                     block.width, block.height);
        }
    }

    SearchInput input_;
};

} // namespace

std::unique_ptr<Search> make_full_search(const SearchInput& input, int, int) {
    return std::make_unique<FullSearch>(input);
}

} // namespace tandem
