// SPDX-License-Identifier: BSD-2-Clause
// me/candidate_list.h for one candidate.
#pragma once

#include "me/motion.h"

namespace tandem::cuda {

class BestCandidate {
  public:
    __device__ bool empty() const { return !has_vector(best_); }
    __device__ Candidate best() const { return best_; }
    __device__ void clear() { best_ = {}; }
    __device__ void offer(const Candidate& candidate) {
        if (better(candidate, best_)) best_ = candidate;
    }
    /// The only one is the best, whose place is not taken.
    __device__ void force(const Candidate& wanted, Mv = {}) {
        if (empty()) best_ = wanted;
    }
    __device__ void promote(Mv) {}
    __device__ void store(Candidate* slots) const { slots[0] = best_; }

  private:
    Candidate best_;
};

} // namespace tandem::cuda
