// SPDX-License-Identifier: BSD-2-Clause
// The CPU backend: the table's search over rows of blocks, then sub-pel refinement of each row.
// Rows are independent of one another, so the field does not depend on the threads that share them.
#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "me/estimator.h"
#include "me/interpolation.h"
#include "me/search.h"
#include "me/subpel.h"
#include "video/errors.h"

namespace tandem {

namespace {

void check_against(const MotionRequest& request, const MotionField& field) {
    if (request.current->width() != request.reference->width() ||
        request.current->height() != request.reference->height()) {
        throw InputError("motion search between pictures of different sizes");
    }
    if (request.hint &&
        (request.hint->columns() != field.columns() || request.hint->rows() != field.rows() ||
         request.hint->block_width() != field.block_width() || request.hint->block_height() != field.block_height())) {
        throw InputError("the hint of a motion search has another block grid");
    }
    const int end = request.end_row < 0 ? field.rows() : request.end_row;
    if (request.first_row < 0 || request.first_row > end || end > field.rows()) {
        throw InputError("motion search of block rows " + std::to_string(request.first_row) + " to " +
                         std::to_string(end) + " in a field of " + std::to_string(field.rows()));
    }
}

/// Planes made from a reference, kept for the last few references: the two of a B picture, and the one that follows.
class PreparedReferences {
  public:
    struct Prepared {
        SubpelPlanes luma;
        std::array<SubpelPlanes, 2> chroma; ///< At twice the precision, where all planes are searched.
    };

    /// The reference at `precision`, its luma extended by `border` samples.
    const Prepared& planes(const Frame& reference, const SearchParams& params, int border) {
        const Key key{reference.serial(), params.precision, params.interpolation, params.planes, border};
        for (const Entry& entry : entries_) {
            if (entry.key == key) return entry.planes;
        }
        while (entries_.size() >= most_kept)
            entries_.pop_front();
        Prepared made{SubpelPlanes(reference.luma().view(), params.precision, params.interpolation, border), {}};
        if (params.planes == Planes::all) {
            const int chroma_border = border > 0 ? (border + 1) / 2 + 1 : 0;
            for (int i = 0; i < 2; ++i) {
                made.chroma[static_cast<std::size_t>(i)] = SubpelPlanes(
                    reference.plane(1 + i).view(), 2 * params.precision, Interpolation::bilinear, chroma_border);
            }
        }
        entries_.push_back({key, std::move(made)});
        return entries_.back().planes;
    }

  private:
    static constexpr std::size_t most_kept = 2;
    struct Key {
        std::uint64_t serial;
        int precision;
        Interpolation interpolation;
        Planes planes;
        int border;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        Prepared planes;
    };
    std::deque<Entry> entries_;
};

class CpuEstimator final : public Estimator {
  public:
    explicit CpuEstimator(int threads) : workers_(threads) {}

    std::string name() const override { return "cpu"; }
    bool supports(const SearchParams& params) const override { return params.validate().empty(); }

    MotionField estimate(const MotionRequest& request) override {
        const SearchParams& params = request.params;
        if (!request.current || !request.reference) throw InputError("motion search without a picture");
        if (const auto problems = params.validate(); !problems.empty()) {
            throw InputError("motion search: " + problems.front());
        }
        MotionField field(request.current->width(), request.current->height(), params.block_width, params.block_height,
                          params.candidates);
        check_against(request, field);
        run(request, request.end_row < 0 ? field.rows() : request.end_row, field);
        return field;
    }

  private:
    void run(const MotionRequest& request, int end_row, MotionField& field) {
        const SearchParams& params = request.params;
        const bool padded = params.boundary == Boundary::padded;
        // Refinement reaches less than one pel beyond the range, and its footprint one sample further.
        const int border = padded ? std::max(params.range_x, params.range_y) + 2 : 0;
        const bool all_planes = params.planes == Planes::all;
        const SubpelPlanes* planes = nullptr;
        ChromaPair chroma{{request.current->plane(1).view(), request.current->plane(2).view()}, nullptr};
        if (padded || params.precision > 1 || all_planes) {
            const auto& prepared = references_.planes(*request.reference, params, border);
            planes = &prepared.luma;
            chroma.reference = &prepared.chroma;
        }
        SearchParams whole = params;
        const bool refined = params.precision > params.grid;
        if (refined) whole.null_gain = 0; // The refined vector is the one that must gain enough.
        const SearchInput input{request.current->luma().view(),
                                padded ? planes->plane(0, 0) : request.reference->luma().view(),
                                border,
                                planes,
                                &whole,
                                request.hint.get(),
                                &distortion_kernels(),
                                &workers_,
                                &buffers_,
                                all_planes ? &chroma : nullptr};
        const auto search = search_row(params.algorithm).make(input, request.first_row, end_row);
        workers_.for_each(end_row - request.first_row, [&](int item, int) {
            const int row = request.first_row + item;
            search->search_rows(row, row + 1, field);
            if (refined) {
                refine_subpel(input.current, *planes, params, input.hint, row, row + 1, field, input.chroma);
            }
        });
    }

    Workers workers_;
    BufferPool buffers_;
    PreparedReferences references_;
};

} // namespace

std::unique_ptr<Estimator> make_cpu_estimator(int threads) { return std::make_unique<CpuEstimator>(threads); }

} // namespace tandem
