// SPDX-License-Identifier: BSD-2-Clause
// The table of searches on the GPU: a row for each that has kernels of its own, and one for all walks, whose data
// (me/search/walk.h) a kernel takes. So a new walk needs nothing here.
#pragma once

#include <vector>

#include "cuda/phase/phase_queue.h"
#include "cuda/requests/queue_search.h"
#include "me/search_params.h"

namespace tandem::cuda {

/// What a search reads of its two pictures beside their words.
struct PictureNeeds {
    int levels = 0; ///< Of pyramids, full size among them.
    int layers = 0; ///< Of means.
};

/// Layers of the two pictures of phase correlation.
struct HeldLayerPair {
    HeldLayers current, reference;
};

struct SearchPictures {
    HeldPyramids pyramids;
    HeldLayerPair layers;
};

/// The planes of several pictures that are searched together, and those of their pyramids' levels, from level 1 on.
struct BatchPlanes {
    PictureBatch whole;
    std::vector<PictureBatch> levels;
};

/// Device memory that searches use one after another.
struct SearchMemory {
    CoarseMemory coarse;
    PassMemory passes;
    PhaseMemory phase;
};

struct DeviceSearch {
    /// Whether it runs with these parameters, which are valid and name it.
    bool (*supports)(const SearchParams& params);
    PictureNeeds (*needs)(const SearchParams& params);
    /// Queues all but refinement. Null: full search, which a lane queues by itself.
    void (*queue)(const SearchParams& params, const SearchTask& task, const SearchPictures& pictures,
                  SearchMemory& memory, Stream& stream);
    /// Of how many pictures a worker gains by taking them together, and how many can go together, with predictors that
    /// are zero or hints and bilinear interpolation. Null: one.
    int (*pictures_at_once)(const SearchTask& task) = nullptr;
    int (*most_pictures)(const SearchTask& task) = nullptr;
    /// As queue(), for such pictures. Null: none, or full search.
    void (*queue_batch)(const SearchParams& params, const SearchTask& task, const HeldPyramids& of_the_first,
                        const BatchPlanes& planes, SearchMemory& memory, Stream& stream) = nullptr;
};

/// The row of the parameters' search; null where no GPU runs it.
const DeviceSearch* device_search(const SearchParams& params);

/// What the search reads, with what a coarse search needs where it begins at predictors.
PictureNeeds needs_of(const SearchParams& params, int width, int height);

} // namespace tandem::cuda
