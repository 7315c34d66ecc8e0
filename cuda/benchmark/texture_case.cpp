// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/texture_case.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "cuda/benchmark/scene.h"
#include "cuda/benchmark/timing.h"
#include "cuda/device/device_frame.h"
#include "cuda/kernels.h"
#include "cuda/texture/texture.h"

namespace tandem::cuda {

namespace {

/// How often a difference occurs, in bins of 16 about 0.
class Histogram {
  public:
    void add(int difference) {
        ++bins_[static_cast<int>(std::lround(difference / 16.0))];
        least_ = std::min(least_, difference);
        greatest_ = std::max(greatest_, difference);
        ++count_;
    }
    void print(const char* name) const {
        std::printf("  %s, %zu differences of %d to %d;", name, count_, least_, greatest_);
        for (const auto& [bin, times] : bins_) {
            const double share = 100 * static_cast<double>(times) / static_cast<double>(count_);
            if (share >= 0.1) std::printf(" %d: %.1f %%", 16 * bin, share);
        }
        std::printf("\n");
    }

  private:
    std::map<int, std::size_t> bins_;
    int least_ = INT_MAX, greatest_ = INT_MIN;
    std::size_t count_ = 0;
};

/// Two pictures of 1080p on the device.
class Textures {
  public:
    explicit Textures(Stream& stream) : stream_(stream) {
        DeviceFrame current(pool_), reference(pool_);
        current_ =
            current.words(*moving_picture(hd_width, hd_height, 1), {word_plane_margin, 0}, ring_, stream, stream);
        stream.synchronise();
        reference_ =
            reference.words(*moving_picture(hd_width, hd_height, 0), {word_plane_margin, 0}, ring_, stream, stream);
        samples_ = reference.layers(1, stream, stream);
        stream.synchronise();
        texture_ = Texture(samples_.layers.layer[0]);
    }

    SearchTask task(int block_width, int block_height, int range_x, int range_y, int grid_shift) {
        SearchTask task;
        task.current = current_.planes.whole;
        task.reference = reference_.planes;
        task.picture_width = hd_width;
        task.picture_height = hd_height;
        task.block_width = block_width;
        task.block_height = block_height;
        task.columns = (hd_width + block_width - 1) / block_width;
        task.rows = (hd_height + block_height - 1) / block_height;
        task.range_x = range_x;
        task.range_y = range_y;
        task.grid_shift = grid_shift;
        task.lambda_q8 = 1000;
        task.found = found_.reserve(blocks_of(task));
        return task;
    }

    void print_full(const char* name, const SearchTask& task) {
        VectorKey* best = best_.reserve(blocks_of(task));
        const double ms = milliseconds_of(
            stream_,
            [&](int) {
                fill(best, 0xFF, blocks_of(task) * sizeof(VectorKey), stream_);
                launch_texture_full(task, texture_.get(), best, stream_.get());
            },
            3);
        std::printf("%-40s %8.1f us by textures\n", name, ms * 1e3);
    }

    void print_refinement(int precision) {
        const SearchTask refined = task(16, 16, 32, 32, 0);
        launch_walk(refined, walks::hexagon, {}, stream_.get());
        const double packed =
            milliseconds_of(stream_, [&](int) { launch_refine(refined, precision, 0, stream_.get()); });
        launch_walk(refined, walks::hexagon, {}, stream_.get());
        const double fetched = milliseconds_of(
            stream_, [&](int) { launch_texture_refine(refined, precision, 0, texture_.get(), stream_.get()); });
        std::printf("refinement to 1/%d, 1080p 16x16            %8.1f us by textures, %8.1f us packed\n", precision,
                    fetched * 1e3, packed * 1e3);
    }

    /// SADs of all blocks at every position between the samples of a pel, near zero.
    void print_differences(int precision) {
        const SearchTask all = task(16, 16, 32, 32, 0);
        std::vector<TwoSads> sads(blocks_of(all));
        Histogram rounded, unrounded;
        for (int fraction = 1; fraction < precision * precision; ++fraction) {
            const int step = eighths_per_pel / precision;
            const Mv mv{static_cast<std::int16_t>(fraction % precision * step),
                        static_cast<std::int16_t>(fraction / precision * step)};
            launch_two_sads(all, mv, texture_.get(), sads_.reserve(sads.size()), stream_.get());
            stream_.synchronise();
            check(cudaMemcpy(sads.data(), sads_.data(), sads.size() * sizeof(TwoSads), cudaMemcpyDeviceToHost),
                  "copying SADs");
            for (const TwoSads& both : sads) {
                rounded.add(static_cast<int>(both.fetched - both.packed));
                unrounded.add(static_cast<int>(std::lround(both.unrounded - static_cast<float>(both.packed))));
            }
        }
        std::printf("SAD by textures less SAD packed, 16x16 blocks, positions of 1/%d\n", precision);
        rounded.print("fetches rounded");
        unrounded.print("fetches as they come");
    }

  private:
    static std::size_t blocks_of(const SearchTask& task) {
        return static_cast<std::size_t>(task.rows) * static_cast<std::size_t>(task.columns);
    }

    Stream& stream_;
    std::shared_ptr<DevicePool> pool_ = std::make_shared<DevicePool>();
    UploadRing ring_;
    HeldWords current_, reference_;
    HeldLayers samples_;
    Texture texture_;
    DeviceBuffer<Candidate> found_;
    DeviceBuffer<VectorKey> best_;
    DeviceBuffer<TwoSads> sads_;
};

} // namespace

void print_textures(Stream& stream) {
    Textures textures(stream);
    textures.print_full("1080p 96x54 +-96,54 grid 1/2 (Massanes)", textures.task(96, 54, 96, 54, 1));
    textures.print_full("1080p 16x16 +-16 grid 1/2", textures.task(16, 16, 16, 16, 1));
    textures.print_full("1080p 16x16 +-16 grid 1/4", textures.task(16, 16, 16, 16, 2));
    for (const int precision : {2, 4, 8})
        textures.print_refinement(precision);
    for (const int precision : {2, 4, 8})
        textures.print_differences(precision);
    std::printf("\n");
}

} // namespace tandem::cuda
