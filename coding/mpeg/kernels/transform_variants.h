// SPDX-License-Identifier: BSD-2-Clause
// The kernel tables of each instruction set, for transform.cpp and predict.cpp to choose from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

struct Block;
struct LevelChoices;
struct PredictKernels;
struct Quantiser;
struct TransformKernels;

extern const TransformKernels scalar_transform_kernels;
extern const PredictKernels scalar_predict_kernels;

/// AVX2's, too.
std::uint64_t scan_levels_scalar(const Block& levels, std::uint64_t nonzero, bool alternate, std::int16_t* scanned);

// In builds with TANDEM_SIMD only.
extern const TransformKernels avx2_transform_kernels;
extern const TransformKernels avx512_transform_kernels;
extern const PredictKernels avx2_predict_kernels;

// Kernels of AVX2 that the table of AVX-512 has too.
void difference_of_two_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                            std::ptrdiff_t b_stride, Block* out, std::uint32_t* energies);
std::uint32_t largest_part_avx2(const Block& values);
void inverse_dct_avx2(const Block& coefficients, Block& values);
void add_clamped_avx2(const std::uint8_t* prediction, std::ptrdiff_t prediction_stride, const Block& values,
                      std::uint8_t* out, std::ptrdiff_t out_stride);
void store_clamped_avx2(const Block& values, std::uint8_t* out, std::ptrdiff_t out_stride);
void sums_avx2(const std::uint8_t* samples, std::ptrdiff_t stride, std::uint32_t& sum, std::uint32_t& sum_of_squares);
std::uint32_t sum_abs_from_avx2(const std::uint8_t* samples, std::ptrdiff_t stride, int value);
void weigh_levels_avx2(const Quantiser& quantiser, int count, LevelChoices& choices);

} // namespace tandem
