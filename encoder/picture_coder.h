// SPDX-License-Identifier: BSD-2-Clause
// The seam between the encoder's loop and a codec.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "encoder/decision_columns.h"
#include "encoder/pictures/picture_job.h"
#include "encoder/rate/vbv.h"
#include "encoder/settings.h"
#include "machine/task_pool.h"
#include "machine/trace.h"

namespace tandem {

/// What a stream promises of itself, for those who carry it.
struct StreamPromise {
    std::int64_t bits_per_second = 0; ///< At most, over any time but for the buffer; 0: none is declared.
    std::int64_t buffer_bits = 0;     ///< Of the decoder.
    int reorder_delay = 0;            ///< Pictures that coding order may run behind display order.
};

/// Where a picture stands in the stream.
struct StreamPlace {
    std::uint64_t stream_bytes = 0; ///< Before it.
    const Vbv* buffer =
        nullptr; ///< Before the picture, where the stream says when pictures are due; null: it does not.
    std::uint64_t stuffing_bytes = 0; ///< Of zeros after it.
};

/// What a picture takes in the stream.
struct PictureBits {
    std::uint64_t all = 0; ///< With all headers before it.
    /// Of each row of macroblocks, from above; empty where slices reach over several rows.
    std::vector<std::uint64_t> rows = {};
};

/// Codes the pictures of one stream. The loop above knows order, references and rate, and no syntax; what stands below
/// knows nothing of the loop. The table of codecs (codecs.h) says how each is made.
class PictureCoder {
  public:
    virtual ~PictureCoder() = default;

    /// The size that pictures are coded at, in luma samples.
    virtual int coded_width() const = 0;
    virtual int coded_height() const = 0;

    /// Pictures that it can work at beside each other. More may wait for it; it may change from picture to picture.
    virtual int pictures_at_once() const = 0;
    /// Begins to code the picture, whose plan, fields, references and quality are there, and returns at once; jobs
    /// begin in coding order. Sets `coded`, `reconstruction` and `reference`. The job stays where it is until `coded`
    /// is ready. A job may begin again, with another quality, before finish().
    virtual void begin(PictureJob& job) = 0;
    /// Of a picture whose `coded` is ready.
    virtual PictureBits bits(const PictureJob& job) const = 0;
    /// Fills the packet, in coding order, of a job whose `coded` is ready, and takes back what it lent to the job.
    virtual void finish(PictureJob& job, const StreamPlace& place) = 0;
    /// The bytes that end the stream.
    virtual std::vector<std::uint8_t> end() const = 0;

    /// What the record of a picture consists of (PictureJob::decisions, with Settings::keeps_decisions).
    virtual std::vector<DecisionColumn> decision_columns() const = 0;
    virtual StreamPromise promise() const = 0;
    /// What a user should know of the stream: sentences, perhaps none.
    virtual const std::vector<std::string>& notes() const = 0;
};

} // namespace tandem
