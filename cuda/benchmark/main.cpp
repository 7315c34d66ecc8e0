// SPDX-License-Identifier: BSD-2-Clause
// tandem_cuda_bench [--quick | --case NAME]: how near the searches come to the arithmetic's ceiling, measured in the
// same run. --quick: fewer pictures end to end; --case: only the searches whose name begins so, and nothing end to end.
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/benchmark/coding_case.h"
#include "cuda/benchmark/end_to_end.h"
#include "cuda/benchmark/kernel_cases.h"
#include "cuda/benchmark/scene.h"
#include "cuda/benchmark/sizes_case.h"
#include "cuda/benchmark/texture_case.h"
#include "cuda/benchmark/timing.h"
#include "cuda/device/devices.h"
#include "cuda/device/no_device_reason.h"
#include "cuda/device/page_locked_samples.h"
#include "cuda/phase/phase_fourier.h"
#include "machine/errors.h"
#include "me/search.h"
#include "video/sample_memory.h"

namespace tandem::cuda {
namespace {

constexpr KernelCase kernel_cases[] = {
    {"1080p 16x16 +-16", 1920, 1080, 16, 16, 16, 16, 1},
    {"1080p 16x16 +-16 K=4", 1920, 1080, 16, 16, 16, 16, 4},
    {"1080p 16x16 +-32", 1920, 1080, 16, 16, 32, 32, 1},
    {"1080p 16x16 +-32 K=4", 1920, 1080, 16, 16, 32, 32, 4},
    {"1080p 16x16 +-64", 1920, 1080, 16, 16, 64, 64, 1},
    {"1080p 16x16 +-64 K=4", 1920, 1080, 16, 16, 64, 64, 4},
    {"1080p 16x16 +-64 K=16", 1920, 1080, 16, 16, 64, 64, 16},
    {"2160p 16x16 +-32", 3840, 2160, 16, 16, 32, 32, 1},
    {"CIF 16x16 +-16", 352, 288, 16, 16, 16, 16, 1},
    {"CIF 16x16 +-32", 352, 288, 16, 16, 32, 32, 1},
    {"CIF 16x16 +-16 half-pel", 352, 288, 16, 16, 16, 16, 1, Algorithm::full, 2},
    {"CIF 16x16 +-16, 32 pictures a launch", 352, 288, 16, 16, 16, 16, 1, Algorithm::full, 1, Metric::sad, 0,
     Matrices::none, 32},
    {"CIF 16x16 +-32, 32 pictures a launch", 352, 288, 16, 16, 32, 32, 1, Algorithm::full, 1, Metric::sad, 0,
     Matrices::none, 32},
    {"CIF 16x16 +-16 half-pel, 32 a launch", 352, 288, 16, 16, 16, 16, 1, Algorithm::full, 2, Metric::sad, 0,
     Matrices::none, 32},
    {"1080p 16x16 +-16, 7 pictures a launch", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::full, 1, Metric::sad, 0,
     Matrices::none, 7},
    {"1080p 16x16 +-32, 3 pictures a launch", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::full, 1, Metric::sad, 0,
     Matrices::none, 3},
    {"1080p 4x4 +-32", 1920, 1080, 4, 4, 32, 32, 1},
    {"1080p 8x8 +-32", 1920, 1080, 8, 8, 32, 32, 1},
    {"1080p 16x8 +-32", 1920, 1080, 16, 8, 32, 32, 1},
    {"1080p 32x32 +-32", 1920, 1080, 32, 32, 32, 32, 1},
    {"1080p 64x64 +-32", 1920, 1080, 64, 64, 32, 32, 1},
    {"1080p 128x128 +-32", 1920, 1080, 128, 128, 32, 32, 1},
    {"1080p 96x54 +-96,54", 1920, 1080, 96, 54, 96, 54, 1},
    {"1080p 96x54 +-96,54 grid 1/2 (Massanes)", 1920, 1080, 96, 54, 96, 54, 1, Algorithm::full, 2, Metric::sad, 1},
    {"1080p 16x16 +-16 grid 1/2", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::full, 2, Metric::sad, 1},
    {"1080p 16x16 +-32 grid 1/2", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::full, 2, Metric::sad, 1},
    {"1080p 16x16 +-16 grid 1/4", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::full, 4, Metric::sad, 2},
    {"1080p 16x16 +-16 SSD, matrices", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::everywhere},
    {"1080p 16x16 +-16 SSD, swept", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::full, 1, Metric::ssd, 0, Matrices::none},
    {"1080p 16x16 +-32 SSD, matrices", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::everywhere},
    {"1080p 16x16 +-32 SSD, swept", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::full, 1, Metric::ssd, 0, Matrices::none},
    {"1080p 16x16 +-64 SSD, matrices", 1920, 1080, 16, 16, 64, 64, 1, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::everywhere},
    {"1080p 16x16 +-64 SSD, swept", 1920, 1080, 16, 16, 64, 64, 1, Algorithm::full, 1, Metric::ssd, 0, Matrices::none},
    {"1080p 16x16 +-64 K=4 SSD, matrices", 1920, 1080, 16, 16, 64, 64, 4, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::everywhere},
    {"1080p 16x16 +-64 K=4 SSD, swept", 1920, 1080, 16, 16, 64, 64, 4, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::none},
    {"1080p 8x8 +-64 SSD, matrices", 1920, 1080, 8, 8, 64, 64, 1, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::everywhere},
    {"1080p 8x8 +-64 SSD, swept", 1920, 1080, 8, 8, 64, 64, 1, Algorithm::full, 1, Metric::ssd, 0, Matrices::none},
    {"CIF 16x16 +-64 SSD, matrices", 352, 288, 16, 16, 64, 64, 1, Algorithm::full, 1, Metric::ssd, 0,
     Matrices::everywhere},
    {"CIF 16x16 +-64 SSD, swept", 352, 288, 16, 16, 64, 64, 1, Algorithm::full, 1, Metric::ssd, 0, Matrices::none},
    {"1080p 16x16 +-16 SATD", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::full, 1, Metric::satd},
    {"1080p 16x16 +-32 half-pel", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::full, 2},
    {"1080p 16x16 hexagon +-32 half-pel", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::hexagon, 2},
    {"1080p 16x16 smpuhex +-32 half-pel", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::smpuhex, 2},
    {"1080p 16x16 predictive +-8,4", 1920, 1080, 16, 16, 8, 4, 1, Algorithm::predictive},
    {"1080p 16x16 predictive +-8,4 K=4 half-pel", 1920, 1080, 16, 16, 8, 4, 4, Algorithm::predictive, 2},
    {"1080p 16x16 predictive +-16 K=4 half-pel", 1920, 1080, 16, 16, 16, 16, 4, Algorithm::predictive, 2},
    {"1080p 8x8 predictive +-8,4", 1920, 1080, 8, 8, 8, 4, 1, Algorithm::predictive},
    {"2160p 16x16 predictive +-8,4", 3840, 2160, 16, 16, 8, 4, 1, Algorithm::predictive},
    {"CIF 16x16 predictive +-8,4", 352, 288, 16, 16, 8, 4, 1, Algorithm::predictive},
    {"1080p 16x16 hier +-32 half-pel", 1920, 1080, 16, 16, 32, 32, 1, Algorithm::hierarchical, 2},
    {"1080p 16x16 poc +-16", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::phase},
    {"1080p 16x16 poc +-16 half-pel", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::phase, 2},
    {"1080p 16x16 log +-16", 1920, 1080, 16, 16, 16, 16, 1, Algorithm::logarithmic},
    {"1080p 16x16 log +-16 K=4 half-pel", 1920, 1080, 16, 16, 16, 16, 4, Algorithm::logarithmic, 2},
};

/// Those, and each walk of the table of searches.
std::vector<KernelCase> all_cases() {
    static std::deque<std::string> names;
    std::vector<KernelCase> cases(std::begin(kernel_cases), std::end(kernel_cases));
    for (const SearchRow& row : search_table()) {
        if (row.walk == nullptr) continue;
        names.push_back("1080p 16x16 " + std::string(row.name) + " +-32");
        cases.push_back({names.back().c_str(), 1920, 1080, 16, 16, 32, 32, 1, row.algorithm});
    }
    return cases;
}

void print_kernels(const DeviceInfo& device, const char* name) {
    Stream stream;
    const double before = ceiling_rate(stream, device.multiprocessors);
    std::printf("ceiling of packed absolute differences: %.2f T/s\n\n", before * 1e-12);
    std::printf("kernel time, pictures on the device      us/field  search  words  fields/s    T/s  of ceiling\n");
    for (const KernelCase& kernel_case : all_cases()) {
        if (std::strncmp(kernel_case.name, name, std::strlen(name)) != 0) continue;
        if (kernel_case.algorithm == Algorithm::phase && !has_device_fourier()) {
            std::printf("%-40s cuFFT was not found\n", kernel_case.name);
            continue;
        }
        const KernelTimes times = time_kernels(kernel_case, stream);
        const double rate = times.differences / (times.milliseconds * 1e-3);
        std::printf("%-40s %8.1f %7.1f %6.1f %9.0f", kernel_case.name, times.milliseconds * 1e3,
                    times.search_milliseconds * 1e3, times.words_milliseconds * 1e3, 1e3 / times.milliseconds);
        if (times.differences > 0) std::printf(" %6.2f  %5.1f %%", rate * 1e-12, 100 * rate / before);
        std::printf("\n");
        std::fflush(stdout);
    }
    if (std::strncmp("sizes", name, std::strlen(name)) == 0) print_sizes(stream);
    if (std::strncmp("textures", name, std::strlen(name)) == 0) print_textures(stream);
    std::printf("\nceiling again: %.2f T/s\n\n", ceiling_rate(stream, device.multiprocessors) * 1e-12);
}

SearchParams end_to_end_params(int range, int candidates) {
    SearchParams params;
    params.range_x = params.range_y = range;
    params.lambda_q8 = 1000;
    params.candidates = candidates;
    return params;
}

void print_rates(const std::vector<std::unique_ptr<Estimator>>& estimators, const SearchParams& params,
                 const std::vector<FramePtr>& pictures, const std::string& name, std::size_t at_once = 1) {
    std::printf("%-40s", name.c_str());
    for (int threads = 1; threads <= 4; ++threads) {
        const int all = threads * static_cast<int>(estimators.size());
        std::printf(" %8.0f", fields_per_second(estimators, params, pictures, all, at_once));
    }
    std::printf("\n");
    std::fflush(stdout);
}

void print_end_to_end(const std::vector<std::unique_ptr<Estimator>>& estimators, bool quick) {
    const std::vector<FramePtr> pictures = new_pictures(1920, 1080, quick ? 60 : 240);
    const auto count = static_cast<int>(estimators.size());
    std::printf("end to end, 1080p, every picture new, %d device(s)   fields/s with threads per device\n", count);
    std::printf("%-40s %8d %8d %8d %8d\n", "", 1, 2, 3, 4);
    for (const int range : {16, 32, 64}) {
        for (const int candidates : {1, 4}) {
            print_rates(estimators, end_to_end_params(range, candidates), pictures,
                        "16x16 +-" + std::to_string(range) + " K=" + std::to_string(candidates));
        }
    }
    for (const Algorithm algorithm : {Algorithm::hexagon, Algorithm::smpuhex, Algorithm::hierarchical}) {
        SearchParams params = end_to_end_params(32, 1);
        params.algorithm = algorithm;
        params.precision = 2;
        print_rates(estimators, params, pictures,
                    "16x16 " + std::string(search_row(algorithm).name) + " +-32 half-pel");
    }
    for (const int candidates : {1, 4}) { // As tandem encode asks.
        SearchParams params = end_to_end_params(8, candidates);
        params.algorithm = Algorithm::predictive;
        params.range_y = 4;
        print_rates(estimators, params, pictures, "16x16 predictive +-8,4 K=" + std::to_string(candidates));
    }
}

/// Pictures that are not in page-locked memory, as somebody else's may be: the host copies them.
void print_end_to_end_from_heap(const std::vector<std::unique_ptr<Estimator>>& estimators, bool quick, int ordinal) {
    use_sample_memory(nullptr);
    const std::vector<FramePtr> pictures = new_pictures(1920, 1080, quick ? 60 : 240);
    lock_pages_of_new_planes(ordinal);
    for (const int range : {16, 32, 64})
        print_rates(estimators, end_to_end_params(range, 1), pictures,
                    "16x16 +-" + std::to_string(range) + " from the heap");
}

/// Small pictures, one and several at a time.
void print_small_end_to_end(const std::vector<std::unique_ptr<Estimator>>& estimators, bool quick) {
    const std::vector<FramePtr> pictures = new_pictures(352, 288, quick ? 1000 : 6000);
    for (const int range : {16, 32}) {
        for (const std::size_t at_once : {1, 32}) {
            print_rates(estimators, end_to_end_params(range, 1), pictures,
                        "CIF 16x16 +-" + std::to_string(range) + ", " + std::to_string(at_once) + " a call", at_once);
        }
    }
}

int run(bool quick, const char* name) {
    const DeviceList list = list_devices();
    if (!list.why_none.empty()) throw RunError(list.why_none);
    const DeviceInfo& device = list.devices.front();
    std::printf("%s, compute capability %d.%d, %d multiprocessors, driver for CUDA %s, built with CUDA %s\n",
                device.name.c_str(), device.major, device.minor, device.multiprocessors,
                version_text(list.driver_version).c_str(), version_text(list.runtime_version).c_str());
    use_device(device.ordinal);
    print_kernels(device, name != nullptr ? name : "");
    if (name == nullptr || std::string_view("coding").starts_with(name)) {
        Stream stream;
        print_coding(device, stream);
    }
    if (name != nullptr) return 0;
    auto estimators = make_gpu_estimators(nullptr);
    if (estimators.size() > 1) {
        std::vector<std::unique_ptr<Estimator>> first;
        first.push_back(std::move(estimators.front()));
        print_end_to_end(first, quick);
        estimators.front() = std::move(first.front());
    }
    print_end_to_end(estimators, quick);
    print_end_to_end_from_heap(estimators, quick, device.ordinal);
    print_small_end_to_end(estimators, quick);
    return 0;
}

} // namespace
} // namespace tandem::cuda

int main(int count, char** arguments) {
    try {
        const bool quick = count == 2 && std::strcmp(arguments[1], "--quick") == 0;
        const bool one_case = count == 3 && std::strcmp(arguments[1], "--case") == 0;
        if (count > 1 && !quick && !one_case) {
            std::fprintf(stderr, "usage: tandem_cuda_bench [--quick | --case NAME]\n");
            return 2;
        }
        return tandem::cuda::run(quick, one_case ? arguments[2] : nullptr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem_cuda_bench: %s\n", error.what());
        return 1;
    }
}
