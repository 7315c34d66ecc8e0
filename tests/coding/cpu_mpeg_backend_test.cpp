// SPDX-License-Identifier: BSD-2-Clause
// Pictures whose references are still being rebuilt: what is not there yet is poison.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <limits>
#include <random>

#include "coding/mpeg/device_backend.h"
#include "tests/coding/naive_picture.h"
#include "tests/coding/random_picture.h"

namespace tandem::test {
namespace {

/// A reference that appears row by row, with the samples of one that is whole.
class GrowingReference {
  public:
    explicit GrowingReference(ReferencePtr whole) : whole_(std::move(whole)) {
        if (!whole_) return;
        frame_ = std::make_shared<Frame>(whole_->reconstruction->width(), whole_->reconstruction->height());
        for (int p = 0; p < 3; ++p)
            frame_->plane(p).fill(0xA5);
        made_ = Reference::in_the_making(frame_);
        made_->coded_since_intra = whole_->coded_since_intra;
    }
    ReferencePtr get() const { return made_; }
    int rows_left() const { return whole_ ? whole_->rows.rows() - row_ : 0; }

    void grow() {
        for (int p = 0; p < 3; ++p) {
            const int rows = p == 0 ? 16 : 8;
            const PlaneView from = whole_->reconstruction->plane(p).view();
            const MutablePlaneView to = frame_->plane(p).view();
            for (int y = row_ * rows; y < (row_ + 1) * rows; ++y)
                std::copy_n(from.row(y), from.width, to.row(y));
        }
        made_->finish_row(row_++);
    }

  private:
    ReferencePtr whole_;
    std::shared_ptr<Frame> frame_;
    std::shared_ptr<Reference> made_;
    int row_ = 0;
};

class CpuMpegBackendTest : public testing::Test {
  protected:
    /// Until nothing that may run has not run.
    void let_tasks_run() {
        std::promise<void> idle;
        pool_.run(std::numeric_limits<std::int64_t>::max() - 1, [&] { idle.set_value(); });
        idle.get_future().get();
    }

    ReferencePtr compare(RandomStream& stream, PictureType type, const References& references, std::uint32_t seed) {
        const auto backend = make_cpu_mpeg_backend(stream.tools(), pool_, nullptr);
        stream.begin_picture(type);
        MpegCodingJob expected, found;
        stream.fill(expected, references);
        code_and_wait(*backend, expected);

        GrowingReference growing[2]{GrowingReference(references.forward), GrowingReference(references.backward)};
        stream.fill(found, {growing[0].get(), growing[1].get()});
        std::promise<void> done;
        backend->code(found, [&](std::exception_ptr error) { error ? done.set_exception(error) : done.set_value(); });
        std::mt19937 random(seed);
        while (growing[0].rows_left() + growing[1].rows_left() > 0) {
            let_tasks_run();
            GrowingReference& next = growing[draw(random, 0, 1)];
            (next.rows_left() > 0 ? next : growing[&next == growing]).grow();
        }
        done.get_future().get();
        EXPECT_EQ(first_difference(expected, found), "") << stream.describe();
        return expected.made;
    }

    TaskPool pool_{1}; ///< Of one thread, so that it is known when nothing runs.
};

TEST_F(CpuMpegBackendTest, ReadsNoRowOfAReferenceBeforeItIsThere) {
    for (std::uint32_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        stream.tools().rows = 3 + static_cast<int>(seed % 8);
        stream.tools().slices = seed % 3 == 0 && stream.tools().codec == Codec::mpeg1 ? 2 : 0;
        const ReferencePtr first = compare(stream, PictureType::intra, {}, seed);
        const ReferencePtr second = compare(stream, PictureType::predicted, {first, nullptr}, seed);
        compare(stream, PictureType::bidirectional, {first, second}, seed);
    }
}

/// Where nothing moves, row 1 can be read when it is rebuilt. For it the row below is refined, whose half pels lie in
/// row 3 of the reference too.
TEST_F(CpuMpegBackendTest, RowsCanBeReadBeforeTheReferenceIsWhole) {
    constexpr int rows = 8, needed = 4;
    RandomStream stream(3);
    stream.tools().columns = 2;
    stream.tools().rows = rows;
    stream.tools().slices = 0;
    const ReferencePtr whole = compare(stream, PictureType::intra, {}, 3);
    const auto backend = make_cpu_mpeg_backend(stream.tools(), pool_, nullptr);
    stream.begin_picture(PictureType::predicted);
    GrowingReference growing(whole);
    MpegCodingJob job;
    stream.fill(job, {growing.get(), nullptr});
    job.fields[0] = MotionField(2 * 16, rows * 16, 16, 16, 1);
    std::ranges::fill(job.fields[0].all(), Candidate{{}, 0, 0});
    job.f_codes[0] = {1, 1};
    job.refinement[0].candidates = 1;
    bool is_readable = false;
    job.made->rows.when_finished(1, [&] { is_readable = true; });
    std::promise<void> done;
    backend->code(job, [&](std::exception_ptr) { done.set_value(); });
    for (int row = 0; row < needed; ++row) {
        let_tasks_run();
        EXPECT_FALSE(is_readable) << row;
        growing.grow();
    }
    let_tasks_run();
    EXPECT_TRUE(is_readable);
    while (growing.rows_left() > 0)
        growing.grow();
    done.get_future().get();
}

} // namespace
} // namespace tandem::test
