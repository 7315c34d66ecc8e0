// SPDX-License-Identifier: BSD-2-Clause
// Pictures coded on a GPU: the CPU's arrays and reconstruction, also when the device fails.
#include <deque>
#include <future>

#include "coding/mpeg/device_backend.h"
#include "coding/mpeg/sharing_backend.h"
#include "cuda/coding/cuda_mpeg_backend.h"
#include "cuda/device/check.h"
#include "cuda/gpu_coding_devices.h"
#include "machine/errors.h"
#include "tests/coding/random_picture.h"
#include "tests/cuda/device/device_fixture.h"

namespace tandem::test {
namespace {

using cuda::Fault;

/// One picture of a stream coded by two backends, each from the references that it made itself.
struct CodedTwice {
    MpegCodingJob expected, found;
    std::string what;
    std::promise<void> expected_done, found_done;

    /// The stream's next picture begins.
    void begin(RandomStream& stream, MpegBackend& cpu, MpegBackend& gpu, PictureType type, const CodedTwice* forward,
               const CodedTwice* backward) {
        stream.begin_picture(type);
        what = stream.describe();
        const auto made_by = [&](MpegCodingJob CodedTwice::*job) {
            return References{forward != nullptr ? (forward->*job).made : nullptr,
                              backward != nullptr ? (backward->*job).made : nullptr};
        };
        stream.fill(expected, made_by(&CodedTwice::expected));
        stream.fill(found, made_by(&CodedTwice::found));
        start(cpu, expected, expected_done);
        start(gpu, found, found_done);
    }
    static void start(MpegBackend& backend, MpegCodingJob& job, std::promise<void>& done) {
        backend.code(job, [&done](std::exception_ptr error) { error ? done.set_exception(error) : done.set_value(); });
    }
    void expect_equal() {
        expected_done.get_future().get();
        found_done.get_future().get();
        EXPECT_EQ(first_difference(expected, found), "") << what;
    }
};

class DeviceCoding : public DeviceTest {
  protected:
    /// Several pictures in flight: I P B P B B P, each of the stream's latest anchors.
    void code_stream(RandomStream& stream, MpegBackend& gpu) {
        const auto cpu = make_cpu_mpeg_backend(stream.tools(), pool_, nullptr);
        std::deque<CodedTwice> pictures;
        const CodedTwice *before = nullptr, *last = nullptr;
        for (const char type : std::string("IPBPBBPIPB")) {
            CodedTwice& picture = pictures.emplace_back();
            if (type == 'B') {
                picture.begin(stream, *cpu, gpu, PictureType::bidirectional, before, last);
                continue;
            }
            picture.begin(stream, *cpu, gpu, type == 'I' ? PictureType::intra : PictureType::predicted,
                          type == 'I' ? nullptr : last, nullptr);
            before = last;
            last = &picture;
        }
        for (CodedTwice& picture : pictures)
            picture.expect_equal();
    }

    /// The GPU's with the CPU behind it; what it warns of goes into `warnings`.
    std::unique_ptr<MpegBackend> gpu_before_cpu(const MpegTools& tools, std::vector<std::string>& warnings,
                                                CodingDevices devices) {
        devices.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
        if (!devices.make_mpeg) {
            devices.make_mpeg = [](const MpegTools& wanted) {
                return std::optional(make_gpu_mpeg_backend(wanted, {}));
            };
        }
        return make_mpeg_backend(tools, pool_, nullptr, devices);
    }

    /// Several backends of the first GPU, which share pictures as those of several GPUs do.
    static std::unique_ptr<MpegBackend> split_gpu(const MpegTools& tools, int backends) {
        std::vector<std::unique_ptr<MpegBackend>> made;
        for (int i = 0; i < backends; ++i)
            made.push_back(std::make_unique<cuda::CudaMpegBackend>(cuda::list_devices().devices.front(), tools));
        return make_sharing_backend(tools, std::move(made));
    }

