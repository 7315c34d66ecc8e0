// SPDX-License-Identifier: BSD-2-Clause
// How many blocks phase correlation transforms at a time.
#pragma once

namespace tandem::cuda {

/// `blocks` (at least 1) in so many batches of `batch`, the last of which may have fewer.
struct PhaseBatches {
    int count = 0, batch = 0;
    bool operator==(const PhaseBatches&) const = default;
};

/// As even as can be, none of more samples than `most_samples` but for a single window of each picture.
PhaseBatches phase_batches(int blocks, int side, int most_samples);

} // namespace tandem::cuda
