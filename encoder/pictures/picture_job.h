// SPDX-License-Identifier: BSD-2-Clause
// One picture on its way through the encoder, with all that belongs to it alone.
#pragma once

#include <future>
#include <memory>
#include <vector>

#include "bitstream/bit_writer.h"
#include "coding/quality.h"
#include "coding/reference_picture.h"
#include "encoder/pictures/picture_costs.h"
#include "encoder/pictures/picture_order.h"
#include "encoder/pictures/picture_stats.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

/// What a codec's coder keeps of a picture while it is under way: its arrays, and room that pictures take over from
/// those before them.
struct CodecWork {
    virtual ~CodecWork() = default;
};

/// Stages take it and leave in it what they found; no stage keeps anything of a picture elsewhere.
struct PictureJob {
    PlannedPicture plan;
    /// By reference of the plan: searches under way, and what became of them.
    std::vector<std::future<MotionResult>> motion;
    std::vector<MotionField> fields;
    PictureCosts costs;       ///< Where the rate control asks for them.
    bool is_measured = false; ///< Its fields and costs are there.
    Quality quality;
    std::int64_t coding_index = 0;
    std::vector<ReferencePicturePtr> references; ///< In the order of the plan's.

    std::unique_ptr<CodecWork> work;
    std::future<void> coded;       ///< Ready when `packet` and `reconstruction` are whole, or with what went wrong.
    FramePtr reconstruction;       ///< At coded size. Not to be read before `coded` is ready.
    ReferencePicturePtr reference; ///< The same for later pictures; null: none is predicted from it.
    BitWriter packet;              ///< The picture with all headers before it.
    PictureStats stats;
    std::vector<std::uint8_t> decisions; ///< The record of PictureCoder::decision_columns(); empty: nobody asks.
};

} // namespace tandem
