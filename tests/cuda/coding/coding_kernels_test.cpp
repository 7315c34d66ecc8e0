// SPDX-License-Identifier: BSD-2-Clause
// What the kernels that code pictures compute, run by the host, against the CPU's backend: everything but launches and
// memory.
#include <gtest/gtest.h>

#include "coding/mpeg/device_backend.h"
#include "tests/coding/random_picture.h"
#include "tests/cuda/coding/host_kernels.h"

namespace tandem::test {
namespace {

class CodingKernels : public testing::Test {
  protected:
    /// Codes the next picture of the stream both ways; the reference it makes.
    ReferencePtr compare(RandomStream& stream, MpegBackend& cpu, PictureType type, const References& references,
                         bool backwards) {
        stream.begin_picture(type);
        MpegCodingJob expected, found;
        stream.fill(expected, references);
        stream.fill(found, references);
        code_and_wait(cpu, expected);
        code_on_host(stream.tools(), found, backwards);
        EXPECT_EQ(first_difference(expected, found), "") << stream.describe();
        return expected.made;
    }
    void compare_stream(RandomStream& stream, bool backwards) {
        const auto cpu = make_cpu_mpeg_backend(stream.tools(), pool_, nullptr);
        const ReferencePtr first = compare(stream, *cpu, PictureType::intra, {}, backwards);
        const ReferencePtr second = compare(stream, *cpu, PictureType::predicted, {first, nullptr}, backwards);
        compare(stream, *cpu, PictureType::bidirectional, {first, second}, backwards);
        const ReferencePtr third = compare(stream, *cpu, PictureType::predicted, {second, nullptr}, backwards);
        compare(stream, *cpu, PictureType::bidirectional, {third, second}, backwards);
    }

    TaskPool pool_{2};
};

TEST_F(CodingKernels, GiveTheArraysOfTheCpu) {
    for (std::uint32_t seed = 1; seed <= 150 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        compare_stream(stream, seed % 2 == 0);
    }
}

TEST_F(CodingKernels, TryModesLikeTheCpu) {
    for (std::uint32_t seed = 1001; seed <= 1100 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        stream.tools().decision = Decision::rd;
        compare_stream(stream, seed % 2 == 0);
    }
}

/// Levels are dropped beside an inter block's DC that saturates, which coarse DCs and fine levels beside them bring.
TEST_F(CodingKernels, DropLevelsBesideASaturatedDc) {
    for (std::uint32_t seed = 2001; seed <= 2040 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        stream.flash();
        stream.tools().intra_threshold = 65536; // Inter, whatever is left.
        stream.tools().non_intra_matrix.fill(2);
        stream.tools().non_intra_matrix[0] = 255;
        compare_stream(stream, seed % 2 == 0);
    }
}

} // namespace
} // namespace tandem::test
