// SPDX-License-Identifier: BSD-2-Clause
// The synchronous face of motion estimation: one backend, one request, one field.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "me/motion_field.h"
#include "me/search_params.h"
#include "video/frame.h"

namespace tandem {

class TaskPool;

/// One picture to be predicted from another. Both have the same size. Luma is searched, and chroma where the
/// parameters say so (Planes::all). A frame is known by its serial(): a device keeps what it has of one, so requests
/// that name the same frames upload them once.
///
///     MotionRequest whole{.current = picture, .reference = before, .params = {.range_x = 32, .range_y = 32}};
///     MotionRequest refinement = whole;                     // Half-pel steps about what `whole` found,
///     refinement.reference = reconstruction;                // measured against another picture.
///     refinement.params.precision = 2;
///     refinement.start = std::make_shared<MotionField>(coprocessor.submit(whole).get().field);
struct MotionRequest {
    FramePtr current;
    FramePtr reference;
    SearchParams params;
    std::shared_ptr<const MotionField> hint = {}; ///< Same block grid as the request's, or null.
    int first_row = 0;                            ///< Block rows first_row..end_row-1 are wanted;
    int end_row = -1; ///< -1: to the last. The field is whole, other rows are left unfilled.
    /// Null, or a field on the request's block grid, of whose candidates the first params.candidates of each block are
    /// refined as refine_subpel() does: nothing is searched, whatever params.algorithm says. Of one block size only.
    std::shared_ptr<const MotionField> start = {};
    /// Empty: one field, of the blocks of `params`. Else a field for each of these sizes, in the place of those of
    /// `params`: see Estimator::estimate_sizes().
    std::vector<BlockSize> sizes = {};
};

/// A backend. The same request gives the same field, bit for bit, from every estimator that supports its parameters
/// (phase correlation and texture interpolation apart: docs/cuda.md).
class Estimator {
  public:
    virtual ~Estimator() = default;
    /// "cpu", "gpu:0 NVIDIA H200": for messages, traces and reports.
    virtual std::string name() const = 0;
    /// Thread-safe.
    virtual bool supports(const SearchParams& params) const = 0;
    /// So many threads may be in estimate() at a time, and gain by it: at least 1, constant.
    virtual int concurrency() const { return 1; }
    /// Gets ready for requests with these parameters for pictures of this size, so that the first ones take no longer
    /// than the others; nothing where there is nothing to do. May run beside searches. Throws RunError when the device
    /// fails.
    virtual void prepare(const SearchParams& params, int width, int height);
    /// Whether estimate() also takes requests with such parameters and a start field. Thread-safe.
    virtual bool refines(const SearchParams& params) const;
    /// Of one block size. Throws InputError for a request that breaks the contract above, RunError when the device
    /// fails.
    virtual MotionField estimate(const MotionRequest& request) = 0;
    /// Requests with these parameters for pictures of this size gain by going to estimate_batch() together, up to so
    /// many of them: at least 1, constant. Thread-safe.
    virtual int most_at_once(const SearchParams& params, int width, int height) const;
    /// One field per request, in their order: each is what estimate() gives for it. Those that are alike() may be
    /// searched together. When one fails, all do.
    virtual std::vector<MotionField> estimate_batch(std::span<const MotionRequest> requests);
    /// One field per block size, in their order: each is what estimate() gives for the request with that block size,
    /// and with its hint, where it has one, resampled to the size (see resample.h). Whole pictures only: a request for
    /// some block rows is an InputError. What sizes have in common may be measured once.
    virtual std::vector<MotionField> estimate_sizes(const MotionRequest& request, std::span<const BlockSize> sizes);
};

/// Whether two searches of one block size differ in the samples of their pictures and in hints at most: same
/// parameters, sizes and rows. Refinements are alike to nothing.
bool alike(const MotionRequest& a, const MotionRequest& b);

/// The requests of which estimate_sizes() answers all.
std::vector<MotionRequest> requests_of_sizes(const MotionRequest& request, std::span<const BlockSize> sizes);

/// What the estimator answers to any request: one field, or one for each of MotionRequest::sizes.
std::vector<MotionField> answers_to(Estimator& estimator, const MotionRequest& request);

/// The CPU backend; `threads` >= 1 rows of blocks at a time.
std::unique_ptr<Estimator> make_cpu_estimator(int threads);
/// The same on the threads of a pool, which outlives it and is asked by other threads than its own: for those who have
/// other work for them too. Rows are tasks of this rank, or whole searches
/// where there is little to do in a row.
std::unique_ptr<Estimator> make_cpu_estimator(TaskPool& pool, std::int64_t rank);

/// The GPUs' backends, one per usable device: linked from cuda/, which gives an empty list where CUDA was not built in,
/// or there is no driver, or no device. `wanted` names devices by their number ("gpu:2" is 2), and only those are
/// opened; empty: all. `why_not` (may be null) gets one line that says why there is none, or why some of them cannot be
/// used; empty where all can. From then on calls of this library may leave another CUDA device current to their thread.
std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_not, const std::vector<int>& wanted = {});

} // namespace tandem
