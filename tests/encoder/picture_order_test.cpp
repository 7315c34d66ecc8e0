// SPDX-License-Identifier: BSD-2-Clause
// Every short stream in every pattern: what is promised of coding order, types, references and groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "encoder/pictures/picture_order.h"

namespace tandem {
namespace {

struct Pattern {
    int frames = 1, keyint = 1, bframes = 0;
    bool closed = false;
    std::string name() const {
        return std::to_string(frames) + " frames, keyint " + std::to_string(keyint) + ", " + std::to_string(bframes) +
               " B" + (closed ? ", closed" : "");
    }
};

std::vector<FramePtr> sources(int count) {
    std::vector<FramePtr> frames;
    for (int i = 0; i < count; ++i)
        frames.push_back(std::make_shared<Frame>(1, 1));
    return frames;
}

/// A whole stream in coding order; also checks that nothing is held back longer than its references ask.
std::vector<PlannedPicture> plan(const Pattern& pattern, const std::vector<FramePtr>& frames) {
    FixedPattern types(pattern.keyint, pattern.bframes, pattern.closed);
    PictureOrder order;
    std::vector<PlannedPicture> all;
    const auto take = [&](std::vector<PlannedPicture> ready) {
        for (PlannedPicture& picture : ready)
            all.push_back(std::move(picture));
    };
    for (int i = 0; i < pattern.frames; ++i) {
        take(order.push({frames[static_cast<std::size_t>(i)], types.next()}));
        EXPECT_LE(i + 1 - static_cast<int>(all.size()), pattern.bframes) << "pictures held back";
    }
    take(order.finish());
    return all;
}

PictureType type_at(const Pattern& pattern, int display) {
    const int position = display % pattern.keyint;
    if (position == 0) return PictureType::intra;
    const bool ends_group = pattern.closed && position == pattern.keyint - 1;
    const bool anchor = position % (pattern.bframes + 1) == 0 || ends_group || display == pattern.frames - 1;
    return anchor ? PictureType::predicted : PictureType::bidirectional;
}

/// The nearest anchor from `display` in steps of `step`, itself excluded; -1 where there is none.
int anchor_from(const Pattern& pattern, int display, int step) {
    for (int i = display + step; i >= 0 && i < pattern.frames; i += step) {
        if (type_at(pattern, i) != PictureType::bidirectional) return i;
    }
    return -1;
}

void check_types_and_references(const Pattern& pattern, const std::vector<FramePtr>& frames,
                                const std::vector<PlannedPicture>& coded) {
    std::map<std::int64_t, int> times_coded;
    int last_anchor = -1;
    for (const PlannedPicture& picture : coded) {
        const auto display = static_cast<int>(picture.display_index);
        ASSERT_GE(display, 0);
        ASSERT_LT(display, pattern.frames);
        ++times_coded[display];
        EXPECT_EQ(picture.source, frames[static_cast<std::size_t>(display)]);
        EXPECT_EQ(picture.type, type_at(pattern, display)) << display;
        const auto expect_reference = [&](const PlannedReference& reference, int at) {
            EXPECT_EQ(reference.source, frames[static_cast<std::size_t>(at)]) << display;
            EXPECT_EQ(reference.display_index, at) << display;
            EXPECT_EQ(picture.distance(reference), std::abs(display - at)) << display;
            EXPECT_EQ(times_coded[at], 1) << display << " is coded before its reference " << at;
        };
        if (picture.type == PictureType::bidirectional) {
            ASSERT_EQ(picture.references.size(), 2U) << display;
            expect_reference(picture.references[0], anchor_from(pattern, display, -1));
            expect_reference(picture.references[1], anchor_from(pattern, display, 1));
            EXPECT_EQ(last_anchor, anchor_from(pattern, display, 1)) << "B pictures follow their second anchor";
        } else {
            EXPECT_GT(display, last_anchor) << "anchors are coded in display order";
            last_anchor = display;
            ASSERT_EQ(picture.references.size(), picture.type == PictureType::intra ? 0U : 1U) << display;
            for (const PlannedReference& reference : picture.references)
                expect_reference(reference, anchor_from(pattern, display, -1));
        }
    }
    EXPECT_EQ(coded.size(), frames.size());
    for (const auto& [display, times] : times_coded)
        EXPECT_EQ(times, 1) << display;
    EXPECT_EQ(last_anchor, pattern.frames - 1) << "the last picture is an anchor";
}

void check_groups(const Pattern& pattern, const std::vector<PlannedPicture>& coded) {
    for (std::size_t first = 0; first < coded.size();) {
        std::size_t end = first + 1;
        while (end < coded.size() && coded[end].type != PictureType::intra)
            ++end;
        const std::int64_t intra = coded[first].display_index;
        std::int64_t earliest = intra;
        for (std::size_t i = first; i < end; ++i)
            earliest = std::min(earliest, coded[i].display_index);
        ASSERT_EQ(coded[first].type, PictureType::intra);
        EXPECT_EQ(intra % pattern.keyint, 0);
        EXPECT_EQ(coded[first].closed_group, earliest == intra);
        EXPECT_TRUE(earliest == intra || (!pattern.closed && intra > 0))
            << "a closed group has B pictures before its I";
        std::vector<bool> seen(end - first);
        for (std::size_t i = first; i < end; ++i) {
            EXPECT_EQ(coded[i].opens_group, i == first);
            EXPECT_EQ(coded[i].group_first_display, earliest);
            EXPECT_EQ(coded[i].temporal_reference, coded[i].display_index - earliest);
            ASSERT_LT(coded[i].temporal_reference, static_cast<int>(seen.size()));
            seen[static_cast<std::size_t>(coded[i].temporal_reference)] = true;
        }
        EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0) << "temporal references count without a gap";
        first = end;
    }
}

void check(const Pattern& pattern) {
    SCOPED_TRACE(pattern.name());
    const std::vector<FramePtr> frames = sources(pattern.frames);
    const std::vector<PlannedPicture> coded = plan(pattern, frames);
    check_types_and_references(pattern, frames, coded);
    check_groups(pattern, coded);
}

TEST(PictureOrder, EveryShortStreamInEveryPattern) {
    for (int frames = 1; frames <= 12; ++frames) {
        for (const int keyint : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1024}) {
            for (int bframes = 0; bframes <= 8; ++bframes) {
                check({frames, keyint, bframes, false});
                check({frames, keyint, bframes, true});
                if (HasFailure()) return;
            }
        }
    }
}

TEST(PictureOrder, SeveralGroups) {
    for (const int keyint : {3, 4, 12, 15}) {
        for (int bframes = 0; bframes <= 8; ++bframes) {
            for (const int frames : {29, 30, 31, 48}) {
                check({frames, keyint, bframes, false});
                check({frames, keyint, bframes, true});
            }
        }
    }
}

// temporal_reference has 10 bits: the longest groups must not need more.
TEST(PictureOrder, LongestGroups) {
    for (const int bframes : {0, 2, 8}) {
        check({2100, 1024, bframes, false});
        check({2100, 1024, bframes, true});
    }
}

TEST(PictureOrder, NothingInNothingOut) {
    PictureOrder order;
    EXPECT_TRUE(order.finish().empty());
}

} // namespace
} // namespace tandem
