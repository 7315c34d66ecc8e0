// SPDX-License-Identifier: BSD-2-Clause
#include "me/estimator.h"

#include "machine/errors.h"
#include "me/samples/resample.h"

namespace tandem {

bool alike(const MotionRequest& a, const MotionRequest& b) {
    const auto same_size = [](const FramePtr& one, const FramePtr& other) {
        return one && other && one->width() == other->width() && one->height() == other->height();
    };
    const auto is_a_search = [](const MotionRequest& one) { return !one.start && one.sizes.empty(); };
    return is_a_search(a) && is_a_search(b) && a.params == b.params && a.first_row == b.first_row &&
           a.end_row == b.end_row && same_size(a.current, b.current) && same_size(a.reference, b.reference);
}

void Estimator::prepare(const SearchParams&, int, int) {}

bool Estimator::refines(const SearchParams&) const { return false; }

int Estimator::most_at_once(const SearchParams&, int, int) const { return 1; }

std::vector<MotionField> Estimator::estimate_batch(std::span<const MotionRequest> requests) {
    std::vector<MotionField> fields;
    for (const MotionRequest& request : requests)
        fields.push_back(estimate(request));
    return fields;
}

std::vector<MotionRequest> requests_of_sizes(const MotionRequest& request, std::span<const BlockSize> sizes) {
    if (request.first_row != 0 || request.end_row != -1) {
        throw InputError("a search of several block sizes at once is of whole pictures");
    }
    if (request.start) throw InputError("a start field is refined for its own block size, not for several");
    std::vector<MotionRequest> requests;
    for (const BlockSize& size : sizes) {
        MotionRequest& one = requests.emplace_back(request);
        one.sizes.clear();
        one.params.block_width = size.width;
        one.params.block_height = size.height;
        const MotionField* hint = request.hint.get();
        if (hint == nullptr || !one.params.validate().empty()) continue;
        if (hint->block_width() == size.width && hint->block_height() == size.height) continue;
        one.hint = std::make_shared<MotionField>(resample(*hint, size.width, size.height));
    }
    return requests;
}

std::vector<MotionField> Estimator::estimate_sizes(const MotionRequest& request, std::span<const BlockSize> sizes) {
    std::vector<MotionField> fields;
    for (const MotionRequest& one : requests_of_sizes(request, sizes))
        fields.push_back(estimate(one));
    return fields;
}

std::vector<MotionField> answers_to(Estimator& estimator, const MotionRequest& request) {
    if (!request.sizes.empty()) return estimator.estimate_sizes(request, request.sizes);
    std::vector<MotionField> one;
    one.push_back(estimator.estimate(request));
    return one;
}

} // namespace tandem
