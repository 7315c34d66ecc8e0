// SPDX-License-Identifier: BSD-2-Clause
// A picture's tasks on the CPU. Rows are refined, each when the rows of the references that its vectors reach are
// there. A slice is decided and coded when its rows and those beside them are refined and the rows of the references
// that all their vectors reach are there: at once, by the thread that refined the last of them, since its samples are
// near then. What it rebuilds becomes readable row by row, so that pictures follow one another some rows apart. No task
// waits for another. A task that throws leaves the picture's other tasks nothing to do, but each still counts.
#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "coding/mpeg/decide.h"
#include "coding/mpeg/mpeg_backend.h"
#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/quantiser/slice_quantisers.h"
#include "coding/mpeg/rate_distortion.h"
#include "coding/mpeg/stage_timer.h"
#include "coding/mpeg/vectors/vector_choice.h"
#include "me/samples/subpel.h"

namespace tandem {

namespace {

/// How far down the vectors of a row of the field lead at most, in eighths.
int furthest_down(const MotionField& field, int row) {
    int furthest = 0;
    for (int column = 0; column < field.columns(); ++column) {
        for (const Candidate& candidate : field.block(column, row)) {
            if (has_vector(candidate)) furthest = std::max(furthest, static_cast<int>(candidate.mv.y));
        }
    }
    return furthest;
}

/// The last row of macroblocks that a prediction of a row reads: half pels between two rows of samples read both.
int last_row_reached(int row, int down) {
    const int pels = (down + eighths_per_pel - 1) / eighths_per_pel;
    return (row * 16 + 15 + pels + 1) / 16;
}

class CpuMpegBackend;

/// One picture's tasks, which share it: the last one lets it go.
class PictureTasks : public std::enable_shared_from_this<PictureTasks> {
  public:
    PictureTasks(const MpegTools& tools, TaskPool& pool, Trace* trace, MpegCodingJob& job, MpegBackend::Done done);
    void begin();

  private:
    struct Direction {
        const Reference* reference = nullptr;  ///< Null: the picture has none there.
        std::unique_ptr<MeasuredRing[]> rings; ///< By macroblock.
        std::vector<ChosenVector> chosen;
        std::vector<VectorCandidates> candidates; ///< Empty unless the decision looks at them.
        std::vector<int> furthest;                ///< By row of macroblocks: furthest_down() before it is refined.
    };
    /// What a slice reads, and what it still waits for. Kept here, since the job may be gone once its last slice is
    /// coded.
    struct SliceReads {
        int last_row;                   ///< Of the slice.
        int first_vectors, end_vectors; ///< Rows at whose vectors it looks: its own and those beside them.
        std::atomic<int> waits{0};      ///< Refined rows and references.
    };

    void queue(std::function<void()> body) { pool_.run(job_.rank, std::move(body)); }
    StageTimer timer(const char* stage, std::atomic<std::int64_t>& nanoseconds) const {
        return {stage, nanoseconds, trace_, job_.display};
    }
    /// Runs the work of a task, unless another task of the picture has failed.
    template <typename Work> void attempt(Work work);
    void prepare();
    void follow_references();
    void refine_when_readable(const Direction& direction, int row);
    void refine_row(std::size_t direction, int row);
    void code_when_readable(const Direction& direction, std::size_t slice);
    void row_is_refined(int row);
    void queue_slice(std::size_t slice) {
        queue([me = self(), slice] { me->code_slice(slice); });
    }
    DecideInput decide_input() const;
    std::span<MeasuredRing> rings(const Direction& direction) const {
        return {direction.rings.get(), direction.chosen.size()};
    }
    ResidualInput residual_input();
    void code_slice(std::size_t slice);
    std::uint32_t mean_lambda(SliceExtent slice) const;
    void decide(SliceExtent slice);
    void code_residuals(SliceExtent slice);
    void count_codings(SliceExtent slice);
    void rebuilt(SliceExtent slice);
    void slice_is_done();

    const MpegTools& tools_;
    TaskPool& pool_;
    Trace* const trace_;
    MpegCodingJob& job_;
    const MpegBackend::Done done_;
    const std::shared_ptr<PictureTasks> self() { return shared_from_this(); }

