// SPDX-License-Identifier: BSD-2-Clause
// The record of what was decided of a picture of MPEG-1 or MPEG-2, where, and what it cost.
#pragma once

#include <cstdint>
#include <vector>

#include "bitstream/mpeg/element_bits.h"
#include "coding/mpeg/mpeg_backend.h"
#include "encoder/decision_columns.h"
#include "encoder/pictures/picture_job.h"
#include "video/frame.h"

namespace tandem {

/// A coded picture, as its record is made from. All is the caller's.
struct MpegDecisions {
    const PictureJob& job;
    const MpegCodingJob& coding; ///< With `tried`, and with its references.
    const ElementBits& bits;
    const VideoFormat& format; ///< Errors of a picture are those of the samples that are seen.
    std::uint64_t packet_bits = 0;
    std::uint64_t header_bits = 0;   ///< Of the packet, before its first slice.
    std::uint64_t stuffing_bits = 0; ///< Of zeros behind its last slice.
};

/// The columns of every record, in their order.
std::vector<DecisionColumn> mpeg_decision_columns();
std::vector<std::uint8_t> mpeg_decision_record(const MpegDecisions& picture);

} // namespace tandem
