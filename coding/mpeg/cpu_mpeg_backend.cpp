// SPDX-License-Identifier: BSD-2-Clause
// A picture's tasks on the CPU. Their order: rows are refined, each when the rows of the references that it reaches are
// there; when all are, the vectors' code lengths are known (f_code); then slices are decided and coded, one task each,
// and what they rebuild becomes readable row by row. No task waits for another: the last one of a stage queues the next
// stage. A task that throws leaves the picture's other tasks nothing to do, but each still counts.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/decide.h"
#include "coding/mpeg/mpeg_backend.h"
#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/quantiser/slice_quantisers.h"
#include "coding/mpeg/rate_distortion.h"
#include "coding/mpeg/stage_timer.h"
#include "coding/mpeg/vector_choice.h"
#include "me/samples/subpel.h"

namespace tandem {

namespace {

/// The f_codes that would hold all candidates: what their vectors' bits are counted by. MPEG-1 has one for both.
std::array<int, 2> f_codes_of(std::span<const Candidate> candidates, Codec codec) {
    int x = 0, y = 0;
    for (const Candidate& candidate : candidates) {
        if (!has_vector(candidate)) continue;
        x = std::max(x, std::abs(static_cast<int>(candidate.mv.x)));
        y = std::max(y, std::abs(static_cast<int>(candidate.mv.y)));
    }
    if (codec == Codec::mpeg1) x = y = std::max(x, y);
    return {f_code_for(x / eighths_per_half_pel), f_code_for(y / eighths_per_half_pel)};
}

/// The last row of macroblocks that refining a row of the field may read: a half pel further than its vectors go, at
/// half pels between two rows of samples.
int last_row_reached(const MotionField& field, int row) {
    int furthest = 0;
    for (int column = 0; column < field.columns(); ++column) {
        for (const Candidate& candidate : field.block(column, row)) {
            if (has_vector(candidate)) furthest = std::max(furthest, static_cast<int>(candidate.mv.y));
        }
    }
    const int pels = (furthest + eighths_per_pel - 1) / eighths_per_pel;
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
        const Reference* reference = nullptr; ///< Null: the picture has none there.
        std::vector<ChosenVector> chosen;
        std::vector<VectorCandidates> candidates; ///< Empty unless the decision looks at them.
        std::array<int, 2> f_code{1, 1};          ///< Of all candidates: what the choice reckons with.
    };

    void queue(std::function<void()> body) { pool_.run(job_.rank, std::move(body)); }
    StageTimer timer(const char* stage, std::atomic<std::int64_t>& nanoseconds) const {
        return {stage, nanoseconds, trace_, job_.display};
    }
    /// Runs the work of a task, unless another task of the picture has failed.
    template <typename Work> void attempt(Work work);
    void wait_for_references(int direction, int row);
    void refine_row(int direction, int row);
    void refined();
    void queue_slices();
    DecideInput decide_input() const;
    ResidualInput residual_input();
    void choose(Direction& direction, const MotionField& field, SliceExtent slice);
    void code_slice(int slice);
    std::uint32_t mean_lambda(SliceExtent slice) const;
    void decide(SliceExtent slice);
    void code_residuals(SliceExtent slice);
    void count_codings(SliceExtent slice);
    void rebuilt(SliceExtent slice);
    void row_is_rebuilt(int row);
    void slice_is_done();

    const MpegTools& tools_;
    TaskPool& pool_;
    Trace* const trace_;
    MpegCodingJob& job_;
    const MpegBackend::Done done_;
    const std::shared_ptr<PictureTasks> self() { return shared_from_this(); }

    std::array<Direction, 2> directions_;
    std::atomic<int> to_refine_{0}, slices_left_{0};
    std::vector<ModeList> modes_; ///< By macroblock; empty unless modes are tried.
    DecideInput decide_input_;
    ResidualInput residual_input_;
    std::vector<std::uint32_t> lambdas_q8_;           ///< By macroblock: what a bit is worth in SAD.
    std::vector<std::atomic<int>> slices_of_row_;     ///< By row of macroblocks: slices in it that are not coded yet.
    std::vector<std::atomic<int>> rows_of_half_pels_; ///< Rows that its half pels still lack: itself, the one below.

