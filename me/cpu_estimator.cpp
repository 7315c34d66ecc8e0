// SPDX-License-Identifier: BSD-2-Clause
// The CPU backend: the table's search over rows of blocks, then sub-pel refinement of each row.
// Rows are independent of one another, so the field does not depend on the threads that share them. Of a pool, threads
// share the rows of a search where few searches are under way. Where there are more than half as many as threads, each
// is one thread's: its samples stay in one processor's cache, and no stage of it waits for other threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "machine/errors.h"
#include "machine/task_pool.h"
#include "me/coprocessor/backend.h"
#include "me/samples/interpolation.h"
#include "me/samples/subpel.h"
#include "me/search.h"
#include "me/search/kept_values.h"
#include "me/search/levels/pyramid_store.h"
#include "me/search/sizes.h"

namespace tandem {

namespace {

/// Planes made from a reference, kept for the last two references of each search that runs: those of a B picture.
class PreparedReferences {
  public:
    struct Prepared {
        SubpelPlanes luma;
        std::array<SubpelPlanes, 2> chroma; ///< At twice the precision, where all planes are searched.
    };
    using PreparedPtr = std::shared_ptr<const Prepared>;

    explicit PreparedReferences(int searches) : kept_(2 * static_cast<std::size_t>(searches)) {}

    /// The reference at `precision`, its luma extended by `border` samples.
    PreparedPtr planes(const Frame& reference, const SearchParams& params, int border, Workers& workers) {
        const Key key{reference.serial(), params.precision, params.interpolation, params.planes, border};
        return kept_.of(key, workers, [&] { return prepare(reference, params, border, workers); });
    }

  private:
    struct Key {
        std::uint64_t serial;
        int precision;
        Interpolation interpolation;
        Planes planes;
        int border;
        bool operator==(const Key&) const = default;
    };

    static PreparedPtr prepare(const Frame& reference, const SearchParams& params, int border, Workers& workers) {
        Prepared made{luma_of(reference, params, border, workers), {}};
        if (params.planes == Planes::all) {
            const int chroma_border = border > 0 ? (border + 1) / 2 + 1 : 0;
            for (int i = 0; i < 2; ++i) {
                made.chroma[static_cast<std::size_t>(i)] =
                    SubpelPlanes(reference.plane(1 + i).view(), 2 * params.precision, Interpolation::bilinear,
                                 chroma_border, &workers);
            }
        }
        return std::make_shared<const Prepared>(std::move(made));
    }

    /// Whole samples without a border are the reference's own: whoever asks for them again holds it.
    static SubpelPlanes luma_of(const Frame& reference, const SearchParams& params, int border, Workers& workers) {
        const PlaneView luma = reference.luma().view();
        if (params.precision == 1 && border == 0) return SubpelPlanes::whole_pels_of(luma);
        return {luma, params.precision, params.interpolation, border, &workers};
    }

    KeptValues<Key, Prepared> kept_;
};

/// Counts searches while they are under way.
class UnderWay {
  public:
    UnderWay(std::atomic<int>& all, std::size_t these) : all_(all), these_(static_cast<int>(these)) { all_ += these_; }
    ~UnderWay() { all_ -= these_; }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

  private:
    std::atomic<int>& all_;
    const int these_;
};

class CpuEstimator final : public Estimator {
  public:
    explicit CpuEstimator(int threads)
        : workers_(threads), shares_pool_(false), concurrency_(1), pyramids_(concurrency_), references_(concurrency_) {}
    CpuEstimator(TaskPool& pool, std::int64_t rank)
        : workers_(pool, rank), shares_pool_(true), concurrency_(std::min(pool.threads(), most_searches)),
          pyramids_(concurrency_), references_(concurrency_) {}

    std::string name() const override { return "cpu"; }
    bool supports(const SearchParams& params) const override {
        return params.interpolation != Interpolation::texture && params.validate().empty();
    }

    int concurrency() const override { return concurrency_; }

    bool refines(const SearchParams& params) const override { return supports(params); }

    MotionField estimate(const MotionRequest& request) override {
        if (!shares_pool_) return answer(request, workers_);
        const UnderWay one(under_way_, 1);
        if (!there_is_one_for_each_thread()) return answer(request, workers_);
        MotionField field;
        workers_.run([&] { field = answer_alone(request); });
        return field;
    }

    /// Where each of a search's stages has little work, threads wait for each other more than they search.
    int most_at_once(const SearchParams& params, int width, int height) const override {
        const bool is_small = static_cast<std::int64_t>(width) * height <= most_small_samples;
        return shares_pool_ && is_small && supports(params) ? most_together : 1;
    }

    std::vector<MotionField> estimate_batch(std::span<const MotionRequest> requests) override {
        if (shares_pool_ && requests.size() > 1) {
            const UnderWay these(under_way_, requests.size());
            if (there_is_one_for_each_thread()) return on_a_thread_each(requests);
        }
        return Estimator::estimate_batch(requests);
    }

    std::vector<MotionField> estimate_sizes(const MotionRequest& request, std::span<const BlockSize> sizes) override {
        const std::vector<MotionRequest> requests = requests_of_sizes(request, sizes);
        std::vector<MotionField> fields;
        for (const MotionRequest& one : requests)
            fields.push_back(checked_field(one));
        if (!sizes_share_distortions(request.params, sizes)) return Estimator::estimate_sizes(request, sizes);
        with_input(requests.front(), nullptr, workers_,
                   [&](const SearchInput& input, bool refined) { run_sizes(requests, input, refined, fields); });
        return fields;
    }

  private:
    /// Of a small picture; one of 1080p has twice as many.
    static constexpr std::int64_t most_small_samples = std::int64_t{1} << 20;
    static constexpr int most_together = 16;

