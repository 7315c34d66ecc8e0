// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/requests/device_search.h"

#include <algorithm>
#include <utility>

#include "cuda/kernels.h"
#include "me/search.h"
#include "me/search/levels/coarse_motion.h"

namespace tandem::cuda {

namespace {

/// On the smallest level of a pyramid a warp measures every vector of a block.
constexpr int most_range_of_top_level = 128;

bool always(const SearchParams&) { return true; }
PictureNeeds nothing(const SearchParams&) { return {}; }

/// Of searches with a warp for each block, whose launches take the host as long as small pictures take the device: as
/// many as fill it, of which the results stay small.
int walks_at_once(const SearchTask& task) {
    constexpr int most_candidates = 1 << 16, most = 8;
    if (task.metric != Metric::sad || task.grid_shift > 0) return 1;
    return std::clamp(most_candidates / std::max(task.rows * task.columns * task.candidates, 1), 1, most);
}

constexpr DeviceSearch full{
    .supports = [](const SearchParams& p) { return p.grid * (p.range_x + p.range_y) <= farthest_position; },
    .needs = nothing,
    .queue = nullptr,
    .pictures_at_once = pictures_at_once,
    .most_pictures = [](const SearchTask& task) { return can_batch(task) ? most_pictures_of(task) : 1; }};

constexpr DeviceSearch walk{.supports = always,
                            .needs = nothing,
                            .queue =
                                [](const SearchParams& params, const SearchTask& task, const SearchPictures& pictures,
                                   SearchMemory& memory, Stream& stream) {
                                    const CoarseCells coarse =
                                        queue_coarse(params, task, 0, pictures.pyramids, {}, memory.coarse, stream);
                                    launch_walk(task, walk_of(params), coarse, stream.get());
                                },
                            .pictures_at_once = walks_at_once,
                            .most_pictures = walks_at_once,
                            .queue_batch =
                                [](const SearchParams& params, const SearchTask& task, const HeldPyramids& of_the_first,
                                   const BatchPlanes& planes, SearchMemory& memory, Stream& stream) {
                                    const CoarseCells coarse = queue_coarse(params, task, 0, of_the_first,
                                                                            planes.levels, memory.coarse, stream);
                                    launch_walk_batch(task, walk_of(params), coarse, planes.whole, stream.get());
                                }};

constexpr DeviceSearch smpuhex{
    .supports = [](const SearchParams& params) { return params.block_order == BlockOrder::passes; },
    .needs = nothing,
    .queue =
        [](const SearchParams& params, const SearchTask& task, const SearchPictures& pictures, SearchMemory& memory,
           Stream& stream) {
            const int above = rows_searched_above(params, task.first_row);
            const CoarseCells coarse = queue_coarse(params, task, above, pictures.pyramids, {}, memory.coarse, stream);
            queue_smpuhex(params, task, coarse, memory.passes, stream);
        }};

constexpr DeviceSearch hierarchical{
    .supports =
        [](const SearchParams& params) {
            return std::max(params.range_x, params.range_y) >> (params.levels - 1) <= most_range_of_top_level;
        },
    .needs =
        [](const SearchParams& params) {
            return PictureNeeds{params.levels, 0};
        },
    .queue = [](const SearchParams& params, const SearchTask& task, const SearchPictures& pictures, SearchMemory&,
                Stream& stream) { queue_hierarchical(params, task, pictures.pyramids, stream); }};

constexpr DeviceSearch predictive{.supports = always,
                                  .needs = nothing,
                                  .queue = [](const SearchParams& params, const SearchTask& task,
                                              const SearchPictures& pictures, SearchMemory& memory, Stream& stream) {
                                      const CoarseCells coarse =
                                          queue_coarse(params, task, 0, pictures.pyramids, {}, memory.coarse, stream);
                                      queue_predictive(params, task, coarse, pictures.pyramids, stream);
                                  }};

constexpr DeviceSearch phase{.supports = [](const SearchParams&) { return has_device_fourier(); },
                             .needs =
                                 [](const SearchParams& params) {
                                     return PictureNeeds{0, params.phase_layers};
                                 },
                             .queue =
                                 [](const SearchParams& params, const SearchTask& task, const SearchPictures& pictures,
                                    SearchMemory& memory, Stream& stream) {
                                     queue_phase(params, task, pictures.layers.current.layers,
                                                 pictures.layers.reference.layers, memory.phase, stream);
                                 }};

constexpr std::pair<Algorithm, const DeviceSearch*> searches[] = {
    {Algorithm::full, &full},
    {Algorithm::smpuhex, &smpuhex},
    {Algorithm::hierarchical, &hierarchical},
    {Algorithm::predictive, &predictive},
    {Algorithm::phase, &phase},
};

} // namespace

const DeviceSearch* device_search(const SearchParams& params) {
    if (search_row(params.algorithm).walk != nullptr) return &walk;
    const auto* const found =
        std::ranges::find(searches, params.algorithm, &std::pair<Algorithm, const DeviceSearch*>::first);
    return found == std::end(searches) ? nullptr : found->second;
}

PictureNeeds needs_of(const SearchParams& params, int width, int height) {
    PictureNeeds needs = device_search(params)->needs(params);
    if (begins_at_predictors(params)) needs.levels = std::max(needs.levels, pyramid_levels(params, width, height));
    return needs;
}

} // namespace tandem::cuda
