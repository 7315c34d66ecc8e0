// SPDX-License-Identifier: BSD-2-Clause
// The peaks of correlations, a warp per block: PhaseCorrelation::peaks() and fit() on the device, and what they
// propose, measured. The fit is of single precision, which costs a thousandth of a sample.
#include "cuda/device/check.h"
#include "cuda/full/by_metric.h"
#include "cuda/phase/phase_kernels.h"
#include "cuda/phase/phase_windows.cuh"
#include "cuda/walk/warp_block.cuh"

namespace tandem::cuda {

namespace {

/// One window's correlation, which is cyclic.
class Correlation {
  public:
    __device__ Correlation(const float* values, int side_shift)
        : values_(values), shift_(side_shift), mask_((1 << side_shift) - 1) {}
    __device__ float at(int x, int y) const { return __ldg(values_ + ((y & mask_) << shift_) + (x & mask_)); }
    /// Whether no neighbour is higher; of equal ones the first in raster order is the peak.
    __device__ bool is_peak(int x, int y, float height) const {
        bool peak = true;
#pragma unroll
        for (int place = 0; place < 9; ++place) {
            const float other = at(x + place % 3 - 1, y + place / 3 - 1);
            peak = peak && (place == 4 || (place < 4 ? other < height : other <= height));
        }
        return peak;
    }

  private:
    const float* values_;
    int shift_, mask_;
};

struct Peak {
    int x = 0, y = 0;
    float height = 0;
};

/// The highest peaks so far, highest first, that of rank i in lane i. All lanes call its functions together.
class PeakList {
  public:
    __device__ PeakList(int capacity, int lane) : capacity_(capacity), lane_(lane) {}
    __device__ int size() const { return size_; }
    __device__ const Peak& own() const { return own_; }
    /// What a peak must exceed.
    __device__ float threshold() const {
        const float last = __shfl_sync(whole_warp, own_.height, capacity_ - 1);
        return size_ == capacity_ ? last : 0.0F;
    }
    /// Takes each lane's peak in the order of the lanes, where it has one.
    __device__ void offer_each(bool has_one, const Peak& peak) {
        for (unsigned waiting = __ballot_sync(whole_warp, has_one); waiting != 0; waiting &= waiting - 1) {
            const int from = __ffs(static_cast<int>(waiting)) - 1;
            offer({__shfl_sync(whole_warp, peak.x, from), __shfl_sync(whole_warp, peak.y, from),
                   __shfl_sync(whole_warp, peak.height, from)});
        }
    }

  private:
    __device__ void offer(const Peak& peak) {
        const int rank = __popc(__ballot_sync(whole_warp, lane_ < size_ && own_.height >= peak.height));
        if (rank >= capacity_) return;
        const int before = max(lane_ - 1, 0);
        const Peak moved{__shfl_sync(whole_warp, own_.x, before), __shfl_sync(whole_warp, own_.y, before),
                         __shfl_sync(whole_warp, own_.height, before)};
        if (lane_ >= rank) own_ = lane_ == rank ? peak : moved;
        size_ = min(size_ + 1, capacity_);
    }

    Peak own_;
    int capacity_, lane_;
    int size_ = 0;
};

/// The peaks with displacements in `allowed`, x and y inclusive.
__device__ void find_peaks(const Correlation& correlation, int side, const VectorArea& allowed, int lane,
                           PeakList& peaks) {
    const int min_x = max(allowed.min_x, -side / 2), max_x = min(allowed.max_x, side / 2 - 1);
    const int min_y = max(allowed.min_y, -side / 2), max_y = min(allowed.max_y, side / 2 - 1);
    if (max_x < min_x || max_y < min_y) return;
    const int width = max_x - min_x + 1, count = width * (max_y - min_y + 1);
    constexpr int at_once = 4; // Loads under way.
    for (int first = 0; first < count; first += 32 * at_once) {
        Peak own[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            const auto number = static_cast<unsigned>(first + 32 * i + lane);
            const auto down = static_cast<int>(number / static_cast<unsigned>(width));
            own[i] = {min_x + static_cast<int>(number) - down * width, min_y + down, 0};
            if (static_cast<int>(number) < count) own[i].height = correlation.at(own[i].x, own[i].y);
        }
#pragma unroll
        for (const Peak& peak : own) {
            bool is_high = peak.height > peaks.threshold();
            if (!__any_sync(whole_warp, is_high)) continue;
            if (is_high) is_high = correlation.is_peak(peak.x, peak.y, peak.height);
            peaks.offer_each(is_high, peak);
        }
    }
}

/// The closed form of the peak along one axis; near its centre by its series.
struct PeakShape {
    float value, slope;

