// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/distortion.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "machine/kernel_table.h"
#include "me/kernels/distortion_variants.h"
#include "me/kernels/hadamard.h"
#include "me/kernels/position_rectangle.h"
#include "me/kernels/zero_mean.h"

namespace tandem {

namespace {

std::uint32_t sad_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                         int width, int height) {
    std::uint32_t sum = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            sum += static_cast<std::uint32_t>(std::abs(a[y * a_stride + x] - b[y * b_stride + x]));
        }
    }
    return sum;
}

std::uint32_t ssd_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                         int width, int height) {
    std::uint32_t sum = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int difference = a[y * a_stride + x] - b[y * b_stride + x];
            sum += static_cast<std::uint32_t>(difference * difference);
        }
    }
    return sum;
}

std::uint32_t zsad_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                          std::ptrdiff_t b_stride, int width, int height) {
    int difference = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            difference += a[y * a_stride + x] - b[y * b_stride + x];
    const int mean = mean_of_differences(difference, width * height);
    std::uint32_t sum = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            sum += static_cast<std::uint32_t>(std::abs(a[y * a_stride + x] - b[y * b_stride + x] - mean));
    return sum;
}

std::uint32_t ncc_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                         int width, int height) {
    CorrelationSums sums;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int of_a = a[y * a_stride + x], of_b = b[y * b_stride + x];
            sums.a += of_a;
            sums.b += of_b;
            sums.aa += of_a * of_a;
            sums.bb += of_b * of_b;
            sums.ab += of_a * of_b;
        }
    }
    return uncorrelated(sums, width * height);
}

std::uint32_t satd4x4(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride) {
    int differences[16];
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            differences[4 * y + x] = a[y * a_stride + x] - b[y * b_stride + x];
    return satd_of_cell(differences);
}

std::uint32_t satd_scalar(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                          std::ptrdiff_t b_stride, int width, int height) {
    const int whole_width = width & ~3;
    const int whole_height = height & ~3;
    std::uint32_t sum = 0;
    for (int y = 0; y < whole_height; y += 4) {
        for (int x = 0; x < whole_width; x += 4) {
            sum += satd4x4(a + y * a_stride + x, a_stride, b + y * b_stride + x, b_stride);
        }
    }
    sum += sad_scalar(a + whole_width, a_stride, b + whole_width, b_stride, width - whole_width, whole_height);
    return sum + sad_scalar(a + whole_height * a_stride, a_stride, b + whole_height * b_stride, b_stride, width,
                            height - whole_height);
}

/// A rectangle by one block after another.
template <auto measure>
int blocks_within(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                  std::ptrdiff_t reference_stride, int width, int height, int columns, int rows,
                  const std::int32_t* limits, MeasuredPosition* found) {
    Within good(limits, found);
    measure_singly<measure>(current, current_stride, width, height, {reference, reference_stride, columns, rows}, 0,
                            good);
    return good.count_from(found);
}

template <auto measure, class Distortion>
void all_blocks(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                std::ptrdiff_t reference_stride, int width, int height, int columns, int rows, Distortion* distortions,
                std::ptrdiff_t row_length) {
    const Everything<Distortion> all{distortions, row_length};
    measure_singly<measure>(current, current_stride, width, height, {reference, reference_stride, columns, rows}, 0,
                            all);
}

void sad_many_scalar(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* const* references,
                     std::ptrdiff_t reference_stride, int width, int height, int n, std::uint32_t* sads) {
    for (int i = 0; i < n; ++i) {
        sads[i] = sad_scalar(current, current_stride, references[i], reference_stride, width, height);
    }
}

unsigned sads_about_scalar(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* place,
                           std::ptrdiff_t reference_stride, int width, int height, std::uint32_t most,
                           std::uint32_t* sads) {
    unsigned good = 0;
    for (int y = -1, number = 0; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            if (x == 0 && y == 0) continue;
            sads[number] =
                sad_scalar(current, current_stride, place + y * reference_stride + x, reference_stride, width, height);
            good |= (sads[number] <= most ? 1U : 0U) << number;
            ++number;
        }
    }
    return good;
}

std::uint32_t half_pel_sad_scalar(const std::uint8_t* current, std::ptrdiff_t current_stride,
                                  const std::uint8_t* reference, std::ptrdiff_t reference_stride, int half_x,
                                  int half_y) {
    constexpr int side = 16;
    const std::ptrdiff_t below = half_y != 0 ? reference_stride : 0;
    std::uint8_t samples[side * side];
    for (int i = 0; i < side * side; ++i) {
        const std::uint8_t* p = reference + i / side * reference_stride + i % side;
        samples[i] = static_cast<std::uint8_t>((p[0] + p[half_x] + p[below] + p[below + half_x] + 2) / 4);
    }
    return sad_scalar(current, current_stride, samples, side, side, side);
}

