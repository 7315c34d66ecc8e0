// SPDX-License-Identifier: BSD-2-Clause
// Time of every kernel of the encoder at every level this machine runs; column "block" is the time of one call.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "coding/mpeg/kernels/predict.h"
#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/quantiser/trellis.h"

namespace {

using namespace tandem;

constexpr std::ptrdiff_t stride = 128;
constexpr int block_count = 64;

/// Pictures and blocks like those of an inter picture: a small residual, few coefficients.
struct Data {
    std::vector<std::uint8_t> current = std::vector<std::uint8_t>(stride * 160);
    std::vector<std::uint8_t> reference = std::vector<std::uint8_t>(stride * 160);
    std::vector<std::uint8_t> out = std::vector<std::uint8_t>(stride * 160);
    std::vector<Block> residual = std::vector<Block>(block_count);
    std::vector<Block> coefficients = residual, levels = residual, values = residual, result = residual;
    Quantiser quantiser = make_quantiser(default_non_intra_matrix(), 16, false, false, 8, 11);

    Data() {
        std::mt19937 random(1);
        for (std::size_t i = 0; i < current.size(); ++i) {
            current[i] = static_cast<std::uint8_t>(64 + random() % 64);
            reference[i] = static_cast<std::uint8_t>(current[i] + random() % 17);
        }
        const TransformKernels& kernels = transform_kernels();
        for (std::size_t i = 0; i < block_count; ++i) {
            kernels.difference(&current[offset(i)], stride, &reference[offset(i)], stride, residual[i]);
            kernels.forward_dct(residual[i], coefficients[i]);
            kernels.quantise(coefficients[i], quantiser, levels[i]);
            kernels.dequantise(levels[i], quantiser, values[i]);
        }
    }
    static std::size_t offset(std::size_t block) { return (block / 8) * 8 * stride + (block % 8) * 8; }
};

Data& data() {
    static Data all;
    return all;
}

template <class Body> void add(const std::string& name, SimdLevel level, Body body) {
    const auto run = [body](benchmark::State& state) {
        for (auto _ : state) {
            for (std::size_t i = 0; i < block_count; ++i)
                body(data(), i);
            benchmark::ClobberMemory();
        }
        state.counters["block"] = benchmark::Counter(block_count, benchmark::Counter::kIsIterationInvariantRate |
                                                                      benchmark::Counter::kInvert);
    };
    benchmark::RegisterBenchmark((name + "/" + std::string(name_of(level))).c_str(), run);
}

void add_transform(const TransformKernels& k) {
    add("difference", k.level, [&k](Data& d, std::size_t i) {
        k.difference(&d.current[Data::offset(i)], stride, &d.reference[Data::offset(i)], stride, d.result[i]);
    });
    add("difference_of_two", k.level, [&k](Data& d, std::size_t i) {
        Block two[2];
        std::uint32_t energies[2];
        k.difference_of_two(&d.current[Data::offset(i)], stride, &d.reference[Data::offset(i)], stride, two, energies);
        benchmark::DoNotOptimize(energies[0] + energies[1]);
    });
    add("largest_part", k.level,
        [&k](Data& d, std::size_t i) { benchmark::DoNotOptimize(k.largest_part(d.residual[i])); });
    add("widen", k.level, [&k](Data& d, std::size_t i) { k.widen(&d.current[Data::offset(i)], stride, d.result[i]); });
    add("forward_dct", k.level, [&k](Data& d, std::size_t i) { k.forward_dct(d.residual[i], d.result[i]); });
    add("inverse_dct", k.level, [&k](Data& d, std::size_t i) { k.inverse_dct(d.values[i], d.result[i]); });
    add("quantise", k.level, [&k](Data& d, std::size_t i) {
        benchmark::DoNotOptimize(k.quantise(d.coefficients[i], d.quantiser, d.result[i]));
    });
    add("dequantise", k.level, [&k](Data& d, std::size_t i) { k.dequantise(d.levels[i], d.quantiser, d.result[i]); });
    add("add_clamped", k.level, [&k](Data& d, std::size_t i) {
        k.add_clamped(&d.reference[Data::offset(i)], stride, d.residual[i], &d.out[Data::offset(i)], stride);
    });
    add("store_clamped", k.level,
        [&k](Data& d, std::size_t i) { k.store_clamped(d.residual[i], &d.out[Data::offset(i)], stride); });
    add("sums_16x16", k.level, [&k](Data& d, std::size_t i) {
        std::uint32_t sum = 0, squares = 0;
        k.sums(&d.current[Data::offset(i)], stride, sum, squares);
        benchmark::DoNotOptimize(sum + squares);
    });
    add("sum_abs_from_16x16", k.level, [&k](Data& d, std::size_t i) {
        benchmark::DoNotOptimize(k.sum_abs_from(&d.current[Data::offset(i)], stride, 100));
    });
    add("residual_chain", k.level, [&k](Data& d, std::size_t i) {
        Block values, coefficients, levels;
        const std::size_t at = Data::offset(i);
        k.difference(&d.current[at], stride, &d.reference[at], stride, values);
        k.forward_dct(values, coefficients);
        k.quantise(coefficients, d.quantiser, levels);
        k.dequantise(levels, d.quantiser, coefficients);
        k.inverse_dct(coefficients, values);
        k.add_clamped(&d.reference[at], stride, values, &d.out[at], stride);
    });
}

void add_predict(const PredictKernels& k) {
    for (const int size : {8, 16}) {
        const std::string shape = std::to_string(size) + "x" + std::to_string(size);
        for (int phase = 0; phase < 4; ++phase) {
            const std::string name = "half_pel_" + std::to_string(phase % 2) + std::to_string(phase / 2) + "_" + shape;
            add(name, k.level, [&k, size, phase](Data& d, std::size_t i) {
                k.half_pel(&d.reference[Data::offset(i) + 3], stride, phase % 2, phase / 2, size, size,
                           &d.out[Data::offset(i)], stride);
            });
        }
        add("average_" + shape, k.level, [&k, size](Data& d, std::size_t i) {
            k.average(&d.current[Data::offset(i)], stride, &d.reference[Data::offset(i) + 3], stride, size, size,
                      &d.out[Data::offset(i)], stride);
        });
    }
}

/// Coefficients like those of textured blocks: smaller towards high frequencies.
std::vector<Block> textured_coefficients() {
    std::mt19937 random(2);
    std::vector<Block> blocks(block_count);
    for (Block& block : blocks) {
        for (int i = 0; i < 64; ++i) {
            const int spread = 2400 / (1 + i / 8 + i % 8);
            block.value[i] = static_cast<std::int16_t>(std::uniform_int_distribution(-spread, spread)(random));
        }
    }
    return blocks;
}

void add_trellis(int code) {
    static const std::vector<Block> blocks = textured_coefficients();
    const Quantiser quantiser =
        make_quantiser(default_non_intra_matrix(), 2 * code, false, false, 8, trellis_rounding_inter);
    const auto lambda_q6 = static_cast<std::uint32_t>(64 * code * code);
    add("trellis_qp" + std::to_string(code), simd_level(), [quantiser, lambda_q6](Data&, std::size_t i) {
        std::int16_t levels[64];
        benchmark::DoNotOptimize(
            trellis_quantise(blocks[i], quantiser, CoefficientTable::b14, false, lambda_q6, levels));
    });
}

} // namespace

int main(int argc, char** argv) {
    for (const TransformKernels* kernels : all_transform_kernels())
        add_transform(*kernels);
    for (const PredictKernels* kernels : all_predict_kernels())
        add_predict(*kernels);
    for (const int code : {2, 8, 31})
        add_trellis(code);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
