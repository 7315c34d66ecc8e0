// SPDX-License-Identifier: BSD-2-Clause
// Makes word planes: of the samples, each thread four words, from two aligned words of samples where it can; then of
// the fractions between them.
#include "cuda/device/check.h"
#include "cuda/full/block_distortion.cuh"
#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

struct Samples {
    const std::uint8_t* data;
    int pitch, width, height;
};

/// Seven samples from x on, edges replicated, as two words.
__device__ uint2 clamped_samples(const std::uint8_t* row, int x, int width) {
    uint2 words{0, 0};
    for (int i = 0; i < 7; ++i) {
        const std::uint32_t sample = row[min(max(x + i, 0), width - 1)];
        if (i < 4) {
            words.x |= sample << (8 * i);
        } else {
            words.y |= sample << (8 * (i - 4));
        }
    }
    return words;
}

/// `left` and `above`: how far the plane begins outside of the picture; a multiple of 4 to the left.
__global__ void __launch_bounds__(256)
    make_words(Samples samples, int left, int above, int rows, std::uint32_t* origin, int stride) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 4 - left;
    if (x + left >= stride) return;
    for (int row = static_cast<int>(blockIdx.y); row < rows; row += static_cast<int>(gridDim.y)) {
        const int y = row - above;
        const std::uint8_t* from =
            samples.data + static_cast<std::size_t>(min(max(y, 0), samples.height - 1)) * samples.pitch;
        uint2 words;
        if (x >= 0 && x + 7 < samples.width) {
            words.x = __ldg(reinterpret_cast<const std::uint32_t*>(from + x));
            words.y = __ldg(reinterpret_cast<const std::uint32_t*>(from + x + 4));
        } else {
            words = clamped_samples(from, x, samples.width);
        }
        const uint4 out{words.x, __funnelshift_r(words.x, words.y, 8), __funnelshift_r(words.x, words.y, 16),
                        __funnelshift_r(words.x, words.y, 24)};
        *reinterpret_cast<uint4*>(origin + static_cast<std::ptrdiff_t>(y) * stride + x) = out;
    }
}

/// A word of each fraction but the first, from the whole samples around it.
__global__ void __launch_bounds__(256) make_fractions(const WordPlanes planes, int left, int words, int rows) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - left;
    const int y = static_cast<int>(blockIdx.y) - left;
    if (x + left >= words || y + left >= rows) return;
    const int grid = 1 << planes.grid_shift, step = eighths_per_pel >> planes.grid_shift;
    std::uint32_t* out =
        const_cast<std::uint32_t*>(planes.whole.origin) + static_cast<std::ptrdiff_t>(y) * planes.whole.stride + x;
    for (int fraction = 1; fraction < grid * grid; ++fraction) {
        const Mv mv{static_cast<std::int16_t>(fraction % grid * step),
                    static_cast<std::int16_t>(fraction / grid * step)};
        out[fraction * planes.plane_words] = BlendedSamples(planes.whole, x, y, mv)(0, 0);
    }
}

} // namespace

cudaError_t kernels_for_this_device() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, make_words);
}

void launch_make_words(const std::uint8_t* samples, int pitch, int width, int height, int border, std::uint32_t* origin,
                       int stride, cudaStream_t stream) {
    const int rows = height + 2 * border;
    const dim3 grid(static_cast<unsigned>((stride / 4 + 255) / 256), static_cast<unsigned>(min(rows, 65535)));
    make_words<<<grid, 256, 0, stream>>>({samples, pitch, width, height}, border, border, rows, origin, stride);
    check_launch("making a word plane");
}

void launch_make_fractions(const WordPlanes& planes, int width, int height, int border, cudaStream_t stream) {
    const int words = width + 2 * border - 1, rows = height + 2 * border - 1;
    const dim3 grid(static_cast<unsigned>((words + 255) / 256), static_cast<unsigned>(rows));
    make_fractions<<<grid, 256, 0, stream>>>(planes, border, words, rows);
    check_launch("making sub-pel planes");
}

} // namespace tandem::cuda
