// SPDX-License-Identifier: BSD-2-Clause
// Fields per second through the coprocessor on 1, 2, 4, ... GPUs: whole pictures to each, bands of one picture, and one
// picture at a time. Pictures come from host memory, page-locked as Tandem's own are (or not: --heap), each is new to
// the devices, fields go back to host memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <string_view>

#include "cuda/benchmark/scene.h"
#include "cuda/device/devices.h"
#include "cuda/device/page_locked_samples.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem::cuda {
namespace {

struct Size {
    const char* name;
    int width, height, pictures;
};
// Each GPU keeps 48 frames at most, so four of them need more than 192 for every picture to be a new one.
constexpr Size sizes[] = {{"720x480", 720, 480, 800}, {"1920x1080", 1920, 1080, 400}, {"3840x2160", 3840, 2160, 240}};

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
constexpr Way ways[] = {{"pictures", Split::pictures, false, 32},
                        {"bands", Split::bands, false, 32},
                        {"one at a time", Split::pictures, false, 0},
                        {"one at a time, bands", Split::bands, false, 0},
                        {"pictures, CPU too", Split::pictures, true, 32}};

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

struct Options {
    bool quick = false;
    bool from_heap = false; ///< Pictures in memory that is not page-locked.
    std::string_view way;   ///< Only this; empty: all.
};

/// Of an odd number of values.
double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Medians of rounds in which one, two, four, ... GPUs take turns.
void print_way(const Size& size, const Way& way, const std::vector<FramePtr>& pictures, int most_gpus, bool quick) {
    SearchParams params;
    params.range_x = params.range_y = 32;
    params.lambda_q8 = 1000;
    std::map<int, std::vector<double>> rates;
    for (int round = 0; round < (quick ? 1 : 3); ++round) {
        for (int gpus = 1; gpus <= most_gpus; gpus *= 2)
            rates[gpus].push_back(fields_per_second(way, gpus, params, pictures, quick ? 0.1 : 0.4));
    }
    std::printf("%-10s %-22s", size.name, way.name);
    for (const auto& [gpus, rounds] : rates)
        std::printf(" %9.0f %5.2f", median(rounds), median(rounds) / median(rates[1]));
    std::printf("\n");
    std::fflush(stdout);
}

void run(const Options& options) {
    const DeviceList list = list_devices();
    if (!list.why_none.empty()) throw RunError(list.why_none);
    const auto count = static_cast<int>(list.devices.size());
    std::printf("%d x %s; 16x16 SAD +-32; fields/s and speed-up on 1, 2, 4, ... GPUs\n", count,
                list.devices.front().name.c_str());
    for (const Size& size : sizes) {
        if (options.from_heap)
            use_sample_memory(nullptr);
        else
            lock_pages_of_new_planes(list.devices.front().ordinal);
        const std::vector<FramePtr> pictures = new_pictures(size.width, size.height, size.pictures);
        for (const Way& way : ways) {
            if (options.way.empty() || options.way == way.name) print_way(size, way, pictures, count, options.quick);
        }
    }
}

/// False where the words are wrong.
bool read_options(int count, char** words, Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--quick")
            options.quick = true;
        else if (word == "--heap")
            options.from_heap = true;
        else if (word == "--way" && i + 1 < count)
            options.way = words[++i];
        else
            return false;
    }
    const auto is_named = [&](const Way& way) { return options.way == way.name; };
    return options.way.empty() || std::ranges::any_of(ways, is_named);
}

} // namespace
} // namespace tandem::cuda

int main(int count, char** arguments) {
    try {
        tandem::cuda::Options options;
        if (!tandem::cuda::read_options(count, arguments, options)) {
            std::fprintf(
                stderr,
                "usage: tandem_split_bench [--quick] [--heap] [--way NAME], a name of the table's second column\n");
            return 2;
        }
        tandem::cuda::run(options);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem_split_bench: %s\n", error.what());
        return 1;
    }
}
