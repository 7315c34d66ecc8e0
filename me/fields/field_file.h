// SPDX-License-Identifier: BSD-2-Clause
// Motion fields in files: Tandem's own format and those of other programs. docs/motion-fields.md describes each.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "me/motion_field.h"
#include "me/pels.h"

namespace tandem {

/// The field of one pair of pictures. `picture` was predicted from picture + reference_offset.
struct FieldRecord {
    MotionField field;
    std::int64_t picture = 0;  ///< Display number of the predicted picture, 0..2^53.
    int reference_offset = -1; ///< Not 0; -1 is the picture before. picture + reference_offset is 0 or more.

    bool operator==(const FieldRecord&) const = default;
};

/// What a reader is told of the fields it will find. 0 is "not known": the file says it.
struct FieldGeometry {
    int picture_width = 0;  ///< Luma samples, 1..16384.
    int picture_height = 0; ///< Luma rows, 1..16384.
    int block_width = 0;    ///< Luma samples, 1..16384.
    int block_height = 0;   ///< Luma rows, 1..16384.

    bool operator==(const FieldGeometry&) const = default;
};

/// Takes fields of one geometry and one number of candidates, in the order in which they shall stand.
/// Nothing is seen under the target's name before finish() (numbered files: before the file is complete). Every write
/// is checked: RunError names the file and the system's reason.
class FieldWriter {
  public:
    virtual ~FieldWriter() = default;
    /// Throws InputError for a record that the format cannot hold.
    virtual void write(const FieldRecord& record) = 0;
    virtual void finish() = 0;
};

/// The format is that of the extension:
///   .tmf         Tandem's motion fields: all there is, without loss
///   .npy         NumPy: float32 pels; beside it NAME.cost.npy and NAME.distortion.npy, and for K > 1
///                NAME.candidates.npy; NAME.pictures.npy where the pictures are not 1, 2, ... each predicted from the
///                one before; what an older field left by these names and this one does not need is removed
///   .flo         Middlebury optical flow, a vector for each pel: one pair a file; a name with %d or %04d makes
///                one file for each pair, numbered by its picture
///   .yuview.csv  statistics for YUView
///   .csv         FFmpeg's AVMotionVector, a line for each block
///   .jsonl       JSON lines, a line for each pair
/// `metric` says in what the distortions are counted ("sad", "ssd", "satd", or more, as `tandem motion` says "sad
/// yuv+4b" of three planes and lambda 4; at most 23 printable characters, none of them " \ or ;. Empty: not said).
/// Throws InputError for another extension, naming these, and where the file cannot be written.
std::unique_ptr<FieldWriter> create_field_file(const std::string& path, const std::string& metric = "");

/// Whether the file `name` is one of those that `path` stands for: itself, one of those beside it (.npy), or one of its
/// numbered files. Links are followed. Throws InputError for a number that is none.
bool is_field_file_of(const std::string& path, const std::string& name);

/// Gives the records in the order of the file.
class FieldReader {
  public:
    virtual ~FieldReader() = default;
    /// The next record, or nothing after the last. Throws InputError where the file is broken or cut.
    virtual std::optional<FieldRecord> read() = 0;
    /// The best vectors of the record that read() gave last, in raster order, as exact as the file has them: what a
    /// field is held against as the truth. Empty where the record's own are exact; valid until the next read().
    virtual std::span<const Pels> exact_vectors() const { return {}; }
    /// Of all fields that will be read; complete.
    virtual FieldGeometry geometry() const = 0;
    /// As given to create_field_file(); empty where the format does not say it.
    virtual std::string metric() const { return {}; }
    /// Whether distortions and costs are those of a search; otherwise both are 0 for each vector.
    virtual bool has_costs() const { return false; }
};

/// Opens a .tmf, .npy or .flo file, or a .png as KITTI has them (16 bits; a build with FFmpeg). `geometry` completes
/// the formats that lack it and is checked against those that have it: .tmf has all of it, .flo and .png the picture's
/// size, .npy nothing but the numbers of rows and columns, of blocks or of samples. Formats without pictures' numbers
/// (.npy has them in NAME.pictures.npy, if it is there) give 1, 2, ... as pictures, each predicted from the one before;
/// numbered .flo files give their numbers. Formats without costs give 0 as distortion and cost of each vector. Vectors
/// are rounded to the nearest eighth of a pel, halves away from zero. Of a vector for each sample (.flo, .png, .npy)
/// blocks get that of their middle one. Throws InputError for another extension, a file that cannot be read, a broken
/// header, or another geometry. `stop` (may be null, not owned): once it is true, a wait for a slow pipe ends as if the
/// file ended there.
std::unique_ptr<FieldReader> open_field_file(const std::string& path, const FieldGeometry& geometry = {},
                                             const std::atomic<bool>* stop = nullptr);

} // namespace tandem