    std::array<Direction, 2> directions_;
    std::vector<SliceReads> slices_;
    std::atomic<int> slices_left_{0};
    std::vector<ModeList> modes_; ///< By macroblock; empty unless modes are tried.
    DecideInput decide_input_;
    ResidualInput residual_input_;
    std::vector<std::uint32_t> lambdas_q8_;       ///< By macroblock: what a bit is worth in SAD.
    std::vector<std::atomic<int>> slices_of_row_; ///< By row of macroblocks: slices in it that are not coded yet.

    std::mutex error_mutex_;
    std::exception_ptr error_;
    std::atomic<bool> failed_{false};
};

PictureTasks::PictureTasks(const MpegTools& tools, TaskPool& pool, Trace* trace, MpegCodingJob& job,
                           MpegBackend::Done done)
    : tools_(tools), pool_(pool), trace_(trace), job_(job), done_(std::move(done)), slices_(job.picture.slices.size()),
      slices_of_row_(static_cast<std::size_t>(tools.rows)) {
    const auto macroblocks = static_cast<std::size_t>(job.picture.macroblocks());
    if (job.type != PictureType::intra) directions_[0].reference = job.references.forward.get();
    if (job.type == PictureType::bidirectional) directions_[1].reference = job.references.backward.get();
    for (Direction& direction : directions_) {
        if (direction.reference == nullptr) continue;
        direction.rings = std::make_unique_for_overwrite<MeasuredRing[]>(macroblocks);
        direction.chosen.resize(macroblocks);
        direction.furthest.resize(static_cast<std::size_t>(tools.rows));
        if (tools.decision == Decision::rd) direction.candidates.resize(macroblocks);
    }
    if (job.made) job.made->coded_since_intra.resize(macroblocks);
    if (tools.decision == Decision::rd) modes_.resize(macroblocks);
    for (std::size_t i = 0; i < slices_.size(); ++i) {
        const SliceExtent& slice = job.picture.slices[i];
        const int first = slice.first / tools.columns, last = (slice.end - 1) / tools.columns;
        for (int row = first; row <= last; ++row)
            ++slices_of_row_[static_cast<std::size_t>(row)];
        slices_[i].last_row = last;
        slices_[i].first_vectors = std::max(first - 1, 0);
        slices_[i].end_vectors = std::min(last + 2, tools.rows);
        for (const Direction& direction : directions_) {
            if (direction.reference != nullptr)
                slices_[i].waits += slices_[i].end_vectors - slices_[i].first_vectors + 1;
        }
    }
    slices_left_ = static_cast<int>(slices_.size());
}

template <typename Work> void PictureTasks::attempt(Work work) {
    if (failed_) return;
    try {
        work();
    } catch (...) {
        const std::lock_guard lock(error_mutex_);
        if (!error_) error_ = std::current_exception();
        failed_ = true;
    }
}

void PictureTasks::begin() {
    queue([me = self()] {
        me->attempt([&] { me->prepare(); });
        me->follow_references();
    });
}

/// What rows and slices read. The field's own vectors say how far they lead, before they are refined.
void PictureTasks::prepare() {
    for (std::size_t i = 0; i < 2; ++i) {
        Direction& direction = directions_[i];
        if (direction.reference == nullptr) continue;
        job_.picture.f_code[i] = job_.f_codes[i];
        for (int row = 0; row < tools_.rows; ++row)
            direction.furthest[static_cast<std::size_t>(row)] = furthest_down(job_.fields[i], row);
    }
    residual_input_ = residual_input();
    std::array<std::uint32_t, 32> lambdas{}; // By code.
    for (std::size_t code = 1; code < lambdas.size(); ++code)
        lambdas[code] = sad_lambda_q8(quantiser_scale(static_cast<int>(code), tools_.non_linear_quantiser));
    lambdas_q8_.resize(residual_input_.codes.size());
    std::ranges::transform(residual_input_.codes, lambdas_q8_.begin(),
                           [&](std::uint8_t code) { return lambdas[code]; });
    decide_input_ = decide_input();
}

/// Each row, and each slice, begins when what it reads of the references is there.
void PictureTasks::follow_references() {
    for (std::size_t slice = 0; slice < slices_.size() && job_.type == PictureType::intra; ++slice)
        queue_slice(slice);
    for (const Direction& direction : directions_) {
        if (direction.reference == nullptr) continue;
        for (int row = 0; row < tools_.rows; ++row)
            refine_when_readable(direction, row);
    }
    for (const Direction& direction : directions_) {
        if (direction.reference == nullptr) continue;
        for (std::size_t slice = 0; slice < slices_.size(); ++slice)
            code_when_readable(direction, slice);
    }
}

void PictureTasks::refine_when_readable(const Direction& direction, int row) {
    const int down = direction.furthest[static_cast<std::size_t>(row)] + eighths_per_half_pel;
    const auto number = static_cast<std::size_t>(&direction - directions_.data());
    direction.reference->rows.when_finished(last_row_reached(row, down), [me = self(), number, row] {
        me->queue([me, number, row] { me->refine_row(number, row); });
    });
}

void PictureTasks::refine_row(std::size_t direction, int row) {
    attempt([&] {
        const StageTimer time = timer("refine", job_.times.refine);
        const SubpelPlanes whole_pels = SubpelPlanes::whole_pels_of(directions_[direction].reference->luma());
        refine_subpel(job_.source->luma().view(), whole_pels, job_.refinement[direction], nullptr, row, row + 1,
                      job_.fields[direction], nullptr, rings(directions_[direction]));
    });
    row_is_refined(row);
}

/// Any vector at which the slice looks may be tried in any of its macroblocks: a half pel further since it is refined,
/// and another one where both vectors of a B picture are moved together.
void PictureTasks::code_when_readable(const Direction& direction, std::size_t slice) {
    const SliceReads& reads = slices_[slice];
    const auto begin = direction.furthest.begin();
    const int down = *std::max_element(begin + reads.first_vectors, begin + reads.end_vectors);
    direction.reference->rows.when_finished(last_row_reached(reads.last_row, down + 2 * eighths_per_half_pel),
                                            [me = self(), slice] {
                                                if (--me->slices_[slice].waits == 0) me->queue_slice(slice);
                                            });
}

/// Codes what waited for this row alone.
void PictureTasks::row_is_refined(int row) {
    for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
        SliceReads& reads = slices_[slice];
        if (row >= reads.first_vectors && row < reads.end_vectors && --reads.waits == 0) code_slice(slice);
    }
}

ResidualInput PictureTasks::residual_input() {
    ResidualInput input;
    input.source = job_.source.get();
    input.references = &job_.references;
    input.codes.resize(static_cast<std::size_t>(job_.picture.macroblocks()));
    spread_quantiser(job_.quality, job_.picture.slices, tools_.non_linear_quantiser, input.codes);
    input.quantisers = quantiser_ladder(tools_, input.codes);
    input.trellis = tools_.trellis;
    return input;
}

DecideInput PictureTasks::decide_input() const {
    DecideInput input;
    input.decision = tools_.decision;
    input.source = job_.source->luma().view();
    input.references = &job_.references;
    input.type = job_.type;
    input.lambdas_q8 = lambdas_q8_;
    input.f_code = job_.picture.f_code;
    input.intra_threshold = tools_.intra_threshold;
    input.intra_refresh = tools_.intra_refresh;
    if (directions_[0].reference != nullptr) {
        input.forward = directions_[0].chosen;
        input.forward_candidates = directions_[0].candidates;
    }
    if (directions_[1].reference != nullptr) {
        input.backward = directions_[1].chosen;
        input.backward_candidates = directions_[1].candidates;
    }
    return input;
}

void PictureTasks::code_slice(std::size_t slice) {
    const SliceExtent extent = job_.picture.slices[slice];
    attempt([&] {
        {
            const StageTimer time = timer("decide", job_.times.decide);
            decide(extent);
        }
        const StageTimer time = timer("residual", job_.times.residual);
        code_residuals(extent);
        if (job_.made) count_codings(extent);
    });
    if (job_.made) rebuilt(extent);
    slice_is_done();
}

/// Vectors are chosen along the whole slice, so by one worth of a bit: the mean.
std::uint32_t PictureTasks::mean_lambda(SliceExtent slice) const {
    std::uint64_t sum = 0;
    for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i)
        sum += lambdas_q8_[i];
    return static_cast<std::uint32_t>(sum / static_cast<std::uint64_t>(slice.end - slice.first));
}