unsigned half_pel_sads_scalar(const std::uint8_t* current, std::ptrdiff_t current_stride, const std::uint8_t* reference,
                              std::ptrdiff_t reference_stride, std::uint32_t more, std::uint32_t* sads) {
    constexpr int places = 9, place = places / 2;
    for (int i = 0; i < places; ++i) {
        const int right = i % 3 - 1, down = i / 3 - 1;
        const std::uint8_t* first = reference + std::min(down, 0) * reference_stride + std::min(right, 0);
        sads[i] = half_pel_sad_scalar(current, current_stride, first, reference_stride, right & 1, down & 1);
    }
    unsigned good = 0;
    for (int i = 0; i < places; ++i)
        good |= (i != place && sads[i] <= std::uint64_t{sads[place]} + more ? 1U : 0U) << i;
    return good;
}

constexpr DistortionKernels scalar_kernels{.level = SimdLevel::scalar,
                                           .name = "scalar",
                                           .sad = sad_scalar,
                                           .ssd = ssd_scalar,
                                           .satd = satd_scalar,
                                           .zsad = zsad_scalar,
                                           .ncc = ncc_scalar,
                                           .sad_many = sad_many_scalar,
                                           .sads_about = sads_about_scalar,
                                           .half_pel_sad = half_pel_sad_scalar,
                                           .half_pel_sads = half_pel_sads_scalar,
                                           .sads_within = blocks_within<sad_scalar>,
                                           .ssds_within = blocks_within<ssd_scalar>,
                                           .satds_within = blocks_within<satd_scalar>,
                                           .zsads_within = blocks_within<zsad_scalar>,
                                           .nccs_within = blocks_within<ncc_scalar>,
                                           .all_sads = all_blocks<sad_scalar, std::uint16_t>,
                                           .all_ssds = all_blocks<ssd_scalar, std::uint32_t>,
                                           .all_satds = all_blocks<satd_scalar, std::uint16_t>};
#ifdef TANDEM_SIMD
constexpr DistortionKernels avx2_by_vmpsadbw{.level = SimdLevel::avx2,
                                             .name = "avx2 by vmpsadbw",
                                             .sad = sad_avx2,
                                             .ssd = ssd_avx2,
                                             .satd = satd_avx2,
                                             .zsad = zsad_avx2,
                                             .ncc = ncc_avx2,
                                             .sad_many = sad_many_avx2,
                                             .sads_about = sads_about_avx2,
                                             .half_pel_sad = half_pel_sad_avx2,
                                             .half_pel_sads = half_pel_sads_avx2,
                                             .sads_within = sads_within_avx2,
                                             .ssds_within = ssds_within_avx2,
                                             .satds_within = satds_within_avx2,
                                             .zsads_within = zsads_within_avx2,
                                             .nccs_within = nccs_within_avx2,
                                             .all_sads = all_sads_avx2,
                                             .all_ssds = all_ssds_avx2,
                                             .all_satds = all_satds_avx2};
constexpr DistortionKernels avx512_kernels{.level = SimdLevel::avx512,
                                           .name = "avx512",
                                           .sad = sad_avx512,
                                           .ssd = ssd_avx2,
                                           .satd = satd_avx512,
                                           .zsad = zsad_avx2,
                                           .ncc = ncc_avx2,
                                           .sad_many = sad_many_avx512,
                                           .sads_about = sads_about_avx2,
                                           .half_pel_sad = half_pel_sad_avx2,
                                           .half_pel_sads = half_pel_sads_avx2,
                                           .sads_within = sads_within_avx512,
                                           .ssds_within = ssds_within_avx2,
                                           .satds_within = satds_within_avx512,
                                           .zsads_within = zsads_within_avx2,
                                           .nccs_within = nccs_within_avx2,
                                           .all_sads = all_sads_avx512,
                                           .all_ssds = all_ssds_avx2,
                                           .all_satds = all_satds_avx512};

constexpr DistortionKernels by_vpsadbw(DistortionKernels avx2) {
    avx2.name = "avx2 by vpsadbw";
    avx2.sads_within = sads_within_psadbw_avx2;
    avx2.all_sads = all_sads_psadbw_avx2;
    return avx2;
}
constexpr DistortionKernels with_vpdpbusd(DistortionKernels avx512) {
    avx512.name = "avx512 with vpdpbusd";
    avx512.ssds_within = ssds_within_avx512;
    avx512.all_ssds = all_ssds_avx512;
    return avx512;
}
constexpr DistortionKernels avx2_by_vpsadbw = by_vpsadbw(avx2_by_vmpsadbw);
constexpr DistortionKernels avx512_with_vnni = with_vpdpbusd(avx512_kernels);

/// The last one of a level is in force: of AVX2's both that of this processor, and of AVX-512's the only one.
const auto& kernel_table() {
    using Table = std::array<const DistortionKernels*, 4>;
    static const Table table = {&scalar_kernels, mpsadbw_is_slow() ? &avx2_by_vmpsadbw : &avx2_by_vpsadbw,
                                mpsadbw_is_slow() ? &avx2_by_vpsadbw : &avx2_by_vmpsadbw,
                                has_byte_products() ? &avx512_with_vnni : &avx512_kernels};
    return table;
}
#else
const auto& kernel_table() {
    static constexpr std::array<const DistortionKernels*, 1> table{&scalar_kernels};
    return table;
}
#endif

} // namespace

std::span<const DistortionKernels* const> all_distortion_kernels() { return runnable_rows(kernel_table()); }

const DistortionKernels& distortion_kernels() { return row_in_force(kernel_table()); }

} // namespace tandem
