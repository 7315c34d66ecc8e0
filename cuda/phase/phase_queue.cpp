// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/phase/phase_queue.h"

#include <algorithm>
#include <bit>

#include "cuda/phase/phase_kernels.h"
#include "cuda/phase/phase_plan.h"

namespace tandem::cuda {

namespace {

/// Of the windows of one picture in a batch: 32 MiB. Spectra are as large, and there are two pictures.
constexpr int most_samples = 1 << 23;

/// The correlations of a batch on one layer, to memory.samples.
void correlate(const SearchTask& task, const PhaseWindows& windows, PhaseMemory& memory, Stream& stream) {
    launch_cut_windows(task, windows, memory.samples.data(), stream.get());
    memory.fourier.forward(memory.samples.data(), memory.spectra.data());
    launch_cross_power(windows, memory.spectra.data(), stream.get());
    float2* cross =
        memory.spectra.data() + static_cast<std::size_t>(windows.batch) * static_cast<std::size_t>(windows.spectrum());
    memory.fourier.inverse(cross, memory.samples.data());
}

void reserve_memory(const PhaseWindows& windows, PhaseMemory& memory, Stream& stream) {
    const auto pairs = static_cast<std::size_t>(windows.batch) * 2;
    memory.samples.reserve(pairs * static_cast<std::size_t>(windows.area()));
    memory.spectra.reserve(pairs * static_cast<std::size_t>(windows.spectrum()));
    memory.displacements.reserve(static_cast<std::size_t>(windows.batch));
    memory.fourier.plan(windows.side(), windows.batch, stream.get());
}

} // namespace

void queue_phase(const SearchParams& params, const SearchTask& task, const SampleLayers& current,
                 const SampleLayers& reference, PhaseMemory& memory, Stream& stream) {
    const int blocks = task.rows * task.columns;
    const PhaseBatches batches = phase_batches(blocks, params.phase_window, most_samples);
    const int wanted = std::max(params.phase_peaks, params.candidates);
    Mv* proposals = memory.proposals.reserve(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(wanted));
    PhaseWindows windows;
    windows.side_shift = std::countr_zero(static_cast<unsigned>(params.phase_window));
    windows.hann = params.phase_hann;
    windows.batch = batches.batch;
    reserve_memory(windows, memory, stream);
    windows.displacements = memory.displacements.data();
    for (; windows.first < blocks; windows.first += windows.batch) {
        fill(windows.displacements, 0, static_cast<std::size_t>(windows.batch) * sizeof(Displacement), stream);
        for (windows.layer = params.phase_layers - 1; windows.layer >= 0; --windows.layer) {
            windows.current = current.layer[windows.layer];
            windows.reference = reference.layer[windows.layer];
            correlate(task, windows, memory, stream);
            if (windows.layer > 0)
                launch_follow_peak(task, windows, memory.samples.data(), stream.get());
            else
                launch_propose_peaks(task, windows, memory.samples.data(), wanted, params.precision, proposals,
                                     stream.get());
        }
    }
    launch_measure_proposals(task, proposals, wanted, stream.get());
}

} // namespace tandem::cuda