void PictureTasks::decide(SliceExtent slice) {
    DecideInput input = decide_input_;
    input.lambda_q8 = mean_lambda(slice);
    if (directions_[0].reference != nullptr) input.coded_since_intra = directions_[0].reference->coded_since_intra;
    for (std::size_t i = 0; i < 2; ++i) {
        Direction& direction = directions_[i];
        if (direction.reference == nullptr) continue;
        VectorChoiceInput choice;
        choice.current = input.source;
        choice.reference = direction.reference->luma();
        choice.field = &job_.fields[i];
        choice.rings = rings(direction);
        choice.type = job_.type;
        choice.f_code = input.f_code[i];
        choice.lambda_q8 = input.lambda_q8;
        choice.null_threshold = tools_.null_threshold;
        choice.null_gain = tools_.null_gain;
        choose_vectors(choice, slice, direction.chosen, direction.candidates);
    }
    decide_slice(input, slice, job_.picture, modes_, job_.tried);
}

void PictureTasks::code_residuals(SliceExtent slice) {
    if (tools_.decision == Decision::rd) {
        const RateDistortionInput trials{&residual_input_, modes_, tools_.codec, tools_.intra_threshold, job_.tried};
        code_by_rate_distortion(trials, slice, job_.picture, *job_.reconstruction);
    } else {
        code_residual(residual_input_, slice, job_.picture, *job_.reconstruction);
    }
}

