// SPDX-License-Identifier: BSD-2-Clause
// Distortion of one block at one vector by any metric, shared by any number of lanes.
#pragma once

#include "cuda/packed_arithmetic.cuh"
#include "cuda/search_geometry.cuh"
#include "cuda/warp_reduction.cuh"
#include "me/kernels/hadamard.h"
#include "me/kernels/zero_mean.h"

namespace tandem::cuda {

/// Words of a plane from a position on.
struct WholeSamples {
    const std::uint32_t* origin;
    std::ptrdiff_t stride;

    __device__ WholeSamples(const std::uint32_t* first, std::ptrdiff_t words) : origin(first), stride(words) {}
    __device__ WholeSamples(const WordPlane& plane, int x, int y)
        : origin(plane.origin + static_cast<std::ptrdiff_t>(y) * plane.stride + x), stride(plane.stride) {}
    __device__ std::uint32_t operator()(int x, int y) const { return __ldg(origin + y * stride + x); }
};

/// The same between samples: bilinear by eighths as in me/samples/interpolation.h, two samples at a time in halves of a
/// word (64 * 255 + 32 fits into 16 bits).
struct BlendedSamples {
    using Source = WordPlane;
    WholeSamples whole;
    std::uint32_t weight[4]; ///< Of the sample, its right neighbour, the one below, and the one right of that.

    __device__ BlendedSamples(const WordPlane& plane, int x, int y, Mv mv)
        : whole(plane, x + (mv.x >> 3), y + (mv.y >> 3)) {
        const std::uint32_t right = mv.x & 7;
        const std::uint32_t below = mv.y & 7;
        weight[0] = (8 - right) * (8 - below);
        weight[1] = right * (8 - below);
        weight[2] = (8 - right) * below;
        weight[3] = right * below;
    }
    __device__ std::uint32_t operator()(int x, int y) const {
        const std::uint32_t words[4] = {whole(x, y), whole(x + 1, y), whole(x, y + 1), whole(x + 1, y + 1)};
        std::uint32_t even = 0x00200020u, odd = 0x00200020u;
        for (int i = 0; i < 4; ++i) {
            even += (words[i] & 0x00FF00FFu) * weight[i];
            odd += (words[i] >> 8 & 0x00FF00FFu) * weight[i];
        }
        return (even >> 6 & 0x00FF00FFu) | (odd << 2 & 0xFF00FF00u);
    }
};

/// As distortion.h defines it, of the 4x4 samples at (x, y).
template <class Reference>
__device__ std::uint32_t transformed_difference(const WholeSamples& current, const Reference& reference, int x, int y) {
    int block[16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t a = current(x, y + i);
        const std::uint32_t b = reference(x, y + i);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            block[4 * i + j] = static_cast<int>(a >> (8 * j) & 0xFF) - static_cast<int>(b >> (8 * j) & 0xFF);
    }
    return satd_of_cell(block);
}

/// Whether a metric is a sum over words, of any samples.
__host__ __device__ constexpr bool sums_words(Metric metric) { return metric == Metric::sad || metric == Metric::ssd; }

/// SAD or SSD of `width` samples of a row from x on.
template <Metric metric, class Reference>
__device__ std::uint32_t row_distortion(const WholeSamples& current, const Reference& reference, int x, int width,
                                        int y, std::uint32_t sum) {
    for (; x < width; x += 4) {
        const std::uint32_t mask = word_mask(width - x);
        const std::uint32_t a = current(x, y) & mask;
        const std::uint32_t b = reference(x, y) & mask;
        sum = metric == Metric::ssd ? add_squared_differences(a, b, sum) : add_absolute_differences(a, b, sum);
    }
    return sum;
}

/// Calls visit(word, row, samples) for the words part, part + parts .. of the block in reading order, and how many of
/// their samples are in the block.
template <class Visit>
__device__ void for_words_of_share(int width, int height, int part, int parts, const Visit& visit) {
    const int words = (width + 3) / 4, down = parts / words, across = parts - down * words;
    int y = part / words, word = part - y * words;
    while (y < height) {
        visit(word, y, min(width - 4 * word, 4));
        y += down;
        word += across;
        if (word < words) continue;
        word -= words;
        ++y;
    }
}

/// Lane `part` of `parts` takes the words part, part + parts .. of the block in reading order, so that lanes side by
/// side read words side by side.
template <Metric metric, class Reference>
__device__ std::uint32_t share_of_words(const WholeSamples& current, const Reference& reference, int width, int height,
                                        int part, int parts) {
    const int words = (width + 3) / 4;
    std::uint32_t sum = 0;
    const auto add = [&](int word, int row, std::uint32_t mask) {
        const std::uint32_t a = current(4 * word, row) & mask;
        const std::uint32_t b = reference(4 * word, row) & mask;
        sum = metric == Metric::ssd ? add_squared_differences(a, b, sum) : add_absolute_differences(a, b, sum);
    };
    if (words <= parts && (words & (words - 1)) == 0) { // A lane keeps to a column of words, without a division.
        const int shift = __ffs(words) - 1, down = parts >> shift, word = part & (words - 1);
        const std::uint32_t mask = word_mask(width - 4 * word);
        int y = part >> shift;
        for (; y + 3 * down < height; y += 4 * down) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                add(word, y + i * down, mask);
        }
        for (; y < height; y += down)
            add(word, y, mask);
        return sum;
    }
    for_words_of_share(width, height, part, parts,
                       [&](int word, int row, int samples) { add(word, row, word_mask(samples)); });
    return sum;
}