    __device__ PeakShape(int side, int frequencies, float t) {
        constexpr float pi = 3.14159265F;
        const float scale = 1.0F / static_cast<float>(side);
        const float a = pi * static_cast<float>(frequencies) * scale, b = pi * scale;
        if (fabsf(t) < 0.02F) {
            const float curve = (a * a - b * b) / 3;
            value = 1 - t * t * curve / 2;
            slope = -t * curve;
            return;
        }
        float sin_a, cos_a, sin_b, cos_b;
        sincospif(static_cast<float>(frequencies) * scale * t, &sin_a, &cos_a);
        sincospif(scale * t, &sin_b, &cos_b);
        const float denominator = static_cast<float>(frequencies) * sin_b;
        value = sin_a / denominator;
        slope = (a * cos_a - value * static_cast<float>(frequencies) * b * cos_b) / denominator;
    }
};

/// The least squares' equations for how height, x and y of a peak change: the upper half of a symmetric matrix, and the
/// right side.
struct NormalEquations {
    float hh = 0, hx = 0, hy = 0, xx = 0, xy = 0, yy = 0, h = 0, x = 0, y = 0;

    __device__ void add(float by_height, float by_x, float by_y, float difference) {
        hh += by_height * by_height;
        hx += by_height * by_x;
        hy += by_height * by_y;
        xx += by_x * by_x;
        xy += by_x * by_y;
        yy += by_y * by_y;
        h += by_height * difference;
        x += by_x * difference;
        y += by_y * difference;
    }
    /// By Cramer's rule; no change where the equations do not tell.
    __device__ float3 solve() const {
        const float a = xx * yy - xy * xy, b = hy * xy - hx * yy, c = hx * xy - hy * xx;
        const float whole = hh * a + hx * b + hy * c;
        if (!(fabsf(whole) > 1e-12F)) return {0, 0, 0};
        const float d = hh * yy - hy * hy, e = hx * hy - hh * xy, f = hh * xx - hx * hx;
        return {(a * h + b * x + c * y) / whole, (b * h + d * x + e * y) / whole, (c * h + e * x + f * y) / whole};
    }
};

/// How far from its sample the peak is, x and y, by Gauss and Newton's steps.
__device__ float2 fit(const Correlation& correlation, int side, int band, const Peak& peak) {
    const int frequencies = 2 * band + 1;
    float samples[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
        samples[i] = correlation.at(peak.x + i % 3 - 1, peak.y + i / 3 - 1);
    float3 found{peak.height, 0, 0};
    for (int step = 0; step < 6; ++step) {
        NormalEquations equations;
#pragma unroll
        for (int y = 0; y < 3; ++y) {
            const PeakShape down(side, frequencies, static_cast<float>(y - 1) - found.z);
#pragma unroll
            for (int x = 0; x < 3; ++x) {
                const PeakShape across(side, frequencies, static_cast<float>(x - 1) - found.y);
                const float shape = across.value * down.value;
                equations.add(shape, -found.x * across.slope * down.value, -found.x * across.value * down.slope,
                              samples[3 * y + x] - found.x * shape);
            }
        }
        const float3 change = equations.solve();
        found = {found.x + change.x, fminf(fmaxf(found.y + change.y, -0.75F), 0.75F),
                 fminf(fmaxf(found.z + change.z, -0.75F), 0.75F)};
    }
    return {found.y, found.z};
}

/// A block's windows, and the displacements from theirs that lead to allowed ones.
struct BlockWindows {
    VectorArea pels; ///< Allowed vectors.
    Displacement moved;
    VectorArea allowed; ///< On the layer, from `moved`.

    __device__ BlockWindows(const SearchTask& task, const PhaseWindows& windows, int block, Displacement displacement) {
        const BlockArea area = area_of_block(task, block);
        pels = vector_area(task, area);
        moved = WindowPair(task, windows, area, displacement).moved();
        const auto up = [&](int value) { return -(-value >> windows.layer); };
        allowed = {(pels.min_x >> windows.layer) - moved.x, up(pels.max_x) - moved.x,
                   (pels.min_y >> windows.layer) - moved.y, up(pels.max_y) - moved.y};
    }
};

/// The warp's window of the batch; -1: none.
__device__ int window_of_warp(const SearchTask& task, const PhaseWindows& windows) {
    const auto number = static_cast<int>(blockIdx.x * warps_per_group + threadIdx.x / 32);
    return number < windows.batch && windows.first + number < task.rows * task.columns ? number : -1;
}

__global__ void __launch_bounds__(warp_kernel_threads)
    follow_peak(const SearchTask task, const PhaseWindows windows, const float* correlations) {
    const int number = window_of_warp(task, windows);
    if (number < 0 || windows.displacements[number].x == lost_displacement) return;
    const auto lane = static_cast<int>(threadIdx.x % 32);
    const BlockWindows block(task, windows, windows.first + number, windows.displacements[number]);
    const Correlation correlation(correlations + static_cast<std::size_t>(number) * windows.area(), windows.side_shift);
    PeakList peaks(1, lane);
    find_peaks(correlation, windows.side(), block.allowed, lane, peaks);
    __syncwarp();
    if (lane > 0) return;
    windows.displacements[number] =
        peaks.size() == 0 ? Displacement{lost_displacement, 0}
                          : Displacement{2 * (block.moved.x + peaks.own().x), 2 * (block.moved.y + peaks.own().y)};
}

__device__ std::int16_t rounded(float pels, int precision, int least, int most) {
    const int eighths = eighths_per_pel / precision * static_cast<int>(roundf(pels * static_cast<float>(precision)));
    return static_cast<std::int16_t>(min(max(eighths, eighths_per_pel * least), eighths_per_pel * most));
}

__global__ void __launch_bounds__(warp_kernel_threads)
    propose_peaks(const SearchTask task, const PhaseWindows windows, const float* correlations, int wanted,
                  int precision, Mv* proposals) {
    const int number = window_of_warp(task, windows);
    if (number < 0) return;
    const auto lane = static_cast<int>(threadIdx.x % 32);
    const Displacement displacement = windows.displacements[number];
    PeakList peaks(wanted, lane);
    Mv proposal = no_proposal();
    if (displacement.x != lost_displacement) {
        const BlockWindows block(task, windows, windows.first + number, displacement);
        const Correlation correlation(correlations + static_cast<std::size_t>(number) * windows.area(),
                                      windows.side_shift);
        find_peaks(correlation, windows.side(), block.allowed, lane, peaks);
        if (lane < peaks.size()) {
            const Peak& peak = peaks.own();
            float2 aside{0, 0};
            if (precision > 1) aside = fit(correlation, windows.side(), windows.band(), peak);
            proposal = {rounded(static_cast<float>(block.moved.x + peak.x) + aside.x, precision, block.pels.min_x,
                                block.pels.max_x),
                        rounded(static_cast<float>(block.moved.y + peak.y) + aside.y, precision, block.pels.min_y,
                                block.pels.max_y)};
        }
    }
    if (lane < wanted) proposals[static_cast<std::size_t>(windows.first + number) * wanted + lane] = proposal;
}

template <Metric metric>
__global__ void __launch_bounds__(warp_kernel_threads, 5)
    measure_proposals(const SearchTask task, const Mv* proposals, int count) {
    search_warp_block<metric>(task, [&](const WarpBlock<metric>& block, WarpList& list) {
        const Mv* const own = proposals + static_cast<std::size_t>(WarpBlock<metric>::number()) * count;
        for (int i = 0; i < count; ++i) {
            const Mv mv = own[i];
            if (mv == no_proposal()) continue;
            list.offer(block.candidate(mv, sum_of_shares(block.blended_share(mv, block.lane(), 32), 32)));
        }
    });
}

unsigned groups_of(const PhaseWindows& windows) {
    return static_cast<unsigned>((windows.batch + warps_per_group - 1) / warps_per_group);
}

} // namespace

void launch_follow_peak(const SearchTask& task, const PhaseWindows& windows, const float* correlations,
                        cudaStream_t stream) {
    follow_peak<<<groups_of(windows), warp_kernel_threads, 0, stream>>>(task, windows, correlations);
    check_launch("following a peak");
}

void launch_propose_peaks(const SearchTask& task, const PhaseWindows& windows, const float* correlations, int wanted,
                          int precision, Mv* proposals, cudaStream_t stream) {
    propose_peaks<<<groups_of(windows), warp_kernel_threads, 0, stream>>>(task, windows, correlations, wanted,
                                                                          precision, proposals);
    check_launch("finding peaks");
}

void launch_measure_proposals(const SearchTask& task, const Mv* proposals, int count, cudaStream_t stream) {
    const unsigned groups = warp_kernel_groups(task);
    by_metric(task.metric, [&](auto metric) {
        measure_proposals<decltype(metric)::value><<<groups, warp_kernel_threads, 0, stream>>>(task, proposals, count);
    });
    check_launch("measuring peaks");
}

} // namespace tandem::cuda
