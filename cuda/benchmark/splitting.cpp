// SPDX-License-Identifier: BSD-2-Clause
// Fields per second through the coprocessor on 1, 2, 4, ... GPUs: whole pictures to each, bands of one picture, and one
// picture at a time. Pictures come from host memory, each is new to the devices, fields go back to host memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>

#include "cuda/benchmark/scene.h"
#include "cuda/devices.h"
#include "me/coprocessor.h"
#include "video/errors.h"
#include "video/workers.h"

namespace tandem::cuda {
namespace {

struct Size {
    const char* name;
    int width, height, pictures;
};
// Each GPU keeps 48 frames at most, so four of them need more than 192 for every picture to be a new one.
constexpr Size sizes[] = {{"720x480", 720, 480, 800}, {"1920x1080", 1920, 1080, 400}, {"3840x2160", 3840, 2160, 240}};

/// Few are drawn, and repeated in frames of their own: a frame that comes again is a new one to the caches.
std::vector<FramePtr> make_pictures(const Size& size, int count) {
    std::vector<FramePtr> drawn, pictures;
    for (int i = 0; i < std::min(count, 12); ++i)
        drawn.push_back(moving_picture(size.width, size.height, i));
    for (int i = 0; i < count; ++i) {
        auto copy = std::make_shared<Frame>(size.width, size.height);
        copy_and_extend(drawn[static_cast<std::size_t>(i) % drawn.size()]->luma().view(), copy->plane(0).view());
        pictures.push_back(std::move(copy));
    }
    return pictures;
}

std::vector<std::unique_ptr<Estimator>> open_gpus(int count) {
    std::vector<int> ordinals;
    for (int i = 0; i < count; ++i)
        ordinals.push_back(i);
    std::string why_not;
    auto gpus = make_gpu_estimators(&why_not, ordinals);
    if (gpus.size() != ordinals.size()) throw RunError(why_not);
    return gpus;
}

struct Way {
    const char* name;
    Split split;
    bool cpu_shares;
    std::size_t at_once; ///< Requests under way, for each GPU; 0: one in all.
};
constexpr Way ways[] = {{"pictures", Split::pictures, false, 16},
                        {"bands", Split::bands, false, 16},
                        {"one at a time", Split::pictures, false, 0},
                        {"one at a time, bands", Split::bands, false, 0},
                        {"pictures, CPU too", Split::pictures, true, 16}};

double fields_per_second(const Way& way, int gpus, const SearchParams& params, const std::vector<FramePtr>& pictures,
                         double seconds) {
    const std::size_t at_once = std::max<std::size_t>(1, way.at_once * static_cast<std::size_t>(gpus));
    CoprocessorOptions options;
    options.split = way.split;
    options.fallback_shares = way.cpu_shares;
    options.queue_capacity = at_once;
    Coprocessor motion(open_gpus(gpus), make_cpu_estimator(available_threads()), options);
    std::deque<std::future<MotionResult>> under_way;
    const auto wait_for_all = [&] {
        for (; !under_way.empty(); under_way.pop_front())
            under_way.front().get();
    };
    std::size_t next = 1;
    const auto search_for = [&](double least_seconds, std::size_t least_pictures) {
        const auto begin = std::chrono::steady_clock::now();
        const auto elapsed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        const std::size_t first = next;
        for (; next - first < least_pictures || elapsed() < least_seconds; ++next) {
            const std::size_t count = pictures.size();
            under_way.push_back(motion.submit({pictures[next % count], pictures[(next - 1) % count], params, nullptr}));
            if (under_way.size() < at_once) continue;
            under_way.front().get();
            under_way.pop_front();
        }
        wait_for_all();
        return static_cast<double>(next - first) / elapsed();
    };
    search_for(0, pictures.size()); // Warms up: memory, kernels, and the CPU's share.
    const double rate = search_for(seconds, 1);
    if (motion.backend_names().size() != static_cast<std::size_t>(gpus) + 1) throw RunError("a GPU failed");
    return rate;
}

void print_size(const Size& size, int most_gpus, bool quick) {
    SearchParams params;
    params.range_x = params.range_y = 32;
    params.lambda_q8 = 1000;
    const std::vector<FramePtr> pictures = make_pictures(size, size.pictures);
    for (const Way& way : ways) {
        std::printf("%-10s %-22s", size.name, way.name);
        double alone = 0;
        for (int gpus = 1; gpus <= most_gpus; gpus *= 2) {
            const double rate = fields_per_second(way, gpus, params, pictures, quick ? 0.1 : 0.7);
            if (gpus == 1) alone = rate;
            std::printf(" %9.0f %5.2f", rate, rate / alone);
            std::fflush(stdout);
        }
        std::printf("\n");
    }
}

void run(bool quick) {
    const DeviceList list = list_devices();
    if (!list.why_none.empty()) throw RunError(list.why_none);
    const auto count = static_cast<int>(list.devices.size());
    std::printf("%d x %s; 16x16 SAD +-32; fields/s and speed-up on 1, 2, 4, ... GPUs\n", count,
                list.devices.front().name.c_str());
    for (const Size& size : sizes)
        print_size(size, count, quick);
}

} // namespace
} // namespace tandem::cuda

int main(int count, char** arguments) {
    try {
        const bool quick = count == 2 && std::strcmp(arguments[1], "--quick") == 0;
        if (count > 1 && !quick) {
            std::fprintf(stderr, "usage: tandem_split_bench [--quick]\n");
            return 2;
        }
        tandem::cuda::run(quick);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem_split_bench: %s\n", error.what());
        return 1;
    }
}
