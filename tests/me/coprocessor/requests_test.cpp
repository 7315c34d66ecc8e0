// SPDX-License-Identifier: BSD-2-Clause
// Requests of every kind go through the coprocessor: several block sizes, refinements, batches; with a fallback and
// without one.
#include <gtest/gtest.h>

#include <stdexcept>

#include "machine/errors.h"
#include "tests/me/coprocessor/fake_estimator.h"
#include "tests/me/pictures.h"

namespace tandem {
namespace {

using namespace test;

/// The CPU under another name, which breaks down at its first request where told to.
class SecondCpu final : public Estimator {
  public:
    explicit SecondCpu(bool breaks = false) : breaks_(breaks) {}
    std::string name() const override { return "gpu:0"; }
    bool supports(const SearchParams& params) const override { return cpu_->supports(params); }
    bool refines(const SearchParams& params) const override { return cpu_->refines(params); }
    MotionField estimate(const MotionRequest& request) override {
        if (breaks_) break_down(0);
        return cpu_->estimate(request);
    }
    std::vector<MotionField> estimate_sizes(const MotionRequest& request, std::span<const BlockSize> sizes) override {
        if (breaks_) break_down(0);
        return cpu_->estimate_sizes(request, sizes);
    }

  private:
    bool breaks_;
    std::unique_ptr<Estimator> cpu_ = make_cpu_estimator(1);
};

MotionRequest search_of(int range) {
    static const PicturePair pair = make_pair(Content::smooth, 90, 70, 3);
    MotionRequest request{pair.current, pair.reference, {}};
    request.params.range_x = request.params.range_y = range;
    request.params.candidates = 3;
    request.params.lambda_q8 = 300;
    return request;
}

/// Half-pel steps on another reference about what the search of `range` found.
MotionRequest refinement_of(int range) {
    MotionRequest request = search_of(range);
    request.start = std::make_shared<MotionField>(make_cpu_estimator(1)->estimate(request));
    request.params.precision = 2;
    return request;
}

TEST(Refinement, IsTheEndOfASearchByItself) {
    for (const int precision : {1, 2, 4, 8}) {
        for (const Boundary boundary : {Boundary::inside, Boundary::padded}) {
            MotionRequest refinement = search_of(7);
            refinement.params.boundary = boundary;
            refinement.start = std::make_shared<MotionField>(make_cpu_estimator(1)->estimate(refinement));
            refinement.params.precision = precision;
            MotionRequest whole = refinement;
            whole.start = nullptr;
            EXPECT_TRUE(make_cpu_estimator(2)->estimate(refinement) == make_cpu_estimator(1)->estimate(whole))
                << precision;
        }
    }
}

TEST(Refinement, FillsTheRowsThatAreWanted) {
    MotionRequest request = refinement_of(7);
    const MotionField whole = make_cpu_estimator(1)->estimate(request);
    request.first_row = 1;
    request.end_row = 3;
    const MotionField part = make_cpu_estimator(1)->estimate(request);
    for (int row = 0; row < whole.rows(); ++row) {
        for (int column = 0; column < whole.columns(); ++column) {
            const Candidate expected = row >= 1 && row < 3 ? whole.best(column, row) : Candidate{};
            EXPECT_EQ(part.best(column, row), expected) << row;
        }
    }
}

TEST(Refinement, TakesAsManyCandidatesAsAreKept) {
    MotionRequest request = refinement_of(7);
    MotionField few(90, 70, 16, 16, 1);
    for (int row = 0; row < few.rows(); ++row)
        for (int column = 0; column < few.columns(); ++column)
            few.block(column, row).front() = request.start->best(column, row);
    request.params.candidates = 1;
    const MotionField found = make_cpu_estimator(1)->estimate(request);
    request.start = std::make_shared<MotionField>(few);
    EXPECT_TRUE(make_cpu_estimator(1)->estimate(request) == found);
}

TEST(Refinement, OfOtherBlocksIsRefused) {
    MotionRequest request = refinement_of(7);
    request.params.block_width = 8;
    EXPECT_THROW(make_cpu_estimator(1)->estimate(request), InputError);
    request = refinement_of(7);
    const std::vector<BlockSize> sizes{{16, 16}, {8, 8}};
    EXPECT_THROW(make_cpu_estimator(1)->estimate_sizes(request, sizes), InputError);
}

TEST(Refinement, GoesToABackendThatDoesIt) {
    const MotionRequest request = refinement_of(7);
    const MotionField expected = make_cpu_estimator(1)->estimate(request);
    Coprocessor coprocessor(list_of(fake("gpu:0")), make_cpu_estimator(1));
    const MotionResult result = coprocessor.submit(request).get();
    EXPECT_EQ(result.backend, "cpu") << "the other one does not refine";
    EXPECT_TRUE(result.field == expected);
    Coprocessor two(list_of(std::make_unique<SecondCpu>()), make_cpu_estimator(1), {.split = Split::bands});
    EXPECT_TRUE(two.submit(request).get().field == expected);
    Coprocessor nobody({}, fake("cpu"));
    EXPECT_THROW(nobody.submit(request), InputError);
}

TEST(SeveralSizes, ComeAsOneAnswer) {
    MotionRequest request = search_of(5);
    request.sizes = {{16, 16}, {8, 8}, {16, 8}};
    const std::vector<MotionField> expected = make_cpu_estimator(1)->estimate_sizes(request, request.sizes);
    for (const bool breaks : {false, true}) {
        Warnings warnings;
        Coprocessor coprocessor(list_of(std::make_unique<SecondCpu>(breaks)), make_cpu_estimator(1),
                                {.split = Split::bands, .on_warning = warnings.callback()});
        const MotionResult result = coprocessor.submit(request).get();
        EXPECT_TRUE(result.field == expected[0]);
        ASSERT_EQ(result.further.size(), 2u);
        EXPECT_TRUE(result.further[0] == expected[1]);
        EXPECT_TRUE(result.further[1] == expected[2]);
        EXPECT_EQ(result.backend, breaks ? "cpu" : "gpu:0");
        EXPECT_EQ(warnings.texts().size(), breaks ? 1u : 0u);
    }
}

TEST(SeveralSizes, AreEachAudited) {
    MotionRequest request = search_of(5);
    request.sizes = {{16, 16}, {8, 8}};
    std::vector<int> seen;
    CoprocessorOptions options;
    options.audit = [&](const MotionRequest& one, std::int64_t, const MotionField& field, const std::string&) {
        EXPECT_TRUE(one.sizes.empty());
        EXPECT_EQ(one.params.block_width, field.block_width());
        seen.push_back(field.block_width());
    };
    Coprocessor coprocessor(list_of(std::make_unique<SecondCpu>()), make_cpu_estimator(1), options);
    coprocessor.submit(request).get();
    EXPECT_EQ(seen, (std::vector<int>{16, 8}));
}

TEST(SeveralSizes, AnyOfThemMayBeWrong) {
    Coprocessor coprocessor({}, make_cpu_estimator(1));
    MotionRequest request = search_of(5);
    request.sizes = {{16, 16}, {8, 3}};
    EXPECT_THROW(coprocessor.submit(request), InputError);
    request.sizes = {{16, 16}, {8, 8}};
    request.first_row = 1;
    EXPECT_THROW(coprocessor.submit(request).get(), InputError) << "whole pictures only";
}

TEST(Batch, AnswersEachRequestInOrder) {
    Coprocessor coprocessor({}, fake("cpu", {}, 0, 2), {.queue_capacity = 2});
    std::vector<MotionRequest> requests;
    for (int i = 0; i < 9; ++i)
        requests.push_back(request(i));
    auto futures = coprocessor.submit_batch(requests, 100);
    ASSERT_EQ(futures.size(), 9u);
    for (int i = 0; i < 9; ++i)
        EXPECT_EQ(mark_of(futures[static_cast<std::size_t>(i)].get()), i);
    EXPECT_TRUE(coprocessor.submit_batch({}).empty());
}

TEST(Batch, WithOneThatIsWrongIsRefusedWhole) {
    std::atomic<int> calls{0};
    Coprocessor coprocessor({}, fake(
                                    "cpu", [&](int) { ++calls; }, 3));
    EXPECT_THROW(coprocessor.submit_batch({request(4), request(2)}), InputError);
    EXPECT_EQ(mark_of(coprocessor.submit(request(5)).get()), 5);
    EXPECT_EQ(calls, 1);
}

TEST(WithoutAFallback, TheLastBackendStaysAndItsErrorsAreTheAnswers) {
    Warnings warnings;
    const auto fails_twice = [](int call) {
        if (call < 2) break_down(call);
    };
    Coprocessor coprocessor(list_of(fake("gpu:0", break_down), fake("gpu:1", fails_twice)), nullptr,
                            {.on_warning = warnings.callback()});
    EXPECT_THROW(coprocessor.submit(request(1)).get(), std::runtime_error);
    EXPECT_THROW(coprocessor.submit(request(2)).get(), std::runtime_error);
    EXPECT_EQ(coprocessor.backend_names(), std::vector<std::string>{"gpu:1"});
    EXPECT_EQ(warnings.texts().size(), 1u);
    EXPECT_EQ(mark_of(coprocessor.submit(request(3)).get()), 3);
}

TEST(WithoutAFallback, WhatOnlyARetiredBackendRunsFails) {
    Coprocessor narrow(list_of(fake("gpu:0", break_down, 0), fake("gpu:1", {}, 50)), nullptr);
    EXPECT_THROW(narrow.submit(request(1)).get(), std::runtime_error) << "gpu:1 cannot";
    EXPECT_THROW(narrow.submit(request(2)), RunError) << "nobody is left for it";
    EXPECT_EQ(mark_of(narrow.submit(request(70)).get()), 70);
}

TEST(WithoutAFallback, ThereIsABackendAtLeast) { EXPECT_THROW(Coprocessor({}, nullptr), std::invalid_argument); }

TEST(Coprocessor, SupportsWhatABackendAtWorkDoes) {
    Coprocessor coprocessor(list_of(fake("gpu:0", break_down, 0)), fake("cpu", {}, 5), {});
    EXPECT_TRUE(coprocessor.supports(request(1).params));
    EXPECT_THROW(coprocessor.submit(request(1)).get(), std::runtime_error);
    EXPECT_FALSE(coprocessor.supports(request(1).params));
    EXPECT_TRUE(coprocessor.supports(request(5).params));
}

} // namespace
} // namespace tandem
