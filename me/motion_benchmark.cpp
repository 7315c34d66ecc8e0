// SPDX-License-Identifier: BSD-2-Clause
// Rates of the motion library on this machine, one thread. On noise nothing can be eliminated; real pictures are read
// from the folder named by TANDEM_CLIPS (y4m files).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "machine/simd_level.h"
#include "me/estimator.h"
#include "me/rows/search_names.h"
#include "me/samples/interpolation.h"
#include "me/samples/subpel.h"
#include "video/source.h"

namespace {

using namespace tandem;

FramePtr noise(int width, int height, unsigned seed) {
    std::mt19937 random(seed);
    auto frame = std::make_shared<Frame>(width, height);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView view = frame->plane(p).view();
        for (int y = 0; y < view.height; ++y) {
            for (int x = 0; x < view.width; ++x)
                view.at(x, y) = static_cast<std::uint8_t>(random() >> 24);
        }
    }
    return frame;
}

double positions(const SearchParams& p) { return (2.0 * p.range_x + 1) * (2.0 * p.range_y + 1); }

/// Block distortions per second that a search without any shortcut would have to make.
void report_rate(benchmark::State& state, const MotionField& field, const SearchParams& params) {
    const double blocks = static_cast<double>(field.columns()) * field.rows();
    state.counters["SAD/s"] =
        benchmark::Counter(blocks * positions(params), benchmark::Counter::kIsIterationInvariantRate);
    state.counters["fields/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

void full_search_on_noise(benchmark::State& state, SimdLevel level, int candidates, std::uint32_t lambda) {
    set_simd_level(level);
    SearchParams params;
    params.range_x = params.range_y = 32;
    params.candidates = candidates;
    params.lambda_q8 = lambda;
    params.brute_force = true;
    MotionRequest request{noise(1920, 1080, 1), noise(1920, 1080, 2), params, nullptr};
    request.end_row = 8; // Of 68: enough for a rate.
    request.first_row = 3;
    const auto estimator = make_cpu_estimator(1);
    MotionField field;
    for (auto _ : state)
        field = estimator->estimate(request);
    const double blocks = static_cast<double>(field.columns()) * (request.end_row - request.first_row);
    state.counters["SAD/s"] =
        benchmark::Counter(blocks * positions(params), benchmark::Counter::kIsIterationInvariantRate);
    set_simd_level(best_simd_level());
}

void half_pel_planes(benchmark::State& state, SimdLevel level) {
    set_simd_level(level);
    const FramePtr frame = noise(1920, 1080, 1);
    for (auto _ : state)
        benchmark::DoNotOptimize(SubpelPlanes(frame->luma().view(), 2, Interpolation::bilinear));
    set_simd_level(best_simd_level());
}

void refinement(benchmark::State& state, SimdLevel level, int candidates) {
    set_simd_level(level);
    SearchParams params;
    params.algorithm = Algorithm::three_step;
    params.candidates = candidates;
    const FramePtr current = noise(1920, 1080, 1), reference = noise(1920, 1080, 2);
    const MotionField whole = make_cpu_estimator(1)->estimate({current, reference, params, nullptr});
    params.precision = 2;
    const SubpelPlanes planes(reference->luma().view(), 2, Interpolation::bilinear);
    for (auto _ : state) {
        MotionField field = whole;
        refine_subpel(current->luma().view(), planes, params, nullptr, 0, field.rows(), field);
    }
    state.counters["blocks/s"] = benchmark::Counter(static_cast<double>(whole.columns()) * whole.rows(),
                                                    benchmark::Counter::kIsIterationInvariantRate);
    set_simd_level(best_simd_level());
}

std::vector<FramePtr> first_pictures(const std::string& file, std::size_t count) {
    const auto source = open_source(file);
    std::vector<FramePtr> frames;
    while (frames.size() < count) {
        std::shared_ptr<Frame> frame = source->read();
        if (!frame) break;
        frames.push_back(std::move(frame));
    }
    return frames;
}

void full_search_on_clip(benchmark::State& state, const std::string& file, int range, int candidates,
                         std::uint32_t lambda, bool brute_force) {
    const std::vector<FramePtr> frames = first_pictures(file, 4);
    SearchParams params;
    params.range_x = params.range_y = range;
    params.candidates = candidates;
    params.lambda_q8 = lambda;
    params.brute_force = brute_force;
    const auto estimator = make_cpu_estimator(1);
    MotionField field;
    std::size_t picture = 1;
    for (auto _ : state) {
        field = estimator->estimate({frames[picture], frames[picture - 1], params, nullptr});
        picture = picture + 1 == frames.size() ? 1 : picture + 1;
    }
    report_rate(state, field, params);
}

/// H.264's seven sizes of one pair, in one call or in seven.
void seven_sizes_of_clip(benchmark::State& state, SimdLevel level, const std::string& file, Metric metric,
                         int candidates, bool together) {
    static constexpr BlockSize sizes[] = {{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};
    set_simd_level(level);
    const std::vector<FramePtr> frames = first_pictures(file, 2);
    MotionRequest request{frames.back(), frames.front(), {}, nullptr};
    request.params.range_x = request.params.range_y = 32;
    request.params.metric = metric;
    request.params.candidates = candidates;
    request.params.lambda_q8 = candidates > 1 ? 1024 : 0;
    const auto estimator = make_cpu_estimator(1);
    for (auto _ : state) {
        if (together) benchmark::DoNotOptimize(estimator->estimate_sizes(request, sizes));
        for (std::size_t i = 0; i < std::size(sizes) && !together; ++i) {
            request.params.block_width = sizes[i].width;
            request.params.block_height = sizes[i].height;
            benchmark::DoNotOptimize(estimator->estimate(request));
        }
    }
    set_simd_level(best_simd_level());
}

void register_sizes(const std::string& clip, const std::string& file) {
    for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
        if (level > best_simd_level()) continue;
        for (const auto& [metric_name, metric] : metric_names) {
            for (const int candidates : {1, 4}) {
                for (const bool together : {false, true}) {
                    const std::string name = "seven_sizes/" + clip + "/" + std::string(metric_name) +
                                             "/K:" + std::to_string(candidates) + "/" + std::string(name_of(level)) +
                                             (together ? "/together" : "/one_by_one");
                    benchmark::RegisterBenchmark(name.c_str(), seven_sizes_of_clip, level, file, metric, candidates,
                                                 together)
                        ->Unit(benchmark::kMillisecond);
                }
            }
        }
    }
}

void register_clips() {
    const char* folder = std::getenv("TANDEM_CLIPS");
    if (!folder) return;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".y4m") continue;
        register_sizes(entry.path().stem().string(), entry.path().string());
        for (const bool brute : {true, false}) {
            for (const int candidates : {1, 4}) {
                const std::string name = "full/" + entry.path().stem().string() +
                                         "/range:32/K:" + std::to_string(candidates) +
                                         (brute ? "/brute" : "/eliminating");
                benchmark::RegisterBenchmark(name.c_str(), full_search_on_clip, entry.path().string(), 32, candidates,
                                             candidates > 1 ? 1024u : 0u, brute)
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
}

void register_kernels() {
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
        if (level > best_simd_level()) continue;
        const std::string suffix = "/" + std::string(name_of(level));
        for (const int candidates : {1, 4}) {
            const std::string k = "/K:" + std::to_string(candidates);
            benchmark::RegisterBenchmark(("brute_full_16x16_range_32_noise" + k + suffix).c_str(), full_search_on_noise,
                                         level, candidates, candidates > 1 ? 1024u : 0u)
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("half_pel_refinement_16x16" + k + suffix).c_str(), refinement, level,
                                         candidates)
                ->Unit(benchmark::kMillisecond);
        }
        benchmark::RegisterBenchmark(("half_pel_planes_1080p" + suffix).c_str(), half_pel_planes, level)
            ->Unit(benchmark::kMillisecond);
    }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    register_kernels();
    register_clips();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