/// The sum over `parts` neighbouring lanes, a power of two, in each of them. Those alone need to call it.
__device__ inline int sum_of_part(int own, int parts) {
    const unsigned all = parts == 32 ? 0xFFFFFFFFu : (1u << parts) - 1;
    const unsigned group = all << (threadIdx.x % 32 & ~static_cast<unsigned>(parts - 1));
    for (int distance = parts / 2; distance > 0; distance /= 2)
        own += __shfl_xor_sync(group, own, distance);
    return own;
}

/// Zero-mean SAD: once over the words for the mean, which the lanes of all parts find together, and once more about it.
template <class Reference>
__device__ std::uint32_t share_about_mean(const WholeSamples& current, const Reference& reference, int width,
                                          int height, int part, int parts) {
    int difference = 0;
    for_words_of_share(width, height, part, parts, [&](int word, int row, int samples) {
        const std::uint32_t mask = word_mask(samples);
        difference += static_cast<int>(__dp4a(current(4 * word, row) & mask, 0x01010101u, 0u)) -
                      static_cast<int>(__dp4a(reference(4 * word, row) & mask, 0x01010101u, 0u));
    });
    const int mean = mean_of_differences(sum_of_part(difference, parts), width * height);
    std::uint32_t sum = 0;
    for_words_of_share(width, height, part, parts, [&](int word, int row, int samples) {
        const std::uint32_t a = current(4 * word, row), b = reference(4 * word, row);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int of_a = static_cast<int>(a >> (8 * i) & 0xFF), of_b = static_cast<int>(b >> (8 * i) & 0xFF);
            if (i < samples) sum = __sad(of_a - mean, of_b, sum);
        }
    });
    return sum;
}

/// The share that lane `part` of `parts` has of the distortion; the sum of all shares is the whole. `parts` is a power
/// of two; lanes side by side, from a multiple of it on, have part 0, 1 .. and call this together.
template <Metric metric, class Reference>
__device__ std::uint32_t share_of_distortion(const WholeSamples& current, const Reference& reference, int width,
                                             int height, int part, int parts) {
    static_assert(metric != Metric::ncc, "the CPU's alone");
    if constexpr (metric == Metric::zsad) {
        return share_about_mean(current, reference, width, height, part, parts);
    } else if constexpr (metric != Metric::satd) {
        return share_of_words<metric>(current, reference, width, height, part, parts);
    } else {
        std::uint32_t sum = 0;
        const int whole_width = width & ~3;
        const int whole_height = height & ~3;
        for (int y = 4 * part; y < whole_height; y += 4 * parts) {
            for (int x = 0; x < whole_width; x += 4)
                sum += transformed_difference(current, reference, x, y);
            for (int row = y; whole_width < width && row < y + 4; ++row)
                sum = row_distortion<Metric::sad>(current, reference, whole_width, width, row, sum);
        }
        for (int y = whole_height + part; y < height; y += parts)
            sum = row_distortion<Metric::sad>(current, reference, 0, width, y, sum);
        return sum;
    }
}

/// All of the distortion, by one lane.
template <Metric metric, class Reference>
__device__ std::uint32_t whole_distortion(const WholeSamples& current, const Reference& reference, int width,
                                          int height) {
    if constexpr (metric == Metric::satd || metric == Metric::zsad) {
        return share_of_distortion<metric>(current, reference, width, height, 0, 1);
    } else {
        std::uint32_t sum = 0;
        const int whole_width = width & ~3;
        for (int y = 0; y < height; ++y) {
#pragma unroll 4
            for (int x = 0; x < whole_width; x += 4) {
                const std::uint32_t a = current(x, y), b = reference(x, y);
                sum = metric == Metric::ssd ? add_squared_differences(a, b, sum) : add_absolute_differences(a, b, sum);
            }
            sum = row_distortion<metric>(current, reference, whole_width, width, y, sum);
        }
        return sum;
    }
}

/// Sum over groups of `parts` neighbouring lanes (a power of two), in each of them.
__device__ inline std::uint32_t sum_of_shares(std::uint32_t share, int parts) {
    if (parts == 32) return sum_of(0xFFFFFFFFu, share);
    for (int distance = parts / 2; distance > 0; distance /= 2)
        share += __shfl_xor_sync(0xFFFFFFFFu, share, distance);
    return share;
}

} // namespace tandem::cuda
