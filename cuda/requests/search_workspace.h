// SPDX-License-Identifier: BSD-2-Clause
// What one search at a time needs on a device: streams, staging memory, room for keys and results.
// Two workspaces of one device overlap: one uploads and downloads while the other computes.
#pragma once

#include <span>
#include <vector>

#include "cuda/device/device_frame.h"
#include "cuda/device/frame_cache.h"
#include "cuda/requests/device_search.h"
#include "cuda/texture/texture.h"
#include "me/coprocessor/backend.h"

namespace tandem::cuda {

/// What all workspaces of a device share.
struct DeviceFrames {
    static constexpr std::size_t spare_bytes = std::size_t{256} << 20; ///< Of small pictures, many are let go at once.
    std::shared_ptr<DevicePool> pool = std::make_shared<DevicePool>(spare_bytes);
    FrameCache<DeviceFrame> cache{48};
    Matrices matrices = Matrices::none;

    std::shared_ptr<DeviceFrame> of(const FramePtr& frame) {
        return cache.get(frame, [this] { return std::make_shared<DeviceFrame>(pool); });
    }
    /// Lets go what no search holds.
    void clear() {
        cache.clear();
        pool->drop_spares();
    }
};

class SearchWorkspace {
  public:
    explicit SearchWorkspace(std::shared_ptr<DeviceFrames> frames);

    /// Fills the band's rows of the field, from the request's start field where it has one. The device must be the
    /// calling thread's. Throws RunError.
    void search(const MotionRequest& request, const BlockRows& band, MotionField& field);

    /// Requests that are alike(), at least one and at most DeviceSearch::most_pictures() of their task, with predictors
    /// of zero or hints: their fields, by one launch of each kernel. False, and nothing done, where the references'
    /// planes do not have one stride.
    bool search_batch(std::span<const MotionRequest> requests, const BlockRows& band, std::span<MotionField> fields);

    /// A request of several sizes of which sizes_in_one_pass() answers all; the fields are empty ones of these sizes.
    void search_sizes(const MotionRequest& request, std::span<MotionField> fields);

  private:
    /// Waits until nothing that is queued touches what is about to be let go.
    void stop();
    struct HeldPair;
    void hold_pictures(std::span<const MotionRequest> requests, std::span<HeldPair> held);
    const Mv* queue_batch_predictors(std::span<const MotionRequest> requests, const BlockRows& band,
                                     std::size_t blocks);
    void queue_batch(const SearchParams& params, const SearchTask& task, const HeldPair& first,
                     const BatchPlanes& planes);
    void queue_full_batch(const SearchTask& task, const PictureBatch& batch);
    void queue_sizes(const SearchParams& params, const WordPlane& current, const WordPlanes& reference,
                     Candidate* found, std::span<const MotionField> fields);
    void queue_search(const SearchParams& params, int reach, const SearchTask& task, const SearchPictures& pictures,
                      const Texture& texture);
    /// Of `count` candidates, which lie in page-locked memory until all that is queued is done.
    void queue_refinement(const SearchParams& params, int reach, const SearchTask& task, const Candidate* start,
                          std::size_t count);
    void queue_texture_search(const SearchTask& task, const Texture& texture);
    const Mv* queue_predictors(const MotionRequest& request, BlockRows band, const MotionField& field);
    void queue_full_search(const SearchTask& task);
    /// What is queued on `later` from now on begins after all that is queued on `earlier`.
    void hand_over(const Stream& earlier, Stream& later);
    void place_lanes(FullSearchPlan& plan);
    /// In thread_places_: `first_thread`, and after it the threads' places.
    void place_lanes(const std::vector<int>& first_thread, int thread_count);
    void place_keys(const SearchTask& task, FullSearchPlan& plan);

    std::shared_ptr<DeviceFrames> frames_;
    Stream upload_{Stream::Priority::urgent};
    Stream compute_;                          ///< The kernels that take long;
    Stream finish_{Stream::Priority::urgent}; ///< those after them, which do not wait for other workspaces' long ones.
    Event handed_over_, done_;
    UploadRing ring_;
    PinnedBuffer<Mv> predictor_staging_;
    DeviceBuffer<Mv> predictors_;
    PinnedBuffer<std::uint32_t> place_staging_;
    DeviceBuffer<std::uint32_t> thread_places_;
    std::vector<int> placed_threads_; ///< What thread_places_ was made from.
    DeviceBuffer<VectorKey> keys_, selected_, best_;
    DeviceBuffer<std::uint32_t> stretch_distortions_;
    DeviceBuffer<std::uint8_t> correlation_;
    std::size_t clean_blocks_ = 0; ///< So many elements of best_ are as between searches.
    SearchMemory memory_;
    DeviceBuffer<Candidate> found_;
    PinnedBuffer<Candidate> results_;
};

} // namespace tandem::cuda