    std::mutex error_mutex_;
    std::exception_ptr error_;
    std::atomic<bool> failed_{false};
};

PictureTasks::PictureTasks(const MpegTools& tools, TaskPool& pool, Trace* trace, MpegCodingJob& job,
                           MpegBackend::Done done)
    : tools_(tools), pool_(pool), trace_(trace), job_(job), done_(std::move(done)),
      slices_of_row_(static_cast<std::size_t>(tools.rows)), rows_of_half_pels_(static_cast<std::size_t>(tools.rows)) {
    const auto macroblocks = static_cast<std::size_t>(job.picture.macroblocks());
    if (job.type != PictureType::intra) directions_[0].reference = job.references.forward.get();
    if (job.type == PictureType::bidirectional) directions_[1].reference = job.references.backward.get();
    for (Direction& direction : directions_) {
        if (direction.reference == nullptr) continue;
        direction.chosen.resize(macroblocks);
        if (tools.decision == Decision::rd) direction.candidates.resize(macroblocks);
        to_refine_ += tools.rows;
    }
    if (tools.decision == Decision::rd) modes_.resize(macroblocks);
    for (const SliceExtent& slice : job.picture.slices) {
        for (int row = slice.first / tools.columns; row <= (slice.end - 1) / tools.columns; ++row)
            ++slices_of_row_[static_cast<std::size_t>(row)];
    }
    for (int row = 0; row < tools.rows; ++row)
        rows_of_half_pels_[static_cast<std::size_t>(row)] = row + 1 < tools.rows ? 2 : 1;
    slices_left_ = static_cast<int>(job.picture.slices.size());
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
    if (to_refine_ == 0) {
        queue([me = self()] { me->queue_slices(); });
        return;
    }
    for (int row = 0; row < tools_.rows; ++row) {
        for (int direction = 0; direction < 2; ++direction) {
            if (directions_[static_cast<std::size_t>(direction)].reference != nullptr)
                wait_for_references(direction, row);
        }
    }
}

void PictureTasks::wait_for_references(int direction, int row) {
    const auto at = static_cast<std::size_t>(direction);
    directions_[at].reference->rows.when_finished(
        last_row_reached(job_.fields[at], row),
        [me = self(), direction, row] { me->queue([me, direction, row] { me->refine_row(direction, row); }); });
}

void PictureTasks::refine_row(int direction, int row) {
    const auto at = static_cast<std::size_t>(direction);
    attempt([&] {
        const StageTimer time = timer("refine", job_.times.refine);
        refine_subpel(job_.source->luma().view(), directions_[at].reference->luma, job_.refinement[at], nullptr, row,
                      row + 1, job_.fields[at]);
    });
    if (--to_refine_ == 0) refined();
}

/// All rows are refined. Slices look at neighbours' vectors and at zero everywhere, so the references must be whole.
void PictureTasks::refined() {
    const auto when_whole = [this](const Reference* reference, RowProgress::Body body) {
        if (reference == nullptr) return body();
        reference->rows.when_finished(tools_.rows - 1, std::move(body));
    };
    when_whole(directions_[0].reference, [me = self(), when_whole] {
        when_whole(me->directions_[1].reference, [me] { me->queue([me] { me->queue_slices(); }); });
    });
}

void PictureTasks::queue_slices() {
    attempt([&] {
        for (std::size_t i = 0; i < 2; ++i) {
            if (directions_[i].reference != nullptr)
                directions_[i].f_code = f_codes_of(job_.fields[i].all(), tools_.codec);
        }
        job_.picture.f_code = {directions_[0].f_code, directions_[1].f_code};
        residual_input_ = residual_input();
        for (const std::uint8_t code : residual_input_.codes)
            lambdas_q8_.push_back(sad_lambda_q8(quantiser_scale(code, tools_.non_linear_quantiser)));
        decide_input_ = decide_input();
        if (job_.made) job_.made->coded_since_intra.resize(static_cast<std::size_t>(job_.picture.macroblocks()));
    });
    const auto slices = static_cast<int>(job_.picture.slices.size());
    for (int slice = 0; slice < slices; ++slice)
        queue([me = self(), slice] { me->code_slice(slice); });
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
        input.coded_since_intra = directions_[0].reference->coded_since_intra;
        input.forward = directions_[0].chosen;
        input.forward_candidates = directions_[0].candidates;
    }
    if (directions_[1].reference != nullptr) {
        input.backward = directions_[1].chosen;
        input.backward_candidates = directions_[1].candidates;
    }
    return input;
}

void PictureTasks::code_slice(int slice) {
    const SliceExtent extent = job_.picture.slices[static_cast<std::size_t>(slice)];
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
    for (std::size_t i = 0; i < 2; ++i) {
        Direction& direction = directions_[i];
        if (direction.reference == nullptr) continue;
        VectorChoiceInput choice;
        choice.current = input.source;
        choice.reference = &direction.reference->luma;
        choice.field = &job_.fields[i];
        choice.type = job_.type;
        choice.f_code = direction.f_code;
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
        if (--slices_of_row_[static_cast<std::size_t>(row)] == 0) row_is_rebuilt(row);
    }
}

/// A row of half pels reads the first row of samples below it.
void PictureTasks::row_is_rebuilt(int row) {
    for (int ready = std::max(row - 1, 0); ready <= row; ++ready) {
        if (--rows_of_half_pels_[static_cast<std::size_t>(ready)] == 0) job_.made->finish_row(ready);
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
    /// So many use the threads that the slices of one leave idle.
    int pictures_at_once() const override { return std::clamp(pool_.threads(), 2, 8); }
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
