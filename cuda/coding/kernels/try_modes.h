// SPDX-License-Identifier: BSD-2-Clause
// What comes of a macroblock in each of its listed modes, whatever stands beside it.
#pragma once

#include "cuda/coding/kernels/code_blocks.h"

namespace tandem::cuda {

using TryScratch = BlocksScratch<6>;

/// Listed mode `number`, if there is one.
TANDEM_HOST_DEVICE inline void try_mode(const Lanes& lanes, const CodingTask& task, int macroblock, int number,
                                        TryScratch& scratch) {
    const ListedModes& listed = task.listed[macroblock];
    if (number >= listed.count) return;
    const Mode mode = listed.mode[number];
    BlocksCoder<6> blocks(lanes, task, macroblock, mode, 0, scratch);
    int step = blocks.wanted_step();
    Trial& trial = task.trials[static_cast<std::ptrdiff_t>(macroblock) * ListedModes::most + number];
    blocks.predict();
    const std::uint32_t alone_error = blocks.transform();
    lanes.once([&] { trial.alone_error = alone_error; });
    while (blocks.quantise(step))
        ++step;
    blocks.drop_what_does_not_pay();
    const std::uint32_t bits = blocks.bits();
    lanes.each(6, [&](int block) { trial.dc[block] = scratch.level[block][0]; });
    lanes.once([&] {
        trial.bits = bits;
        trial.pattern = static_cast<std::uint8_t>(blocks.pattern());
        trial.code = static_cast<std::uint8_t>(task.ladder[step].code);
    });
    blocks.rebuild(step);
    const std::uint32_t error = blocks.error();
    lanes.once([&] { trial.error = error; });
}

/// Of a P picture's macroblock: what zero predicts.
TANDEM_HOST_DEVICE inline void try_still(const Lanes& lanes, const CodingTask& task, int macroblock) {
    const std::uint32_t error =
        prediction_error(lanes, task, {mb_forward, {}, {}}, task.left(macroblock), task.top(macroblock));
    lanes.once([&] { task.still_error[macroblock] = error; });
}

} // namespace tandem::cuda