    static constexpr int most_searches = 64; ///< At a time.

    /// Or nearly so: threads without one have other work of the pool.
    bool there_is_one_for_each_thread() const { return 2 * under_way_ > workers_.threads(); }

    /// empty_field() of a request that this backend can answer.
    static MotionField checked_field(const MotionRequest& request) {
        MotionField field = empty_field(request);
        if (request.params.interpolation == Interpolation::texture)
            throw InputError("motion search: texture interpolation is done by a GPU; the CPU has bilinear");
        if (const SearchRow& row = search_row(request.params.algorithm);
            row.from_hint && !request.hint && !request.start)
            throw InputError("the search '" + std::string(row.name) + "' needs a field to take its vectors from");
        return field;
    }

    std::vector<MotionField> on_a_thread_each(std::span<const MotionRequest> requests) {
        std::vector<MotionField> fields(requests.size());
        workers_.for_each(static_cast<int>(requests.size()), [&](int item, int) {
            const auto i = static_cast<std::size_t>(item);
            fields[i] = answer_alone(requests[i]);
        });
        return fields;
    }

    /// By the calling thread.
    MotionField answer_alone(const MotionRequest& request) {
        Workers one(1);
        return answer(request, one);
    }

    /// By the workers, row by row.
    MotionField answer(const MotionRequest& request, Workers& workers) {
        const auto run = [&](const MotionRequest& pass) { return search(pass, request.hint.get(), workers); };
        return request.params.predictor == Predictor::neighbours ? search_in_two_passes(request, run) : run(request);
    }

    /// `request.hint` has the predictors, `given` the vectors that Algorithm::given measures.
    MotionField search(const MotionRequest& request, const MotionField* given, Workers& workers) {
        MotionField field = checked_field(request);
        const BlockRows rows = wanted_rows(request, field);
        with_input(request, given, workers, [&](const SearchInput& input, bool refined) {
            if (request.start) return refine_start(request, input, rows, workers, field);
            const auto search = search_row(request.params.algorithm).make(input, rows.first, rows.end);
            workers.for_each(rows.end - rows.first, [&](int item, int) {
                const int row = rows.first + item;
                search->search_rows(row, row + 1, field);
                if (refined) refine_row(request, input, row, field);
            });
        });
        return field;
    }

    static void refine_start(const MotionRequest& request, const SearchInput& input, BlockRows rows, Workers& workers,
                             MotionField& field) {
        copy_start(*request.start, rows, field);
        workers.for_each(rows.end - rows.first,
                         [&](int item, int) { refine_row(request, input, rows.first + item, field); });
    }

    void run_sizes(std::span<const MotionRequest> requests, const SearchInput& input, bool refined,
                   std::span<MotionField> fields) {
        std::vector<SearchParams> params(requests.size(), *input.params);
        std::vector<SearchInput> inputs(requests.size(), input);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            params[i].block_width = requests[i].params.block_width;
            params[i].block_height = requests[i].params.block_height;
            inputs[i].params = &params[i];
            inputs[i].hint = requests[i].hint.get();
        }
        const SizesSearch search(inputs);
        workers_.for_each(search.bands(), [&](int band, int) { search.search_band(band, fields); });
        for (std::size_t i = 0; refined && i < requests.size(); ++i) {
            workers_.for_each(fields[i].rows(),
                              [&](int row, int) { refine_row(requests[i], inputs[i], row, fields[i]); });
        }
    }

    static void refine_row(const MotionRequest& request, const SearchInput& input, int row, MotionField& field) {
        refine_subpel(input.current, *input.planes, request.params, input.hint, row, row + 1, field, input.chroma);
    }

    /// Calls search(input, refined): what the searches of a request read, and whether refinement follows.
    template <class Body>
    void with_input(const MotionRequest& request, const MotionField* given, Workers& workers, const Body& search) {
        const SearchParams& params = request.params;
        const bool padded = params.boundary == Boundary::padded;
        const int border = reach_of(params, request.current->width(), request.current->height());
        const bool all_planes = params.planes == Planes::all;
        PreparedReferences::PreparedPtr prepared;
        const SubpelPlanes* planes = nullptr;
        ChromaPair chroma{{request.current->plane(1).view(), request.current->plane(2).view()}, nullptr};
        if (padded || params.precision > 1 || all_planes || request.start) {
            prepared = references_.planes(*request.reference, params, border, workers);
            planes = &prepared->luma;
            chroma.reference = &prepared->chroma;
        }
        SearchParams whole = params;
        const bool refined = params.precision > params.grid && !search_row(params.algorithm).from_hint;
        if (refined) whole.null_gain = 0; // The refined vector is the one that must gain enough.
        const SearchInput input{request.current->luma().view(),
                                padded ? planes->plane(0, 0) : request.reference->luma().view(),
                                border,
                                planes,
                                &whole,
                                request.hint.get(),
                                given,
                                &distortion_kernels(),
                                &workers,
                                &buffers_,
                                all_planes ? &chroma : nullptr,
                                &pyramids_,
                                request.current->serial(),
                                request.reference->serial(),
                                vector_limits(whole, request.current->width(), request.current->height())};
        search(input, refined);
    }

    Workers workers_;
    const bool shares_pool_;
    const int concurrency_;
    std::atomic<int> under_way_{0}; ///< Searches that were asked for and are not answered.
    BufferPool buffers_;
    PyramidStore pyramids_;
    PreparedReferences references_;
};

} // namespace

std::unique_ptr<Estimator> make_cpu_estimator(int threads) { return std::make_unique<CpuEstimator>(threads); }

std::unique_ptr<Estimator> make_cpu_estimator(TaskPool& pool, std::int64_t rank) {
    return std::make_unique<CpuEstimator>(pool, rank);
}

} // namespace tandem
