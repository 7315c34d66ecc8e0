// SPDX-License-Identifier: BSD-2-Clause
// Fields for the caller, and the caller's own.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "c/c_handles.h"
#include "me/fields/formats.h"

namespace tandem {

std::unique_ptr<tandem_field> field_handle_of(std::shared_ptr<const MotionField> field) {
    return std::unique_ptr<tandem_field>(new tandem_field{std::move(field)});
}

namespace {

void check_limit(const char* what, std::int32_t value, int most) {
    if (value >= 1 && value <= most) return;
    throw InputError(std::string(what) + ": " + std::to_string(value) + "; 1 to " + std::to_string(most));
}

template <class Number, class Put>
tandem_status put_all(const tandem_field* field, Number* to, std::size_t capacity, std::size_t each, const Put& put) {
    if (field == nullptr || to == nullptr || capacity < field->field->all().size() * each) return TANDEM_BAD_INPUT;
    for (const Candidate& candidate : field->field->all()) {
        put(candidate, to);
        to += each;
    }
    return TANDEM_OK;
}

} // namespace
} // namespace tandem

tandem_status tandem_field_create(tandem_estimator* estimator, int32_t picture_width, int32_t picture_height,
                                  int32_t block_width, int32_t block_height, int32_t candidates, const int16_t* vectors,
                                  const uint32_t* distortions, const uint32_t* costs, tandem_field** field) {
    if (field != nullptr) *field = nullptr;
    return tandem::guarded(estimator, [&] {
        if (field == nullptr || vectors == nullptr)
            throw tandem::InputError("field: its vectors or its place are NULL");
        tandem::check_limit("picture_width", picture_width, tandem::largest_field_side);
        tandem::check_limit("picture_height", picture_height, tandem::largest_field_side);
        tandem::check_limit("block_width", block_width, tandem::largest_field_side);
        tandem::check_limit("block_height", block_height, tandem::largest_field_side);
        tandem::check_limit("candidates", candidates, tandem::most_candidates);
        tandem::MotionField made(picture_width, picture_height, block_width, block_height, candidates);
        for (std::size_t i = 0; i < made.all().size(); ++i) {
            const std::uint32_t distortion = distortions != nullptr ? distortions[i] : 0;
            if (distortion == UINT32_MAX) continue; // As it was made: no candidate.
            const tandem::Mv mv{vectors[2 * i], vectors[2 * i + 1]};
            if (mv.x == INT16_MIN || mv.y == INT16_MIN) throw tandem::InputError("vectors: -32768; -32767 to 32767");
            made.all()[i] = {mv, distortion, costs != nullptr ? costs[i] : distortion};
        }
        if (tandem::has_gap(made)) throw tandem::InputError("distortions: a candidate after an empty one");
        *field = tandem::field_handle_of(std::make_shared<tandem::MotionField>(std::move(made))).release();
    });
}

void tandem_field_destroy(tandem_field* field) { delete field; }

int32_t tandem_field_rows(const tandem_field* field) { return field != nullptr ? field->field->rows() : 0; }
int32_t tandem_field_columns(const tandem_field* field) { return field != nullptr ? field->field->columns() : 0; }
int32_t tandem_field_candidates(const tandem_field* field) { return field != nullptr ? field->field->candidates() : 0; }

tandem_status tandem_field_vectors(const tandem_field* field, int16_t* vectors, size_t capacity) {
    return tandem::put_all(field, vectors, capacity, 2, [](const tandem::Candidate& candidate, int16_t* to) {
        to[0] = candidate.mv.x;
        to[1] = candidate.mv.y;
    });
}

tandem_status tandem_field_distortions(const tandem_field* field, uint32_t* distortions, size_t capacity) {
    return tandem::put_all(field, distortions, capacity, 1,
                           [](const tandem::Candidate& candidate, uint32_t* to) { *to = candidate.distortion; });
}

tandem_status tandem_field_costs(const tandem_field* field, uint32_t* costs, size_t capacity) {
    return tandem::put_all(field, costs, capacity, 1,
                           [](const tandem::Candidate& candidate, uint32_t* to) { *to = candidate.cost; });
}
