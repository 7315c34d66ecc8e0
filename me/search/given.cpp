// SPDX-License-Identifier: BSD-2-Clause
// No search: measures the vectors of another field, so that motion from elsewhere can be compared and coded.
#include "me/search/block_search.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

class GivenVectors final : public Search {
  public:
    explicit GivenVectors(const SearchInput& input) : input_(input) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                const Candidate& given = input_.given->best(column, row);
                if (given.distortion == UINT32_MAX) continue;
                BlockSearch search(input_, field, column, row);
                if (!allows(search.window(), given.mv)) continue;
                field.block(column, row).front() = search.measure(given.mv);
                field.add_evaluated(row, 1);
            }
        }
    }

  private:
    bool allows(const Window& pels, Mv mv) const {
        const int step = eighths_per_pel / input_.params->precision;
        return mv.x >= pels.min_x * eighths_per_pel && mv.x <= pels.max_x * eighths_per_pel &&
               mv.y >= pels.min_y * eighths_per_pel && mv.y <= pels.max_y * eighths_per_pel && mv.x % step == 0 &&
               mv.y % step == 0;
    }

    SearchInput input_;
};

} // namespace

std::unique_ptr<Search> make_given_vectors(const SearchInput& input, int, int) {
    return std::make_unique<GivenVectors>(input);
}

} // namespace tandem
