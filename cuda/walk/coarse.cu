// SPDX-License-Identifier: BSD-2-Clause
// The coarse search of a whole picture, a launch for each level: me/search/levels/coarse_motion.cpp on the device. On
// the smallest level, with few cells and many vectors, a group of threads has a cell; on the others a warp.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/kernels.h"
#include "cuda/walk/picture_of_batch.cuh"
#include "cuda/walk/warp_walk.cuh"
#include "cuda/warp_reduction.cuh"

namespace tandem::cuda {

namespace {

constexpr int smallest_warps = 8; ///< Of a group of threads on the smallest level.

template <Metric metric> class CoarseCell {
  public:
    __device__ CoarseCell(const SearchTask& task, const CoarseLevel& level, CellPlace place)
        : task_(task), reference_(level.pictures.reference), number_(level.number), area_(area_of(level, place)),
          vectors_(vectors_of(task, level, area_)), current_(level.pictures.current, area_.x, area_.y) {}

    __device__ const VectorArea& vectors() const { return vectors_; }

    /// By one lane.
    __device__ VectorKey measure(Position own) const {
        return key(own, whole_distortion<metric>(current_, reference(own), area_.width, area_.height));
    }
    /// By four neighbouring lanes, of which each calls this with its number, and all of the warp; no key where the
    /// position does not exist.
    __device__ VectorKey measure_by_four(Position own, bool exists, int part) const {
        const std::uint32_t share =
            exists ? share_of_distortion<metric>(current_, reference(own), area_.width, area_.height, part, 4) : 0;
        const std::uint32_t distortion = sum_of_shares(share, 4);
        return exists ? key(own, distortion) : no_vector_key;
    }

  private:
    static __device__ BlockArea area_of(const CoarseLevel& level, CellPlace place) {
        const int x = place.column * coarse_cell_side, y = place.row * coarse_cell_side;
        return {x, y, min(coarse_cell_side, level.pictures.width - x),
                min(coarse_cell_side, level.pictures.height - y)};
    }

    static __device__ VectorArea vectors_of(const SearchTask& task, const CoarseLevel& level, const BlockArea& area) {
        SearchTask scaled = task;
        scaled.grid_shift = 0;
        scaled.range_x = level.limit_x;
        scaled.range_y = level.limit_y;
        scaled.picture_width = level.pictures.width;
        scaled.picture_height = level.pictures.height;
        return vector_area(scaled, area);
    }

    __device__ WholeSamples reference(Position own) const { return {reference_, area_.x + own.x, area_.y + own.y}; }

    /// The rate is that of the vector at full size, against zero.
    __device__ VectorKey key(Position own, std::uint32_t distortion) const {
        const int shift = number_ + 3;
        const Mv mv{static_cast<std::int16_t>(own.x * (1 << shift)), static_cast<std::int16_t>(own.y * (1 << shift))};
        return vector_key(cost_of(distortion, rate_of_mv(task_, mv, {}) >> coarse_rate_shift), own.x, own.y);
    }

    const SearchTask& task_;
    const WordPlane& reference_;
    int number_;
    BlockArea area_;
    VectorArea vectors_;
    WholeSamples current_;
};

template <Metric metric>
__device__ void search_smallest(const SearchTask& task, const CoarseLevel& level, CellPlace place) {
    __shared__ VectorKey best_of_warp[smallest_warps];
    const CoarseCell<metric> cell(task, level, place);
    const VectorArea& area = cell.vectors();
    const int width = area.width(), count = width * (area.max_y - area.min_y + 1);
    VectorKey best = no_vector_key;
    for (int number = static_cast<int>(threadIdx.x); number < count; number += 32 * smallest_warps)
        best = min(best, cell.measure({area.min_x + number % width, area.min_y + number / width}));
    best = least(best);
    if (threadIdx.x % 32 == 0) best_of_warp[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < smallest_warps; ++warp)
        best = min(best, best_of_warp[warp]);
    level.found[place.row * level.columns + place.column] = position_of_key(best);
}

/// That are searched.
TANDEM_HOST_DEVICE inline int cells_of(const CoarseLevel& level) {
    return level.columns * (level.end_row - level.first_row);
}
/// Of one of them, by rows.
__device__ CellPlace place_of(const CoarseLevel& level, int number) {
    return {number % level.columns, level.first_row + number / level.columns};
}

template <Metric metric>
__global__ void __launch_bounds__(32 * smallest_warps) coarse_smallest(const SearchTask task, const CoarseLevel level) {
    search_smallest<metric>(task, level, place_of(level, static_cast<int>(blockIdx.x)));
}

__global__ void __launch_bounds__(32 * smallest_warps)
    coarse_smallest_batch(const __grid_constant__ SearchTask task, const __grid_constant__ CoarseLevel level,
                          const __grid_constant__ PictureBatch batch) {
    const CoarseLevel own = level_of_picture(level, batch, number_of_picture());
    search_smallest<Metric::sad>(task, own, place_of(own, static_cast<int>(blockIdx.x)));
}

/// Of a lane's group of four: group 0 has zero, the next ones the cells of the level before.
__device__ bool start_of(const CoarseCells& before, CellPlace place, int group, const VectorArea& area,
                         Position& start) {
    start = {0, 0};
    if (group == 0) return true;
    const CellPlace coarser = coarser_cell(place, group - 1);
    if (group > coarser_cells || !has_cell(before, coarser)) return false;
    start = doubled(vector_of(before, coarser), area);
    return true;
}

template <Metric metric>
__device__ void search_finer(const SearchTask& task, const CoarseLevel& level, const CoarseCells& before) {
    const int number = WarpBlock<metric>::number();
    if (number >= cells_of(level)) return;
    const CellPlace place = place_of(level, number);
    const CoarseCell<metric> cell(task, level, place);
    const int lane = static_cast<int>(threadIdx.x % 32), group = lane / 4, part = lane % 4;
    Position own;
    const bool exists = start_of(before, place, group, cell.vectors(), own);
    const VectorKey start = least(cell.measure_by_four(own, exists, part));
    const Position centre = position_of_key(start);
    const int neighbour = group < 4 ? group : group + 1; // Of nine, without the middle.
    own = {centre.x + neighbour % 3 - 1, centre.y + neighbour / 3 - 1};
    const VectorKey about = least(cell.measure_by_four(own, cell.vectors().contains(own), part));
    if (lane == 0) level.found[place.row * level.columns + place.column] = position_of_key(min(start, about));
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads)
    coarse_finer(const SearchTask task, const CoarseLevel level, const CoarseCells before) {
    search_finer<metric>(task, level, before);
}

__global__ void __launch_bounds__(warp_kernel_threads)
    coarse_finer_batch(const __grid_constant__ SearchTask task, const __grid_constant__ CoarseLevel level,
                       const __grid_constant__ CoarseCells before, const __grid_constant__ PictureBatch batch) {
    const int number = number_of_picture();
    const CoarseLevel own = level_of_picture(level, batch, number);
    search_finer<Metric::sad>(task, own, cells_of_picture(before, number));
}

unsigned finer_groups(const CoarseLevel& level) {
    return static_cast<unsigned>((cells_of(level) + warps_per_group - 1) / warps_per_group);
}

} // namespace

void launch_coarse_smallest(const SearchTask& task, const CoarseLevel& level, cudaStream_t stream) {
    const auto groups = static_cast<unsigned>(cells_of(level));
    by_metric(task.metric, [&](auto metric) {
        coarse_smallest<decltype(metric)::value><<<groups, 32 * smallest_warps, 0, stream>>>(task, level);
    });
    check_launch("the smallest level of a coarse search");
}

void launch_coarse_smallest_batch(const SearchTask& task, const CoarseLevel& level, const PictureBatch& batch,
                                  cudaStream_t stream) {
    const dim3 groups(static_cast<unsigned>(cells_of(level)), static_cast<unsigned>(batch.count));
    coarse_smallest_batch<<<groups, 32 * smallest_warps, 0, stream>>>(task, level, batch);
    check_launch("the smallest level of a coarse search of several pictures");
}

void launch_coarse_finer(const SearchTask& task, const CoarseLevel& level, const CoarseCells& before,
                         cudaStream_t stream) {
    const unsigned groups = finer_groups(level);
    by_metric(task.metric, [&](auto metric) {
        coarse_finer<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, level, before);
    });
    check_launch("a level of a coarse search");
}

void launch_coarse_finer_batch(const SearchTask& task, const CoarseLevel& level, const CoarseCells& before,
                               const PictureBatch& batch, cudaStream_t stream) {
    const dim3 groups(finer_groups(level), static_cast<unsigned>(batch.count));
    coarse_finer_batch<<<groups, warp_kernel_threads, 0, stream>>>(task, level, before, batch);
    check_launch("a level of a coarse search of several pictures");
}

} // namespace tandem::cuda
