// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/kernel_cases.h"

#include <algorithm>

#include "cuda/benchmark/scene.h"
#include "cuda/benchmark/timing.h"
#include "cuda/kernels.h"
#include "cuda/requests/device_search.h"
#include "me/block.h"

namespace tandem::cuda {

namespace {

/// Pictures take turns, so that no search finds all of its samples where the one before left them.
constexpr int least_pictures = 4;

class TimedCase {
  public:
    TimedCase(const KernelCase& kernel_case, Stream& stream) : case_(kernel_case), stream_(stream) {
        for (int i = 0; i < pictures_; ++i) {
            DeviceFrame frame(pool_);
            words_.push_back(frame.words(*moving_picture(case_.width, case_.height, i),
                                         {word_plane_margin, case_.grid_shift}, ring_, stream, stream));
            const PictureNeeds needs = needs_of(params(), case_.width, case_.height);
            if (needs.levels > 0) levels_.push_back(frame.levels(needs.levels, 0, stream, stream));
            if (needs.layers > 0) layers_.push_back(frame.layers(needs.layers, stream, stream));
            stream.synchronise();
        }
        make_task();
        make_plan();
    }

    KernelTimes times() {
        KernelTimes times;
        const int fields = std::max(1, case_.batch);
        times.milliseconds = milliseconds_of(stream_, [&](int call) { queue(call, true); }) / fields;
        times.search_milliseconds = milliseconds_of(stream_, [&](int call) { queue(call, false); }) / fields;
        times.words_milliseconds = words_time();
        if (case_.algorithm == Algorithm::full) times.differences = count_differences();
        return times;
    }

  private:
    void make_task() {
        task_.picture_width = case_.width;
        task_.picture_height = case_.height;
        task_.block_width = case_.block_width;
        task_.block_height = case_.block_height;
        task_.columns = (case_.width + case_.block_width - 1) / case_.block_width;
        task_.rows = (case_.height + case_.block_height - 1) / case_.block_height;
        const VectorLimits limits = vector_limits(params(), case_.width, case_.height);
        task_.range_x = limits.x;
        task_.range_y = limits.y;
        task_.metric = case_.metric;
        task_.lambda_q8 = 1000;
        task_.candidates = case_.candidates;
        task_.grid_shift = case_.grid_shift;
        const std::size_t blocks = all_blocks();
        task_.found = found_.reserve(blocks * static_cast<std::size_t>(task_.candidates));
    }

    void make_plan() {
        if (case_.algorithm != Algorithm::full) return;
        plan_ = case_.batch > 0 ? plan_batch(task_, case_.batch)
                                : plan_full_search(task_, std::size_t{1} << 29,
                                                   has_integer_matrices() ? case_.matrices : Matrices::none);
        const std::vector<std::uint32_t> places = lane_places(plan_.first_thread);
        const std::size_t first_threads = plan_.first_thread.size();
        std::uint32_t* on_device = places_.reserve(first_threads + places.size());
        place(on_device, plan_.first_thread.data(), first_threads * sizeof(int));
        place(on_device + first_threads, places.data(), places.size() * sizeof(std::uint32_t));
        plan_.layout.first_thread = reinterpret_cast<const int*>(on_device);
        plan_.layout.thread_places = on_device + first_threads;
        reserve_memory();
    }

    static void place(void* device, const void* host, std::size_t bytes) {
        check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "placing threads");
    }

    std::size_t all_blocks() const {
        return static_cast<std::size_t>(task_.rows) * static_cast<std::size_t>(task_.columns) *
               static_cast<std::size_t>(std::max(1, case_.batch));
    }

    void reserve_memory() {
        const std::size_t blocks = all_blocks();
        const std::size_t stretches = blocks * static_cast<std::size_t>(task_.candidates);
        FullSearchLayout& layout = plan_.layout;
        layout.keys = keys_.reserve(plan_.keys_per_row * static_cast<std::size_t>(task_.rows));
        layout.selected = selected_.reserve(stretches);
        layout.stretch_distortions = stretch_distortions_.reserve(stretches * most_stretch_rows);
        layout.best = best_.reserve(blocks);
        fill(layout.best, 0xFF, blocks * sizeof(VectorKey), stream_);
    }