    TaskPool pool_{4};
};

TEST_F(DeviceCoding, GivesTheArraysOfTheCpu) {
    for (std::uint32_t seed = 1; seed <= 120 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        const auto gpu = make_gpu_mpeg_backend(stream.tools(), {});
        ASSERT_TRUE(gpu);
        EXPECT_TRUE(gpu->supports(stream.tools()));
        code_stream(stream, *gpu);
    }
}

TEST_F(DeviceCoding, GivesTheArraysOfTheCpuForLargePictures) {
    for (std::uint32_t seed = 1001; seed <= 1006 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        stream.tools().columns = 120;
        stream.tools().rows = 68;
        stream.tools().slices = 0;
        const auto gpu = make_gpu_mpeg_backend(stream.tools(), {});
        ASSERT_TRUE(gpu);
        code_stream(stream, *gpu);
    }
}

TEST_F(DeviceCoding, TriesModesLikeTheCpu) {
    for (std::uint32_t seed = 2001; seed <= 2060 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        stream.tools().decision = Decision::rd;
        const auto gpu = make_gpu_mpeg_backend(stream.tools(), {});
        ASSERT_TRUE(gpu);
        EXPECT_TRUE(gpu->supports(stream.tools()));
        code_stream(stream, *gpu);
    }
}

TEST_F(DeviceCoding, TriesModesOfLargePicturesLikeTheCpu) {
    for (std::uint32_t seed = 3001; seed <= 3004 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        stream.tools().columns = 120;
        stream.tools().rows = 68;
        stream.tools().slices = 0;
        stream.tools().decision = Decision::rd;
        const auto gpu = make_gpu_mpeg_backend(stream.tools(), {});
        ASSERT_TRUE(gpu);
        code_stream(stream, *gpu);
    }
}

TEST_F(DeviceCoding, TakesReferencesThatTheCpuMade) {
    RandomStream stream(31);
    const auto cpu = make_cpu_mpeg_backend(stream.tools(), pool_, nullptr);
    const auto gpu = make_gpu_mpeg_backend(stream.tools(), {});
    CodedTwice intra;
    intra.begin(stream, *cpu, *cpu, PictureType::intra, nullptr, nullptr);
    CodedTwice predicted;
    predicted.begin(stream, *cpu, *gpu, PictureType::predicted, &intra, nullptr);
    intra.expect_equal();
    predicted.expect_equal();
}

TEST_F(DeviceCoding, IsVerified) {
    RandomStream stream(33);
    std::vector<std::string> warnings;
    CodingDevices verifying;
    verifying.verify = true;
    const auto both = gpu_before_cpu(stream.tools(), warnings, verifying);
    code_stream(stream, *both);
    EXPECT_TRUE(warnings.empty());
}

TEST_F(DeviceCoding, SharesPicturesWithOthersAndTheCpu) {
    for (std::uint32_t seed = 4001; seed <= 4030 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        const auto split = split_gpu(stream.tools(), 3);
        code_stream(stream, *split);
        std::vector<std::string> warnings;
        CodingDevices sharing;
        sharing.cpu_shares = true;
        const auto all = gpu_before_cpu(stream.tools(), warnings, sharing);
        code_stream(stream, *all);
        EXPECT_TRUE(warnings.empty());
    }
}

TEST_F(DeviceCoding, OneOfSeveralFailsAndTheCpuGoesOn) {
    for (int calls = 1; calls <= 30; ++calls) {
        SCOPED_TRACE(calls);
        RandomStream stream(static_cast<std::uint32_t>(700 + calls));
        std::vector<std::string> warnings;
        CodingDevices devices;
        devices.make_mpeg = [](const MpegTools& wanted) { return std::optional(split_gpu(wanted, 2)); };
        const auto both = gpu_before_cpu(stream.tools(), warnings, devices);
        cuda::inject_fault(Fault::launch, calls);
        code_stream(stream, *both);
        cuda::inject_fault(Fault::none);
        EXPECT_LE(warnings.size(), 1u);
    }
}

class DeviceCodingFailure : public DeviceCoding, public testing::WithParamInterface<Fault> {};

INSTANTIATE_TEST_SUITE_P(Faults, DeviceCodingFailure, testing::Values(Fault::allocation, Fault::launch, Fault::wait),
                         [](const auto& fault) {
                             return fault.param == Fault::allocation ? "Allocation"
                                    : fault.param == Fault::launch   ? "Launch"
                                                                     : "Wait";
                         });

TEST_P(DeviceCodingFailure, InMidStreamTheCpuGoesOnWithTheSameArrays) {
    for (int calls = 1; calls <= 30; ++calls) {
        SCOPED_TRACE(calls);
        RandomStream stream(static_cast<std::uint32_t>(500 + calls));
        std::vector<std::string> warnings;
        const auto both = gpu_before_cpu(stream.tools(), warnings, {});
        cuda::inject_fault(GetParam(), calls);
        code_stream(stream, *both);
        cuda::inject_fault(Fault::none);
        EXPECT_LE(warnings.size(), 1u);
        if (calls <= 5 && GetParam() != Fault::allocation) {
            EXPECT_EQ(warnings.size(), 1u);
        }
    }
}

TEST_F(DeviceCoding, ADeviceThatCannotBeOpenedIsARunError) {
    cuda::inject_fault(Fault::allocation);
    EXPECT_THROW(make_gpu_mpeg_backend(MpegTools(), {}), RunError);
}

} // namespace
} // namespace tandem::test
