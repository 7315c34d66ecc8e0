// SPDX-License-Identifier: BSD-2-Clause
// Everything that one `tandem motion` writes and says.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/json.h"
#include "app/motion/field_drawing.h"
#include "app/motion/motion_options.h"
#include "app/motion/motion_record.h"
#include "app/motion/numbered_fields.h"
#include "app/motion/picture_pairs.h"
#include "files/atomic_file.h"
#include "machine/trace.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor.h"
#include "video/frame_sink.h"

namespace tandem {

/// Measures pairs as their fields come and hands them to the files that were asked for. Files appear under their names
/// in finish(); when that is not reached, what was there before stays.
class MotionOutputs {
  public:
    /// Opens all files, so that a name that cannot be written or read is known before anything is searched. `search`:
    /// the parameters in force. `trace` may be null; what is passed outlives the outputs.
    MotionOutputs(const MotionOptions& options, const SearchParams& search, const VideoFormat& format, Trace* trace);

    /// In the order of the pairs.
    void write(const PicturePair& pair, const MotionResult& result);
    /// The same of a vector for each sample that nobody searched.
    void write_samples(const PicturePair& pair, std::span<const Pels> vectors);
    void finish(bool interrupted);
    const MotionRecord& total() const { return total_; }

  private:
    using Clock = std::chrono::steady_clock;
    void write_pictures(const PicturePair& pair, const Frame& prediction);
    void keep(const PicturePair& pair, const MotionRecord& record);
    void say(const std::string& label, const MotionRecord& record);
    void print(const std::string& line);

    const MotionOptions& options_;
    const SearchParams& search_;
    const VideoFormat& format_;
    Trace* trace_;
    bool writes_files_ = false; ///< Beside the table.
    Workers workers_;
    std::optional<NumberedFields> truth_, compared_;
    std::unique_ptr<FieldWriter> field_;
    std::unique_ptr<FrameSink> compensated_, residual_;
    std::unique_ptr<FieldDrawing> drawing_;
    std::optional<AtomicFile> stats_, report_, trace_file_;
    bool shows_table_;
    MotionRecord total_;
    Json pairs_ = Json::array();
    Clock::time_point start_ = Clock::now();
};

} // namespace tandem