/// Counts, for the forced refresh, how often each macroblock was coded since it was intra.
void PictureTasks::count_codings(SliceExtent slice) {
    const Reference* before = directions_[0].reference;
    for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i) {
        const std::uint8_t flags = job_.picture.flags[i];
        const int so_far = before != nullptr && !before->coded_since_intra.empty() ? before->coded_since_intra[i] : 0;
        const int now = flags & mb_intra ? 0 : flags & mb_skipped ? so_far : so_far + 1;
        job_.made->coded_since_intra[i] = static_cast<std::uint8_t>(now);
    }
}

void PictureTasks::rebuilt(SliceExtent slice) {
    for (int row = slice.first / tools_.columns; row <= (slice.end - 1) / tools_.columns; ++row) {
        if (--slices_of_row_[static_cast<std::size_t>(row)] == 0) job_.made->finish_row(row);
    }
}

void PictureTasks::slice_is_done() {
    if (--slices_left_ > 0) return;
    done_(error_);
}

class CpuMpegBackend : public MpegBackend {
  public:
    CpuMpegBackend(const MpegTools& tools, TaskPool& pool, Trace* trace) : tools_(tools), pool_(pool), trace_(trace) {}
    std::string name() const override { return "cpu"; }
    bool supports(const MpegTools&) const override { return true; }
    /// So many use the threads that the slices of one leave idle: small pictures have few slices, and large ones, each
    /// of which follows the one before by some rows, need room in the processors' caches.
    int pictures_at_once() const override {
        const bool is_small = tools_.columns * tools_.rows <= 2048;
        return std::clamp(pool_.threads(), 2, is_small ? 16 : 8);
    }
    void code(MpegCodingJob& job, Done done) override {
        std::make_shared<PictureTasks>(tools_, pool_, trace_, job, std::move(done))->begin();
    }

  private:
    const MpegTools tools_;
    TaskPool& pool_;
    Trace* const trace_;
};

} // namespace

std::unique_ptr<MpegBackend> make_cpu_mpeg_backend(const MpegTools& tools, TaskPool& pool, Trace* trace) {
    return std::make_unique<CpuMpegBackend>(tools, pool, trace);
}

} // namespace tandem
