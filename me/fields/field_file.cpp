// SPDX-License-Identifier: BSD-2-Clause
#include "me/fields/field_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "files/file_name.h"
#include "machine/errors.h"
#include "me/fields/formats.h"
#include "me/pels.h"

namespace tandem {

namespace {

std::string sizes(const FieldGeometry& geometry) {
    const auto side = [](int size) { return size == 0 ? std::string("?") : std::to_string(size); };
    const std::string picture = side(geometry.picture_width) + "x" + side(geometry.picture_height);
    if (geometry.block_width == 0 && geometry.block_height == 0) return picture;
    return picture + " in blocks of " + side(geometry.block_width) + "x" + side(geometry.block_height);
}

bool is_yuview(const std::string& path) {
    return lower_case_extension(path) == ".csv" &&
           lower_case_extension(path.substr(0, path.size() - std::string(".csv").size())) == ".yuview";
}

} // namespace

std::unique_ptr<FieldWriter> create_field_file(const std::string& path, const std::string& metric) {
    const bool plain = std::all_of(metric.begin(), metric.end(),
                                   [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != ';'; });
    if (!plain) throw InputError(path + ": a metric's name is plain text without \" \\ and ;: '" + metric + "'");
    const std::string extension = lower_case_extension(path);
    if (extension == ".tmf") return create_tandem_field_file(path, metric);
    if (extension == ".npy") return create_numpy_field_file(path);
    if (extension == ".flo") return create_flow_file(path);
    if (is_yuview(path)) return create_yuview_file(path, metric);
    if (extension == ".csv") return create_ffmpeg_file(path);
    if (extension == ".jsonl") return create_json_lines_file(path, metric);
    throw InputError(path + ": the extension '" + extension +
                     "' is none of a motion field: .tmf, .npy, .flo, .yuview.csv, .csv, .jsonl");
}

bool is_field_file_of(const std::string& path, const std::string& name) {
    const std::string to = real_path(path), other = real_path(name), extension = lower_case_extension(path);
    // By the names as they were given first: a wrong one is refused as such.
    if (extension == ".flo" && (is_numbered_flow_file(path, name) || is_numbered_flow_file(to, other))) return true;
    if (extension == ".npy") {
        const NumpyNames beside(to);
        if (other == beside.costs || other == beside.distortions || other == beside.candidates ||
            other == beside.pictures)
            return true;
    }
    return to == other;
}

std::unique_ptr<FieldReader> open_field_file(const std::string& path, const FieldGeometry& geometry,
                                             const std::atomic<bool>* stop) {
    const std::string extension = lower_case_extension(path);
    if (extension == ".tmf") return open_tandem_field_file(path, geometry, stop);
    if (extension == ".npy") return open_numpy_field_file(path, geometry, stop);
    if (extension == ".flo") return open_flow_file(path, geometry, stop);
    if (extension == ".png") return open_kitti_file(path, geometry, stop);
    throw InputError(path + ": the extension '" + extension +
                     "' is none of a motion field that can be read: .tmf, .npy, .flo, .png");
}

void RecordRules::check(const FieldRecord& record) {
    const FieldGeometry geometry = geometry_of(record.field);
    if (candidates_ == 0) {
        agree(path_, geometry, {});
        geometry_ = geometry;
        candidates_ = record.field.candidates();
        if (candidates_ > most_candidates) {
            throw InputError(path_ + ": " + std::to_string(candidates_) + " candidates a block; a file has at most " +
                             std::to_string(most_candidates));
        }
    }
    if (geometry != geometry_ || record.field.candidates() != candidates_) {
        throw InputError(path_ + ": a field of " + sizes(geometry) + " with " +
                         std::to_string(record.field.candidates()) + " candidates after one of " + sizes(geometry_) +
                         " with " + std::to_string(candidates_) + "; a file holds fields of one kind");
    }
    if (record.picture > last_picture) {
        throw InputError(path_ + ": picture " + std::to_string(record.picture) + " is beyond " +
                         std::to_string(last_picture));
    }
    if (record.picture < 0 || record.reference_offset == 0 || record.picture + record.reference_offset < 0) {
        throw InputError(path_ + ": picture " + std::to_string(record.picture) + " cannot be predicted from picture " +
                         std::to_string(record.picture + record.reference_offset));
    }
    if (has_gap(record.field))
        throw InputError(path_ + ": a candidate after an empty one for picture " + std::to_string(record.picture));
}

FieldGeometry geometry_of(const MotionField& field) {
    return {field.picture_width(), field.picture_height(), field.block_width(), field.block_height()};
}

bool has_gap(const MotionField& field) {
    const std::span<const Candidate> all = field.all();
    const auto candidates = static_cast<std::size_t>(field.candidates());
    for (std::size_t i = 1; i < all.size(); ++i)
        if (i % candidates != 0 && has_vector(all[i]) && !has_vector(all[i - 1])) return true;
    return false;
}

FieldGeometry agree(const std::string& name, const FieldGeometry& found, const FieldGeometry& wanted) {
    FieldGeometry both = found;
    bool contradiction = false;
    for (int FieldGeometry::*side : {&FieldGeometry::picture_width, &FieldGeometry::picture_height,
                                     &FieldGeometry::block_width, &FieldGeometry::block_height}) {
        if (both.*side == 0) both.*side = wanted.*side;
        contradiction = contradiction || (wanted.*side != 0 && both.*side != wanted.*side);
    }
    if (contradiction) {
        throw InputError(name + ": the fields are of " + sizes(found) + "; " + sizes(wanted) + " is wanted");
    }
    for (const int side : {both.picture_width, both.picture_height, both.block_width, both.block_height}) {
        if (side == 0)
            throw InputError(name + ": the file does not say all sizes, and nobody else does: " + sizes(both));
        if (side < 0 || side > largest_field_side) {
            throw InputError(name + ": fields of " + sizes(both) + "; sizes are 1 to " +
                             std::to_string(largest_field_side));
        }
    }
    return both;
}

Candidate candidate_from_pels(const std::string& name, double x, double y) {
    constexpr double unknown = 1e9;
    if (!(std::abs(x) < unknown && std::abs(y) < unknown)) return {};
    constexpr double limit = std::numeric_limits<std::int16_t>::max();
    const double eighths_x = std::round(x * eighths_per_pel), eighths_y = std::round(y * eighths_per_pel);
    if (!(std::abs(eighths_x) <= limit && std::abs(eighths_y) <= limit)) {
        throw InputError(name + ": the vector (" + std::to_string(x) + ", " + std::to_string(y) +
                         ") is longer than 4095 7/8 pels");
    }
    return {{static_cast<std::int16_t>(eighths_x), static_cast<std::int16_t>(eighths_y)}, 0, 0};
}

} // namespace tandem
