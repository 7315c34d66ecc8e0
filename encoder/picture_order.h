// SPDX-License-Identifier: BSD-2-Clause
// From display order to coding order: picture types, references, groups.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "video/frame.h"
#include "video/picture_type.h"

namespace tandem {

/// A picture that another is predicted from.
struct PlannedReference {
    std::int64_t display_index = 0;
    FramePtr source;
};

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
    /// What it is predicted from. P: the anchor before in display order. B: that and the anchor after.
    std::vector<PlannedReference> references;

    bool is_anchor() const { return type != PictureType::bidirectional; }
    /// Pictures from it to one of its references, 1 for neighbours.
    int distance(const PlannedReference& reference) const {
        return static_cast<int>(std::abs(reference.display_index - display_index));
    }
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
    PlannedReference last_anchor_;
    bool reordering_ = false;      ///< Some B picture has been planned.
    std::vector<Waiting> waiting_; ///< B pictures whose backward reference has not come yet.
};

} // namespace tandem
