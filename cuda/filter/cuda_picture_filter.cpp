// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/filter/cuda_picture_filter.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "coding/filter/filter_arithmetic.h"
#include "cuda/device/memory_parts.h"

namespace tandem::cuda {

namespace {

/// A filtered picture and its neighbours, and those of the next one.
constexpr std::size_t most_pictures = 2 * (most_filter_neighbours + 1);

/// What the host says of macroblocks.
struct InputParts {
    std::uint32_t* intra;
    float* strength;
    std::array<PredictedCost*, most_filter_neighbours> motion;

    InputParts(MemoryParts& parts, const FilterInput& input)
        : intra(parts.take<std::uint32_t>(input.intra.size())), strength(parts.take<float>(input.strength.size())) {
        for (std::size_t i = 0; i < input.neighbours.size(); ++i)
            motion[i] = parts.take<PredictedCost>(input.neighbours[i].motion.size());
    }
};

} // namespace

CudaPictureFilter::CudaPictureFilter(const DeviceInfo& device)
    : device_(device), freed_memory_(device.ordinal), pictures_(most_pictures), stream_(stream_on(device.ordinal)) {}

std::string CudaPictureFilter::name() const { return name_of(device_); }

FramePtr CudaPictureFilter::filtered(const FilterInput& input) {
    if (is_left_alone(input)) return input.picture;
    use_device(device_.ordinal);
    const Frame& picture = *input.picture;
    auto filtered = std::make_shared<Frame>(picture.width(), picture.height());
    FilterTask task{};
    task.columns = picture.width() / macroblock_side;
    task.rows = picture.height() / macroblock_side;
    task.half_inverse_variance = half_inverse_variance(input.quantiser);
    for (std::size_t i = 0; i < fine_tap_weights().size(); ++i)
        std::ranges::copy(fine_tap_weights()[i], task.taps[i]);
    const DevicePicture made(*pool_, task.columns, task.rows);
    const DrainOnFailure drain(stream_);
    task.filtered = made.planes;
    task.picture = uploaded(input.picture);
    upload_motion(input, task);
    launch_filter(task, stream_.get());
    download_planes(constant(made.planes), *filtered, stream_);
    stream_.synchronise();
    return filtered;
}

SamplePlanes CudaPictureFilter::uploaded(const FramePtr& picture) {
    const auto copy = pictures_.get(picture, [&] {
        auto made = std::make_shared<DevicePicture>(*pool_, picture->width() / macroblock_side,
                                                    picture->height() / macroblock_side);
        const DrainOnFailure drain(stream_);
        upload_planes(*picture, made->planes, stream_);
        return made;
    });
    return constant(copy->planes);
}

/// The neighbours, too.
void CudaPictureFilter::upload_motion(const FilterInput& input, FilterTask& task) {
    MemoryParts sizes;
    const InputParts needed(sizes, input);
    MemoryParts staged_parts(staged_input_.reserve(sizes.bytes())), parts(input_.reserve(sizes.bytes()));
    const InputParts staged(staged_parts, input), there(parts, input);
    std::ranges::copy(input.intra, staged.intra);
    std::ranges::copy(input.strength, staged.strength);
    task.intra = there.intra;
    task.strength = there.strength;
    task.neighbours = static_cast<int>(input.neighbours.size());
    for (std::size_t i = 0; i < input.neighbours.size(); ++i) {
        const FilterNeighbour& neighbour = input.neighbours[i];
        std::ranges::copy(neighbour.motion, staged.motion[i]);
        task.neighbour[i] = {uploaded(neighbour.picture), there.motion[i], nearness_of(neighbour.distance)};
    }
    copy_to_device(input_.data(), staged_input_.data(), sizes.bytes(), stream_);
}

} // namespace tandem::cuda
