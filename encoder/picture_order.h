// SPDX-License-Identifier: BSD-2-Clause
// From display order to coding order: picture types, references, groups.
#pragma once

#include <cstdint>
#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "video/frame.h"

namespace tandem {

/// A picture whose place in the stream is known.
struct PlannedPicture {
    FramePtr source;
    std::int64_t display_index = 0;
    PictureType type = PictureType::intra;
    int temporal_reference = 0;
    bool opens_group = false;             ///< I pictures: a sequence and a group header come first.
    bool closed_group = false;            ///< Of that group.
    std::int64_t group_first_display = 0; ///< Of that group: what its time code names.
    bool starts_reordering = false; ///< The first anchor of the stream with B pictures before it in display order.
    FramePtr forward_source;        ///< P, B: the source of the anchor before in display order.
    FramePtr backward_source;       ///< B: the source of the anchor after.
    int forward_distance = 0;       ///< Pictures to these anchors, 1 for neighbours; 0 where there is none.
    int backward_distance = 0;
};

/// A fixed pattern: an I picture every `keyint`, `bframes` B pictures between anchors. The last pictures of an open
/// group lean on the next I picture; a closed group, and the stream itself, end with an anchor.
class PictureOrder {
  public:
    PictureOrder(int keyint, int bframes, bool closed) : keyint_(keyint), bframes_(bframes), closed_(closed) {}

    /// The next picture in display order; returns those that can now be coded, in coding order.
    std::vector<PlannedPicture> push(FramePtr source);
    /// The pictures still held back.
    std::vector<PlannedPicture> finish();

  private:
    struct Waiting {
        FramePtr source;
        std::int64_t display_index;
    };
    std::vector<PlannedPicture> anchor(PictureType type, FramePtr source, std::int64_t display_index);

    int keyint_, bframes_;
    bool closed_;
    std::int64_t next_display_ = 0;
    std::int64_t group_first_display_ = 0;
    FramePtr last_anchor_;
    std::int64_t last_anchor_display_ = 0;
    bool reordering_ = false;      ///< Some B picture has been planned.
    std::vector<Waiting> waiting_; ///< B pictures whose backward reference has not come yet.
};

} // namespace tandem
