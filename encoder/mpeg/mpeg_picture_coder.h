// SPDX-License-Identifier: BSD-2-Clause
// MPEG-1 and MPEG-2 behind the encoder's seam: a backend makes a picture's arrays, slices are written side by side.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bitstream/mpeg/mpeg_writer.h"
#include "coding/coding_devices.h"
#include "coding/mpeg/mpeg_backend.h"
#include "encoder/picture_coder.h"

namespace tandem {

class MpegPictureCoder : public PictureCoder {
  public:
    MpegPictureCoder(const Settings& settings, const VideoFormat& format, TaskPool& pool, Trace* trace,
                     const CodingDevices& devices);
    /// Once nothing calls it any more: all jobs are coded.
    ~MpegPictureCoder() override;

    int coded_width() const override { return tools_.columns * 16; }
    int coded_height() const override { return tools_.rows * 16; }
    int pictures_at_once() const override;
    void begin(PictureJob& job) override;
    PictureBits bits(const PictureJob& job) const override;
    void finish(PictureJob& job, const StreamPlace& place) override;
    std::vector<std::uint8_t> end() const override;
    std::vector<DecisionColumn> decision_columns() const override;
    StreamPromise promise() const override;
    const std::vector<std::string>& notes() const override { return notes_; }

  private:
    struct Work;
    static Work& work_of(const PictureJob& job);
    std::unique_ptr<CodecWork> take_work();
    void describe(const PictureJob& job, Work& work) const;
    void make_fields(const PictureJob& job, Work& work) const;
    void begin_those_with_fields();
    void queue_slices(PictureJob& job, Work& work);
    void write_slice(PictureJob& job, Work& work, int slice);
    void write_stream_headers(const PictureJob& job, BitWriter& packet) const;
    void write_headers(const PictureJob& job, BitWriter& packet) const;
    MpegGroup group_code(const PlannedPicture& plan) const;

    const Settings settings_;
    const VideoFormat format_;
    TaskPool& pool_;
    Trace* const trace_;
    std::vector<std::string> notes_;
    const MpegSequence sequence_;
    const MpegTools tools_;
    const std::vector<SliceExtent> slices_;
    const std::unique_ptr<MpegWriter> writer_;
    const std::unique_ptr<MpegBackend> backend_;
    mutable std::mutex begin_mutex_;                ///< Guards what follows and calls of the backend.
    std::condition_variable begun_;                 ///< None begins.
    std::deque<PictureJob*> waiting_;               ///< In coding order: whose fields are being made.
    int beginning_ = 0;                             ///< Tasks that make fields.
    std::vector<std::unique_ptr<CodecWork>> spare_; ///< Of pictures that are done. For the thread that calls alone.
};

} // namespace tandem
