// SPDX-License-Identifier: BSD-2-Clause
// From display order to coding order: references, groups.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <future>
#include <vector>

#include "encoder/adaptive_quantiser.h"
#include "encoder/lookahead/importance.h"
#include "encoder/lookahead/prospect.h"
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
    FramePtr source;   ///< What is coded.
    FramePtr original; ///< What it is to look like: itself, or what it was filtered from.
    std::int64_t display_index = 0;
    PictureType type = PictureType::intra;
    int temporal_reference = 0;
    bool opens_group = false;             ///< I pictures: a sequence and a group header come first.
    bool closed_group = false;            ///< Of that group.
    std::int64_t group_first_display = 0; ///< Of that group: what its time code names.
    bool starts_reordering = false; ///< The first anchor of the stream with B pictures before it in display order.
    /// What it is predicted from. P: the anchor before in display order. B: that and the anchor after.
    std::vector<PlannedReference> references;
    ImportancePtr importance;    ///< Null: not known.
    AdaptiveFactorsPtr adaptive; ///< Null: the quantiser does not follow the texture.
    Prospect prospect;           ///< Of the pictures behind it.

    bool is_anchor() const { return type != PictureType::bidirectional; }
    /// Pictures from it to one of its references, 1 for neighbours.
    int distance(const PlannedReference& reference) const {
        return static_cast<int>(std::abs(reference.display_index - display_index));
    }
};

/// A picture whose type is decided.
struct TypedPicture {
    FramePtr source;
    PictureType type = PictureType::intra;
    std::shared_future<ImportancePtr> importance = {}; ///< Invalid: not known.
    Prospect prospect = {};                            ///< Of the pictures behind it.
    std::shared_future<FramePtr> filtered = {};        ///< What is coded in its place; invalid: itself.
};

/// Types without looking at the pictures: an I picture every `keyint`, `bframes` B pictures between anchors. The last
/// pictures of an open group lean on the next I picture; a closed group ends with an anchor.
class FixedPattern {
  public:
    FixedPattern(int keyint, int bframes, bool closed) : keyint_(keyint), bframes_(bframes), closed_(closed) {}
    /// Of the next picture in display order.
    PictureType next();

  private:
    int keyint_, bframes_;
    bool closed_;
    std::int64_t next_display_ = 0;
};

/// Pictures of any types, the first one an I picture, go in in display order and come out in coding order.
class PictureOrder {
  public:
    /// The next picture in display order; returns those that can now be coded, in coding order.
    std::vector<PlannedPicture> push(TypedPicture picture);
    /// The pictures still held back: the stream ends with an anchor, so the last B picture becomes a P picture.
    std::vector<PlannedPicture> finish();

  private:
    struct Waiting {
        TypedPicture picture;
        std::int64_t display_index;
    };
    std::vector<PlannedPicture> anchor(TypedPicture picture, std::int64_t display_index);

    std::int64_t next_display_ = 0;
    std::int64_t group_first_display_ = 0;
    PlannedReference last_anchor_;
    bool reordering_ = false;      ///< Some B picture has been planned.
    std::vector<Waiting> waiting_; ///< B pictures whose backward reference has not come yet.
};

} // namespace tandem
