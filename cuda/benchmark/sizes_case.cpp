// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/sizes_case.h"

#include <cstdio>

#include "cuda/benchmark/kernel_cases.h"
#include "cuda/benchmark/scene.h"
#include "cuda/benchmark/timing.h"
#include "cuda/requests/request_task.h"
#include "cuda/sizes/sizes_kernels.h"

namespace tandem::cuda {

namespace {

constexpr int pictures = 4;

/// Milliseconds of one pass for the shapes `first` .. `last`; of its first kernel alone in `search`.
double one_pass(Stream& stream, int range, std::span<const PartShape> shapes, double& search) {
    const auto pool = std::make_shared<DevicePool>();
    UploadRing ring;
    std::vector<HeldWords> words;
    for (int i = 0; i < pictures; ++i) {
        DeviceFrame frame(pool);
        words.push_back(
            frame.words(*moving_picture(hd_width, hd_height, i), {word_plane_margin, 0}, ring, stream, stream));
        stream.synchronise();
    }
    SearchParams params;
    params.range_x = params.range_y = range;
    params.lambda_q8 = 1000;
    SearchTask task = task_of(params, hd_width, hd_height, {0, (hd_height + macroblock_side - 1) / macroblock_side});
    std::vector<BlockSize> sizes;
    SizedFields fields;
    DeviceBuffer<Candidate> found;
    Candidate* next = found.reserve(std::size_t{hd_width} * hd_height / 4);
    for (const PartShape& shape : shapes) {
        sizes.push_back({shape.width, shape.height});
        const MotionField field(hd_width, hd_height, shape.width, shape.height, 1);
        fields.field[fields.count++] = {shape.first, field.columns(), field.rows(), next};
        next += field.all().size();
    }
    SizesPlan plan = plan_sizes(task, sizes);
    const std::vector<std::uint32_t> places = lane_places(plan.first_thread);
    DeviceBuffer<std::uint32_t> on_device;
    plan.layout.thread_places = on_device.reserve(places.size());
    check(cudaMemcpy(on_device.data(), places.data(), places.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
          "placing threads");
    DeviceBuffer<VectorKey> best;
    const std::size_t keys = static_cast<std::size_t>(task.rows) * static_cast<std::size_t>(task.columns) * part_count;
    plan.layout.best = best.reserve(keys);
    const auto queue = [&](int call, bool whole) {
        task.current = words[static_cast<std::size_t>((call + 1) % pictures)].planes.whole;
        task.reference = words[static_cast<std::size_t>(call % pictures)].planes;
        if (whole) fill(best.data(), 0xFF, keys * sizeof(VectorKey), stream);
        launch_full_sizes(task, plan.layout, plan.small_parts, stream.get());
        if (whole) launch_write_sizes(task, plan.layout, fields, stream.get());
    };
    search = milliseconds_of(stream, [&](int call) { queue(call, false); });
    return milliseconds_of(stream, [&](int call) { queue(call, true); });
}

double one_after_the_other(Stream& stream, int range, std::span<const PartShape> shapes) {
    double sum = 0;
    for (const PartShape& shape : shapes)
        sum += time_kernels({"", hd_width, hd_height, shape.width, shape.height, range, range, 1}, stream).milliseconds;
    return sum;
}

} // namespace

void print_sizes(Stream& stream) {
    const std::span<const PartShape> all(part_shapes), from_eight = all.subspan(3);
    std::printf("sizes, 1080p by SAD                       one pass, us  search  one after the other\n");
    for (const int range : {16, 32, 64}) {
        for (const auto& shapes : {all, from_eight}) {
            double search = 0;
            const double together = one_pass(stream, range, shapes, search);
            std::printf("%d sizes, %dx%d to 16x16, +-%-19d %9.1f %7.1f %12.1f\n", static_cast<int>(shapes.size()),
                        shapes.front().width, shapes.front().height, range, together * 1e3, search * 1e3,
                        one_after_the_other(stream, range, shapes) * 1e3);
            std::fflush(stdout);
        }
    }
}

} // namespace tandem::cuda