    void queue(int call, bool whole) {
        const auto current = static_cast<std::size_t>((call + 1) % pictures_);
        const auto reference = static_cast<std::size_t>(call % pictures_);
        task_.current = words_[current].planes.whole;
        task_.reference = words_[reference].planes;
        if (case_.batch > 0) {
            queue_batch(call, whole);
        } else if (const DeviceSearch* search = device_search(params()); search->queue != nullptr) {
            search->queue(params(), task_, pictures(current, reference), memory_, stream_);
        } else {
            queue_full_sweep(task_, plan_, correlation_.reserve(plan_.correlation_bytes), stream_);
            if (whole) queue_full_end(task_, plan_, stream_);
        }
        if (whole && case_.precision > 1 && case_.batch == 0) launch_refine(task_, case_.precision, 0, stream_.get());
    }

    SearchPictures pictures(std::size_t current, std::size_t reference) const {
        SearchPictures pictures;
        if (!levels_.empty()) pictures.pyramids = {levels_[current], levels_[reference]};
        if (!layers_.empty()) pictures.layers = {layers_[current], layers_[reference]};
        return pictures;
    }

    void queue_batch(int call, bool whole) {
        PictureBatch batch;
        for (; batch.count < case_.batch; ++batch.count) {
            const WordPlane& current =
                words_[static_cast<std::size_t>((call + batch.count + 1) % pictures_)].planes.whole;
            const WordPlane& reference =
                words_[static_cast<std::size_t>((call + batch.count) % pictures_)].planes.whole;
            batch.picture[batch.count] = {current.origin, reference.origin, current.stride};
        }
        launch_full_sad_batch(task_, plan_.layout, plan_.tile, batch, stream_.get());
        if (whole) launch_write_best(blocks_of_batch(task_, batch.count), plan_.layout, stream_.get());
        if (whole && case_.precision > 1) launch_refine_batch(task_, batch, case_.precision, 0, stream_.get());
    }

    double words_time() {
        WordPlanes planes = words_[0].planes;
        const int pitch = (case_.width + 63) / 64 * 64;
        const std::size_t bytes = static_cast<std::size_t>(pitch) * static_cast<std::size_t>(case_.height);
        DeviceBuffer<std::uint8_t> samples;
        check(cudaMemset(samples.reserve(bytes), 77, bytes), "filling a picture");
        const auto count = static_cast<std::size_t>(planes.plane_words) << (2 * case_.grid_shift);
        DeviceBuffer<std::uint32_t> words;
        std::uint32_t* origin =
            words.reserve(count) + std::ptrdiff_t{word_plane_margin} * planes.whole.stride + word_plane_margin;
        planes.whole.origin = origin;
        return milliseconds_of(stream_, [&](int) {
            launch_make_words(samples.data(), pitch, case_.width, case_.height, word_plane_margin, origin,
                              planes.whole.stride, stream_.get());
            if (case_.grid_shift > 0)
                launch_make_fractions(planes, case_.width, case_.height, word_plane_margin, stream_.get());
        });
    }

    SearchParams params() const {
        SearchParams params;
        params.algorithm = case_.algorithm;
        params.range_x = case_.range_x;
        params.range_y = case_.range_y;
        params.precision = case_.precision;
        return params;
    }

    /// Over the windows as the boundary cuts them.
    double count_differences() const {
        const MotionField field(case_.width, case_.height, case_.block_width, case_.block_height, 1);
        const int grid = 1 << case_.grid_shift;
        double sum = 0;
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                const BlockRect block = block_rect(field, column, row);
                const Window window = search_window(block, case_.width, case_.height, params());
                sum += static_cast<double>((window.max_x - window.min_x) * grid + 1) *
                       ((window.max_y - window.min_y) * grid + 1) * block.samples();
            }
        }
        return sum;
    }

    const KernelCase& case_;
    Stream& stream_;
    const int pictures_ = std::max(least_pictures, case_.batch + 1);
    std::shared_ptr<DevicePool> pool_ = std::make_shared<DevicePool>();
    UploadRing ring_;
    std::vector<HeldWords> words_;
    std::vector<std::vector<HeldLevel>> levels_;
    std::vector<HeldLayers> layers_;
    SearchMemory memory_;
    SearchTask task_;
    FullSearchPlan plan_;
    DeviceBuffer<std::uint8_t> correlation_;
    DeviceBuffer<std::uint32_t> places_, stretch_distortions_;
    DeviceBuffer<VectorKey> keys_, selected_, best_;
    DeviceBuffer<Candidate> found_;
};

} // namespace

KernelTimes time_kernels(const KernelCase& kernel_case, Stream& stream) {
    return TimedCase(kernel_case, stream).times();
}

} // namespace tandem::cuda
