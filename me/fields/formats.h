// SPDX-License-Identifier: BSD-2-Clause
// The formats behind create_field_file() and open_field_file(), one maker each, and what they share.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "me/block.h"
#include "me/candidate_list.h"
#include "me/fields/field_file.h"

namespace tandem {

inline constexpr int largest_field_side = 16384; ///< Of pictures and blocks.

std::unique_ptr<FieldWriter> create_tandem_field_file(const std::string& path, const std::string& metric);
std::unique_ptr<FieldWriter> create_numpy_field_file(const std::string& path);
std::unique_ptr<FieldWriter> create_flow_file(const std::string& path);
std::unique_ptr<FieldWriter> create_yuview_file(const std::string& path, const std::string& metric);
std::unique_ptr<FieldWriter> create_ffmpeg_file(const std::string& path);
std::unique_ptr<FieldWriter> create_json_lines_file(const std::string& path, const std::string& metric);

std::unique_ptr<FieldReader> open_tandem_field_file(const std::string& path, const FieldGeometry& geometry,
                                                    const std::atomic<bool>* stop);
std::unique_ptr<FieldReader> open_numpy_field_file(const std::string& path, const FieldGeometry& geometry,
                                                   const std::atomic<bool>* stop);
std::unique_ptr<FieldReader> open_flow_file(const std::string& path, const FieldGeometry& geometry,
                                            const std::atomic<bool>* stop);

std::unique_ptr<FieldReader> open_kitti_file(const std::string& path, const FieldGeometry& geometry,
                                             const std::atomic<bool>* stop);

/// What stands beside NAME.npy.
struct NumpyNames {
    explicit NumpyNames(const std::string& path);
    std::string costs, distortions, candidates, pictures;
};

/// Removes what an older field of the same name has left, which would pass as this one's; nothing where it is not
/// there. Throws RunError where it cannot be removed.
void remove_old_file(const std::string& name);

/// Whether `path` has a picture's number, and `name` is what some number makes of it.
bool is_numbered_flow_file(const std::string& path, const std::string& name);

/// Numbers of pictures up to here are doubles without a loss, as JSON's readers have them.
inline constexpr std::int64_t last_picture = std::int64_t{1} << 53;

/// What a writer holds its records against.
class RecordRules {
  public:
    explicit RecordRules(std::string path) : path_(std::move(path)) {}
    /// Throws InputError for a record whose geometry or number of candidates is not the first one's, or whose pictures
    /// are none, or beyond last_picture, or where a candidate stands after an empty one.
    void check(const FieldRecord& record);
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    FieldGeometry geometry_;
    int candidates_ = 0;
};

FieldGeometry geometry_of(const MotionField& field);

/// Whether a candidate stands after an empty one of its block, which no field may have.
bool has_gap(const MotionField& field);

/// `found` completed by what is `wanted`. Throws InputError naming the file where they contradict each other, neither
/// says it, or a size is out of range.
FieldGeometry agree(const std::string& name, const FieldGeometry& found, const FieldGeometry& wanted);

/// The sample whose vector a block gets of a field that has one for each: its middle along one side (of an even number
/// the later one), for the block that `at` lies in.
inline int middle_of_block(int at, int block, int picture) {
    const int first = at / block * block;
    return first + std::min(block, picture - first) / 2;
}

/// The vector nearest to (x, y) pels as a candidate without costs; none where a component is NaN or, as in Middlebury's
/// files, has a magnitude of 1e9 or more. Throws InputError naming the file where it is out of Mv's range.
Candidate candidate_from_pels(const std::string& name, double x, double y);

} // namespace tandem
