// SPDX-License-Identifier: BSD-2-Clause
// Phase correlation before and between the transforms: layers, windows, and the normalised cross-power spectrum
// (me/search/phase/phase_correlation.cpp). A group of threads per window, a thread per coefficient.
#include "cuda/device/check.h"
#include "cuda/full/block_distortion.cuh"
#include "cuda/phase/phase_kernels.h"
#include "cuda/phase/phase_windows.cuh"

namespace tandem::cuda {

namespace {

constexpr int threads = 256;
constexpr int most_side = 256;

__global__ void __launch_bounds__(threads)
    halve_by_means(const SamplePlane from, std::uint8_t* to, const SamplePlane means) {
    const int x = static_cast<int>(blockIdx.x * threads + threadIdx.x), y = static_cast<int>(blockIdx.y);
    if (x >= means.width) return;
    const int right = min(2 * x + 1, from.width - 1);
    const std::uint8_t* above = from.samples + static_cast<std::size_t>(2 * y) * from.pitch;
    const std::uint8_t* below = from.samples + static_cast<std::size_t>(min(2 * y + 1, from.height - 1)) * from.pitch;
    const int sum = __ldg(above + 2 * x) + __ldg(above + right) + __ldg(below + 2 * x) + __ldg(below + right);
    to[static_cast<std::size_t>(y) * means.pitch + x] = static_cast<std::uint8_t>((sum + 2) >> 2);
}

/// The sum over the group, in all threads.
__device__ std::uint32_t sum_of_group(std::uint32_t own) {
    __shared__ std::uint32_t sums[threads / 32];
    own = sum_of_shares(own, 32);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
    __syncthreads();
    own = 0;
    for (const std::uint32_t sum : sums)
        own += sum;
    return own;
}

/// Group number g < batch: the current window of block g; the next `batch` groups: those of the reference.
__global__ void __launch_bounds__(threads)
    cut_windows(const SearchTask task, const PhaseWindows windows, float* samples) {
    __shared__ float weights[most_side];
    const int side = windows.side();
    const auto group = static_cast<int>(blockIdx.x);
    const bool is_current = group < windows.batch;
    const int number = is_current ? group : group - windows.batch;
    if (static_cast<int>(threadIdx.x) < side) {
        const float angle = (2.0F * static_cast<float>(threadIdx.x) + 1.0F) / static_cast<float>(side);
        weights[threadIdx.x] = windows.hann ? 0.5F - 0.5F * cospif(angle) : 1.0F;
    }
    Displacement displacement = windows.displacements[number];
    if (displacement.x == lost_displacement) displacement = {0, 0};
    const BlockArea block = area_of_block(task, block_of_window(task, windows, number));
    const WindowPair pair(task, windows, block, displacement);
    const Displacement corner = is_current ? pair.current : pair.reference;
    const SamplePlane plane = is_current ? windows.current : windows.reference;
    const auto sample_at = [&](int i) -> std::uint32_t {
        const int x = min(max(corner.x + (i & (side - 1)), 0), plane.width - 1);
        const int y = min(max(corner.y + (i >> windows.side_shift), 0), plane.height - 1);
        return __ldg(plane.samples + static_cast<std::size_t>(y) * plane.pitch + x);
    };
    std::uint32_t sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < windows.area(); i += threads)
        sum += sample_at(i);
    // Without its mean a flat window is nothing, and fading to the edges adds no pattern of its own.
    const float mean = static_cast<float>(sum_of_group(sum)) / static_cast<float>(windows.area());
    float* out = samples + static_cast<std::size_t>(group) * windows.area();
    for (int i = static_cast<int>(threadIdx.x); i < windows.area(); i += threads)
        out[i] = (static_cast<float>(sample_at(i)) - mean) * weights[i >> windows.side_shift] * weights[i & (side - 1)];
}

/// A product of coefficients smaller than this for each sample of the windows is rounding and has no phase.
constexpr float least_product = 1e-4F;

__global__ void __launch_bounds__(threads) cross_power(const PhaseWindows windows, float2* spectra) {
    const auto i = static_cast<int>(blockIdx.y * threads + threadIdx.x);
    if (i >= windows.spectrum()) return;
    const int row_length = windows.side() / 2 + 1;
    const int v = i / row_length, u = i - v * row_length;
    const std::size_t place = static_cast<std::size_t>(blockIdx.x) * windows.spectrum() + i;
    float2* cross = spectra + static_cast<std::size_t>(windows.batch) * windows.spectrum() + place;
    float2 phase{0, 0};
    if (u <= windows.band() && min(v, windows.side() - v) <= windows.band()) {
        const float2 reference = *cross, current = spectra[place];
        const float real = reference.x * current.x + reference.y * current.y;
        const float imaginary = reference.y * current.x - reference.x * current.y;
        const float size = sqrtf(real * real + imaginary * imaginary);
        const auto counting = static_cast<float>(2 * windows.band() + 1);
        if (size > least_product * static_cast<float>(windows.area())) {
            const float scale = 1.0F / (counting * counting) / size;
            phase = {real * scale, imaginary * scale};
        }
    }
    *cross = phase;
}

} // namespace

void launch_halve_by_means(const SamplePlane& from, std::uint8_t* to, const SamplePlane& means, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((means.width + threads - 1) / threads), static_cast<unsigned>(means.height));
    halve_by_means<<<grid, threads, 0, stream>>>(from, to, means);
    check_launch("making a layer of means");
}

void launch_cut_windows(const SearchTask& task, const PhaseWindows& windows, float* samples, cudaStream_t stream) {
    cut_windows<<<static_cast<unsigned>(2 * windows.batch), threads, 0, stream>>>(task, windows, samples);
    check_launch("cutting windows");
}

void launch_cross_power(const PhaseWindows& windows, float2* spectra, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(windows.batch),
                    static_cast<unsigned>((windows.spectrum() + threads - 1) / threads));
    cross_power<<<grid, threads, 0, stream>>>(windows, spectra);
    check_launch("the cross-power spectrum");
}

} // namespace tandem::cuda
