// SPDX-License-Identifier: BSD-2-Clause
// Phase-only correlation as a search (Asmara, 2009): windows about each block on each layer of a pyramid of 2x2 means;
// the displacement of a layer is twice that of the coarser one and what its own windows say, q_l = 2 q_(l+1) + delta.
// The peaks of the last layer are proposals, measured by the search's metric as every search's are, and so are zero and
// the predictor. A window has more than one motion in it, so several peaks are measured (Thomas, 1987); one is
// Asmara's.
//
// Where the search is finer than a pel, peaks are fitted and rounded to its precision, and the refinement that follows
// every search starts there. The fit alone is not as good: on scenes of known motion (pan, zoom, rotation, objects; 1/4
// and 1/8 pel, windows of 32) it is 0.05 to 0.13 pel off on average, and the refined vectors 0 to 0.10, with 8 to 40 %
// less SAD; on foreman and mobile refinement takes off 4 to 11 %.
// The height of a peak is a similarity, but a field has no place for it: PhasePeak::height has it.
#include <algorithm>
#include <array>
#include <cmath>

#include "machine/long_work.h"
#include "me/search/block_search.h"
#include "me/search/phase/phase_correlation.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

/// Half the size: each sample the mean of 2x2, edges replicated, halves rounded up.
Plane halved_by_means(PlaneView from, Workers& workers) {
    Plane to((from.width + 1) / 2, (from.height + 1) / 2);
    const MutablePlaneView view = to.view();
    workers.for_each(view.height, [&](int y, int) {
        const std::uint8_t* above = from.row(2 * y);
        const std::uint8_t* below = from.row(std::min(2 * y + 1, from.height - 1));
        for (int x = 0; x < view.width; ++x) {
            const int right = std::min(2 * x + 1, from.width - 1);
            view.at(x, y) =
                static_cast<std::uint8_t>((above[2 * x] + above[right] + below[2 * x] + below[right] + 2) >> 2);
        }
    });
    return to;
}

/// A plane and its smaller layers; the plane must outlive it.
class MeanPyramid {
  public:
    MeanPyramid(PlaneView plane, int layers, Workers& workers) : base_(plane) {
        for (int i = 1; i < layers; ++i)
            smaller_.push_back(halved_by_means(layer(i - 1), workers));
    }
    PlaneView layer(int index) const {
        return index == 0 ? base_ : smaller_[static_cast<std::size_t>(index - 1)].view();
    }

  private:
    PlaneView base_;
    std::vector<Plane> smaller_;
};

/// Whole samples of a layer, x and y.
using Corner = PhaseCorrelation::Corner;

class PhaseSearch final : public Search {
  public:
    explicit PhaseSearch(const SearchInput& input)
        : input_(input), params_(*input.params), current_(input.current, params_.phase_layers, *input.workers),
          reference_(input.reference, params_.phase_layers, *input.workers) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        PhaseCorrelation correlation(params_.phase_window, params_.phase_hann);
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                work_.end_if_told();
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) search_block(search, correlation);
                search.store(field);
            }
        }
    }

  private:
    void search_block(BlockSearch& search, PhaseCorrelation& correlation) const {
        std::array<PhasePeak, most_candidates> peaks;
        Corner whole{0, 0}; // The displacement on the layer.
        for (int layer = params_.phase_layers - 1; layer > 0; --layer) {
            const Corner moved = correlate(search, layer, whole, correlation);
            if (correlation.peaks(window_about(search, layer, moved), std::span(peaks).first(1)) == 0) return;
            whole = {2 * (moved.x + peaks[0].x), 2 * (moved.y + peaks[0].y)};
        }
        const Corner moved = correlate(search, 0, whole, correlation);
        const int wanted = std::max(params_.phase_peaks, params_.candidates);
        const int count =
            correlation.peaks(window_about(search, 0, moved), std::span(peaks).first(static_cast<std::size_t>(wanted)));
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            propose(search, moved, correlation, peaks[i]);
    }

    void propose(BlockSearch& search, Corner moved, const PhaseCorrelation& correlation, const PhasePeak& peak) const {
        if (params_.precision == 1) {
            search.propose(moved.x + peak.x, moved.y + peak.y);
            return;
        }
        const auto displacement = correlation.fit(peak);
        const int step = eighths_per_pel / params_.precision;
        const auto rounded = [&](double pels, int least, int most) {
            const int eighths = step * static_cast<int>(std::lround(pels * params_.precision));
            return static_cast<std::int16_t>(std::clamp(eighths, eighths_per_pel * least, eighths_per_pel * most));
        };
        const Window& w = search.window();
        search.propose(Mv{rounded(moved.x + displacement.x, w.min_x, w.max_x),
                          rounded(moved.y + displacement.y, w.min_y, w.max_y)});
    }

    /// Correlates the layer's window about the block with the reference's at `whole`; the displacement of one window
    /// from the other, which differs from `whole` where a window was moved into the picture.
    Corner correlate(const BlockSearch& search, int layer, Corner whole, PhaseCorrelation& correlation) const {
        const PlaneView current = current_.layer(layer), reference = reference_.layer(layer);
        const BlockRect& block = search.block();
        const Corner from =
            corner((2 * block.x + block.width) >> (layer + 1), (2 * block.y + block.height) >> (layer + 1), current);
        const Corner to = corner(((2 * block.x + block.width) >> (layer + 1)) + whole.x,
                                 ((2 * block.y + block.height) >> (layer + 1)) + whole.y, reference);
        correlation.correlate(current, from, reference, to);
        return {to.x - from.x, to.y - from.y};
    }

    /// Of the window about a centre. Where the boundary is `inside` the window is moved into the picture, so that its
    /// samples are real ones; where it is padded, or the picture is smaller than the window, edges replicate.
    Corner corner(int x, int y, PlaneView plane) const {
        const int side = params_.phase_window;
        x -= side / 2;
        y -= side / 2;
        if (params_.boundary == Boundary::padded) return {x, y};
        return {std::clamp(x, 0, std::max(plane.width - side, 0)), std::clamp(y, 0, std::max(plane.height - side, 0))};
    }

    /// The displacements from `moved` that lead to allowed ones of the layer.
    static Window window_about(const BlockSearch& search, int layer, Corner moved) {
        const Window& w = search.window();
        const auto up = [layer](int pels) { return -(-pels >> layer); };
        return {(w.min_x >> layer) - moved.x, up(w.max_x) - moved.x, (w.min_y >> layer) - moved.y,
                up(w.max_y) - moved.y};
    }

    const LongWork work_;
    SearchInput input_;
    const SearchParams& params_;
    MeanPyramid current_, reference_;
};

} // namespace

std::unique_ptr<Search> make_phase_search(const SearchInput& input, int, int) {
    return std::make_unique<PhaseSearch>(input);
}

} // namespace tandem
