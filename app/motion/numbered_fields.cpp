// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/numbered_fields.h"

#include <optional>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "files/file_name.h"
#include "machine/errors.h"
#include "me/samples/resample.h"

namespace tandem {

namespace {

/// What `read` gives; an interrupt makes a file look cut.
template <class Read> auto unless_interrupted(const Read& read) {
    try {
        return read();
    } catch (const InputError& error) {
        if (interrupted()) throw Interrupted(error.what());
        throw;
    }
}

} // namespace

NumberedFields::NumberedFields(std::string role, const std::string& path, const FieldGeometry& geometry)
    : role_(std::move(role)), path_(path), geometry_(geometry) {
    FieldGeometry wanted = geometry;
    const bool knows_blocks = lower_case_extension(path) == ".tmf";
    if (knows_blocks) wanted.block_width = wanted.block_height = 0;
    reader_ = unless_interrupted([&] { return open_field_file(path, wanted, &interrupt_flag()); });
    if (has_these_blocks()) {
        metric_ = reader_->metric();
    } else {
        const FieldGeometry found = reader_->geometry();
        spdlog::info("{} {} has blocks of {}x{}; those here take the vectors of these in which their middles lie",
                     role_, path, found.block_width, found.block_height);
    }
}

MotionField NumberedFields::field_of(const PicturePair& pair) {
    std::optional<std::int64_t> other;
    while (auto record = unless_interrupted([&] { return reader_->read(); })) {
        if (record->picture < pair.picture) continue;
        if (record->picture > pair.picture && !other) {
            throw InputError(fmt::format("{} {}: there is no field for picture {} before that of picture {}", role_,
                                         path_, pair.picture, record->picture));
        }
        if (record->picture > pair.picture) break;
        const std::int64_t reference = record->picture + record->reference_offset;
        if (reference == pair.reference) {
            if (has_these_blocks()) return std::move(record->field);
            return resample(record->field, geometry_.block_width, geometry_.block_height);
        }
        other = reference;
    }
    if (other) {
        throw InputError(fmt::format("{} {}: picture {} is predicted from picture {} there, not from {}", role_, path_,
                                     pair.picture, *other, pair.reference));
    }
    throw InputError(fmt::format("{} {}: there is no field for picture {}", role_, path_, pair.picture));
}

std::vector<Pels> NumberedFields::vectors_of(const PicturePair& pair) {
    const MotionField field = field_of(pair);
    const std::span<const Pels> exact = reader_->exact_vectors();
    return exact.empty() ? best_in_pels(field) : std::vector<Pels>(exact.begin(), exact.end());
}

} // namespace tandem
