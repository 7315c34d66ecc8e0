// SPDX-License-Identifier: BSD-2-Clause
// Who codes whole MPEG pictures, between samples and levels: the CPU here, a GPU behind the same interface.
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "coding/mpeg/mode.h"
#include "coding/mpeg/mpeg_tools.h"
#include "coding/mpeg/reference.h"
#include "coding/quality.h"
#include "machine/task_pool.h"
#include "machine/trace.h"
#include "me/motion_field.h"
#include "me/search_params.h"

namespace tandem {

/// Time that the stages of one picture took, over all threads, in nanoseconds.
struct MpegStageTimes {
    std::atomic<std::int64_t> refine{0}, decide{0}, residual{0};
};

/// One picture on its way through a backend.
struct MpegCodingJob {
    // What it is coded from.
    PictureType type = PictureType::intra;
    std::int64_t rank = 0;    ///< Its place in coding order: older pictures go first.
    std::int64_t display = 0; ///< For the trace.
    FramePtr source;          ///< At coded size.
    References references;    ///< They may still be in the making.
    /// By direction, forward and backward: the fields between source pictures, which become those on the
    /// reconstruction, and how they are refined.
    std::array<MotionField, 2> fields;
    std::array<std::array<int, 2>, 2> f_codes{}; ///< f_codes_of() each of these.
    std::array<SearchParams, 2> refinement;
    Quality quality;

    // What becomes of it.
    std::shared_ptr<Frame> reconstruction; ///< Written to. At coded size.
    std::shared_ptr<Reference> made;       ///< Of the reconstruction; null: no picture is predicted from it.
    MpegPicture picture;                   ///< Arrays of the tools' size: all but f_code is filled.
    MpegStageTimes times;
    /// By macroblock: gets the modes that it could have had, which the CPU's backend alone tells. Empty: nobody asks.
    std::vector<TriedModes> tried;
};

/// Constant but for the jobs. Every backend gives the same arrays and the same reconstruction, bit for bit.
class MpegBackend {
  public:
    using Done = std::function<void(std::exception_ptr)>;

    virtual ~MpegBackend() = default;
    /// "cpu", "gpu:0 NVIDIA H200": for messages and reports.
    virtual std::string name() const = 0;
    /// Whether it codes pictures with these tools.
    virtual bool supports(const MpegTools& tools) const = 0;
    /// Pictures that it can have in hand beside each other; what it gets beyond them waits.
    virtual int pictures_at_once() const = 0;
    /// Begins to code the picture and returns. `done` is called once, from some thread, when the arrays and the
    /// reconstruction are whole, or with what went wrong. The job stays the caller's and lives until then.
    virtual void code(MpegCodingJob& job, Done done) = 0;
};

/// The CPU's: rows and slices are tasks of the pool, which outlives it. Each begins when the rows of its references
/// that its vectors reach are there, so that pictures are coded beside those they are predicted from. `trace` may be
/// null.
std::unique_ptr<MpegBackend> make_cpu_mpeg_backend(const MpegTools& tools, TaskPool& pool, Trace* trace);

} // namespace tandem
