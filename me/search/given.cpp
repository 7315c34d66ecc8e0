// SPDX-License-Identifier: BSD-2-Clause
// No search: measures the vectors of another field, so that motion from elsewhere can be measured and compared. What
// they predict is interpolated for them alone: the planes of a search end where its range and its precision do, which
// bind no vector from elsewhere.
#include <utility>

#include "me/samples/compensation.h"
#include "me/search/block_search.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

std::unique_ptr<Frame> prediction_of(const SearchInput& input) {
    Frame reference(input.reference.width, input.reference.height);
    copy_and_extend(input.reference, reference.plane(0).view());
    for (int i = 0; i < 2; ++i) {
        constexpr std::uint8_t grey = 128;
        Plane& plane = reference.plane(1 + i);
        if (input.chroma)
            copy_and_extend((*input.chroma->reference)[static_cast<std::size_t>(i)].plane(0, 0), plane.view());
        else
            plane.fill(grey);
    }
    return predict_picture(reference, *input.given, input.params->interpolation, *input.workers);
}

class GivenVectors final : public Search {
  public:
    explicit GivenVectors(const SearchInput& input) : input_(input), prediction_(prediction_of(input)) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        for (int row = first_row; row < end_row; ++row) {
            field.add_evaluated(row, 0); // Where no block has a vector, none is what was measured.
            for (int column = 0; column < field.columns(); ++column) {
                const Candidate& given = input_.given->best(column, row);
                const BlockRect block = block_rect(field, column, row);
                if (!has_vector(given) || !allows(block, given.mv)) continue;
                const Mv predictor = predictor_of(*input_.params, input_.hint, column, row);
                field.block(column, row).front() = measured(block, given.mv, predictor);
                field.add_evaluated(row, 1);
            }
        }
    }

  private:
    bool allows(const BlockRect& block, Mv mv) const {
        if (input_.params->boundary == Boundary::padded) return true;
        return allowed_eighths(block, input_.reference.width, input_.reference.height, 0).contains(mv.x, mv.y);
    }

    Candidate measured(const BlockRect& block, Mv mv, Mv predictor) const {
        const SearchParams& params = *input_.params;
        std::uint32_t distortion = distortion_of(input_.current, 0, block);
        for (int i = 0; input_.chroma && i < 2; ++i)
            distortion += distortion_of(input_.chroma->current[static_cast<std::size_t>(i)], 1 + i, chroma_rect(block));
        return {mv, distortion, cost_of(distortion, mv, predictor, params.lambda_q8, params.rate_unit)};
    }

    /// Of a rectangle of one plane.
    std::uint32_t distortion_of(PlaneView current, int plane, const BlockRect& rect) const {
        if (rect.samples() == 0) return 0;
        const PlaneView there = std::as_const(*prediction_).plane(plane).view();
        return input_.kernels->of(input_.params->metric)(current.row(rect.y) + rect.x, current.stride,
                                                         there.row(rect.y) + rect.x, there.stride, rect.width,
                                                         rect.height);
    }

    SearchInput input_;
    std::unique_ptr<Frame> prediction_;
};

} // namespace

std::unique_ptr<Search> make_given_vectors(const SearchInput& input, int, int) {
    return std::make_unique<GivenVectors>(input);
}

} // namespace tandem
