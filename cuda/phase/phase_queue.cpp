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

/// The correlations of a batch on one layer, to room.samples.
void correlate(const SearchTask& task, const PhaseWindows& windows, PhaseRoom& room, Stream& stream) {
    launch_cut_windows(task, windows, room.samples.data(), stream.get());
    room.fourier.forward(room.samples.data(), room.spectra.data());
    launch_cross_power(windows, room.spectra.data(), stream.get());
    float2* cross =
        room.spectra.data() + static_cast<std::size_t>(windows.batch) * static_cast<std::size_t>(windows.spectrum());
    room.fourier.inverse(cross, room.samples.data());
}

void make_room(const PhaseWindows& windows, PhaseRoom& room, Stream& stream) {
    const auto pairs = static_cast<std::size_t>(windows.batch) * 2;
    room.samples.reserve(pairs * static_cast<std::size_t>(windows.area()));
    room.spectra.reserve(pairs * static_cast<std::size_t>(windows.spectrum()));
    room.displacements.reserve(static_cast<std::size_t>(windows.batch));
    room.fourier.plan(windows.side(), windows.batch, stream.get());
}

} // namespace

void queue_phase(const SearchParams& params, const SearchTask& task, const SampleLayers& current,
                 const SampleLayers& reference, PhaseRoom& room, Stream& stream) {
    const int blocks = task.rows * task.columns;
    const PhaseBatches batches = phase_batches(blocks, params.phase_window, most_samples);
    const int wanted = std::max(params.phase_peaks, params.candidates);
    Mv* proposals = room.proposals.reserve(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(wanted));
    PhaseWindows windows;
    windows.side_shift = std::countr_zero(static_cast<unsigned>(params.phase_window));
    windows.hann = params.phase_hann;
    windows.batch = batches.batch;
    make_room(windows, room, stream);
    windows.displacements = room.displacements.data();
    for (; windows.first < blocks; windows.first += windows.batch) {
        fill(windows.displacements, 0, static_cast<std::size_t>(windows.batch) * sizeof(Displacement), stream);
        for (windows.layer = params.phase_layers - 1; windows.layer >= 0; --windows.layer) {
            windows.current = current.layer[windows.layer];
            windows.reference = reference.layer[windows.layer];
            correlate(task, windows, room, stream);
            if (windows.layer > 0)
                launch_follow_peak(task, windows, room.samples.data(), stream.get());
            else
                launch_propose_peaks(task, windows, room.samples.data(), wanted, params.precision, proposals,
                                     stream.get());
        }
    }
    launch_measure_proposals(task, proposals, wanted, stream.get());
}

} // namespace tandem::cuda
