// SPDX-License-Identifier: BSD-2-Clause
// Pictures to decide about, and what a mode costs by estimate, sample by sample: slow and plain.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/decide.h"
#include "tests/coding/naive_picture.h"

namespace tandem::test {

inline constexpr int columns = 5, rows = 3, macroblocks = columns * rows;

inline constexpr Mode intra_mode{mb_intra, {}, {}};

/// What flags and vectors a macroblock of the picture got.
inline Mode mode_of(const MpegPicture& picture, int index) {
    const auto i = static_cast<std::size_t>(index);
    return {picture.flags[i], picture.forward[i], picture.backward[i]};
}

/// A picture in which every macroblock has its own texture, noise and distance from its references.
struct DecisionPicture {
    std::shared_ptr<Frame> source;
    References references;
    std::vector<ChosenVector> forward, backward;
    std::vector<VectorCandidates> forward_candidates, backward_candidates;
    std::vector<std::uint8_t> coded_since_intra;
    DecideInput input;

    DecisionPicture(PictureType type, Decision decision, std::uint32_t seed) {
        std::mt19937 random(seed);
        const auto first = patched(random), second = patched(random);
        source = patched(random);
        const std::vector<Mv> forward_vectors = vectors(random), backward_vectors = vectors(random);
        for (int i = 0; i < macroblocks; ++i) {
            const bool from_first = draw(random, 0, 1) != 0 || type == PictureType::predicted;
            const Mv mv = (from_first ? forward_vectors : backward_vectors)[static_cast<std::size_t>(i)];
            blend(random, i, *source, from_first ? *first : *second, draw(random, 0, 3) == 0 ? Mv{} : mv);
        }
        references.forward = std::make_shared<Reference>(first);
        if (type == PictureType::bidirectional) references.backward = std::make_shared<Reference>(second);
        coded_since_intra.assign(macroblocks, 0);
        input.type = type;
        input.decision = decision;
        input.source = source->luma().view();
        input.references = &references;
        input.coded_since_intra = coded_since_intra;
        input.f_code = {{{2, 3}, {3, 2}}};
        choose(forward_vectors, mb_forward, forward);
        forward_candidates = candidates(random, mb_forward, forward);
        if (type == PictureType::bidirectional) {
            choose(backward_vectors, mb_backward, backward);
            backward_candidates = candidates(random, mb_backward, backward);
        }
        input.forward = forward;
        input.backward = backward;
        input.forward_candidates = forward_candidates;
        input.backward_candidates = backward_candidates;
    }

    /// A macroblock's luma is flat, waves or noise.
    static std::shared_ptr<Frame> patched(std::mt19937& random) {
        const auto flat = random_frame(columns * 16, rows * 16, static_cast<std::uint32_t>(random()), 0);
        const auto noisy = random_frame(columns * 16, rows * 16, static_cast<std::uint32_t>(random()), 90);
        auto frame = std::make_shared<Frame>(columns * 16, rows * 16);
        for (int plane = 0; plane < 3; ++plane)
            copy_and_extend(flat->plane(plane).view(), frame->plane(plane).view());
        for (int i = 0; i < macroblocks; ++i) {
            const int kind = draw(random, 0, 3), level = draw(random, 20, 230);
            for_each_sample(i, [&](int x, int y) {
                std::uint8_t& sample = frame->plane(0).view().at(x, y);
                if (kind == 0) sample = static_cast<std::uint8_t>(level);
                if (kind == 1) sample = noisy->luma().view().at(x, y);
            });
        }
        return frame;
    }

    template <class Body> static void for_each_sample(int index, Body body) {
        const int x0 = index % columns * 16, y0 = index / columns * 16;
        for (int y = y0; y < y0 + 16; ++y) {
            for (int x = x0; x < x0 + 16; ++x)
                body(x, y);
        }
    }

    /// The macroblock becomes like `other` displaced by the whole pels of mv, but for noise in luma: none, little or
    /// much.
    static void blend(std::mt19937& random, int index, Frame& frame, const Frame& other, Mv mv) {
        constexpr std::array<int, 6> amounts{0, 1, 3, 8, 20, -1};
        const int noise = amounts[static_cast<std::size_t>(draw(random, 0, 5))];
        if (noise < 0) return;
        for_each_sample(index, [&](int x, int y) {
            const int value = other.luma().view().at(x + mv.x / 8, y + mv.y / 8) + draw(random, -noise, noise);
            frame.plane(0).view().at(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
            const auto copy_chroma = [&](int plane) {
                frame.plane(plane).view().at(x / 2, y / 2) =
                    other.plane(plane).view().at(x / 2 + mv.x / 16, y / 2 + mv.y / 16);
            };
            copy_chroma(1);
            copy_chroma(2);
        });
    }

    /// A third of them the same as the one before.
    static std::vector<Mv> vectors(std::mt19937& random) {
        std::vector<Mv> all;
        for (int i = 0; i < macroblocks; ++i) {
            const int x = i % columns * 16, y = i / columns * 16;
            const bool as_before = i > 0 && draw(random, 0, 2) == 0;
            Mv mv = random_vector(random, x, y, columns * 16, rows * 16, draw(random, 0, 30));
            if (as_before && inside_picture(all.back(), x, y, columns * 16, rows * 16)) mv = all.back();
            all.push_back(mv);
        }
        return all;
    }

    void choose(const std::vector<Mv>& all, std::uint8_t direction, std::vector<ChosenVector>& chosen) const {
        for (int i = 0; i < macroblocks; ++i) {
            const Mv mv = all[static_cast<std::size_t>(i)];
            chosen.push_back({mv, sad(i, {direction, mv, mv}), sad(i, {direction, {}, {}})});
        }
    }

    /// Zero, the choice, and up to six more.
    std::vector<VectorCandidates> candidates(std::mt19937& random, std::uint8_t direction,
                                             const std::vector<ChosenVector>& chosen) const {
        std::vector<VectorCandidates> all(macroblocks);
        for (int i = 0; i < macroblocks; ++i) {
            const int x = i % columns * 16, y = i / columns * 16;
            std::vector<Mv> vectors{{}, chosen[static_cast<std::size_t>(i)].mv};
            for (int more = draw(random, 0, 6); more > 0; --more)
                vectors.push_back(random_vector(random, x, y, columns * 16, rows * 16, draw(random, 0, 30)));
            VectorCandidates& list = all[static_cast<std::size_t>(i)];
            for (const Mv mv : vectors) {
                if (!list.holds(mv, list.count)) list.add(mv, sad(i, {direction, mv, mv}));
            }
        }
        return all;
    }

    template <class Error> std::uint32_t sum(int index, const Mode& mode, Error error) const {
        std::uint32_t total = 0;
        for_each_sample(index, [&](int x, int y) {
            const int predicted = predicted_sample(references, mode.flags, mode.forward, mode.backward, 0, x, y);
            total += static_cast<std::uint32_t>(error(source->luma().view().at(x, y) - predicted));
        });
        return total;
    }
    std::uint32_t sad(int index, const Mode& mode) const {
        return sum(index, mode, [](int e) { return std::abs(e); });
    }
    std::uint32_t sse(int index, const Mode& mode) const {
        return sum(index, mode, [](int e) { return e * e; });
    }

    std::uint32_t sum_of(int index, bool squared) const {
        std::uint32_t total = 0;
        for_each_sample(index, [&](int x, int y) {
            const std::uint32_t sample = source->luma().view().at(x, y);
            total += squared ? sample * sample : sample;
        });
        return total;
    }
    /// sum x^2 - (sum x)^2 / 256
    std::int64_t variance(int index) const {
        const std::int64_t sum_x = sum_of(index, false);
        return sum_of(index, true) - sum_x * sum_x / 256;
    }
    /// sum |x - mean|, the mean rounded.
    std::int64_t deviation(int index) const {
        const int mean = static_cast<int>((sum_of(index, false) + 128) / 256);
        std::int64_t total = 0;
        for_each_sample(index, [&](int x, int y) { total += std::abs(source->luma().view().at(x, y) - mean); });
        return total;
    }

    Mode forward_mode(int index) const { return {mb_forward, forward[static_cast<std::size_t>(index)].mv, {}}; }
    Mode backward_mode(int index) const { return {mb_backward, {}, backward[static_cast<std::size_t>(index)].mv}; }
    Mode both_mode(int index) const {
        return {mb_forward | mb_backward, forward_mode(index).forward, backward_mode(index).backward};
    }
    Mode least_sse(int index) const {
        Mode best = forward_mode(index);
        for (const Mode& mode : {backward_mode(index), both_mode(index)}) {
            if (sse(index, mode) < sse(index, best)) best = mode;
        }
        return best;
    }

    MpegPicture decide(const std::vector<SliceExtent>& slices, std::span<ModeList> lists = {}) const {
        MpegPicture picture;
        picture.resize(columns, rows);
        picture.type = input.type;
        for (const SliceExtent slice : slices)
            decide_slice(input, slice, picture, lists);
        return picture;
    }
    MpegPicture decide() const { return decide({{0, 5}, {5, 10}, {10, 15}}); }
};

/// SAD + lambda * bits, with what a slice has coded before: the vectors' predictors and the mode that can be repeated.
struct CostRule {
    const DecisionPicture& picture;
    Mode before; ///< No flags where the slice begins.
    Mv forward_before, backward_before;

    std::int64_t weighed(int bits) const { return (std::int64_t{picture.input.lambda_q8} * bits) >> 8; }
    int vector_bits(Mv mv, Mv predictor, std::size_t direction) const {
        const auto& f_code = picture.input.f_code[direction];
        return MotionComponentBits(f_code[0])((mv.x - predictor.x) / 4) +
               MotionComponentBits(f_code[1])((mv.y - predictor.y) / 4);
    }
    std::int64_t cost(int index, const Mode& mode) const {
        const PictureType type = picture.input.type;
        if (mode.flags & mb_intra) {
            return picture.deviation(index) + picture.input.intra_threshold +
                   weighed(macroblock_type_bits(type, mb_intra, true) + 6 * 6);
        }
        const bool predicted = type == PictureType::predicted;
        int bits = macroblock_type_bits(type, mode.flags, true);
        if (mode.flags & mb_forward) bits += vector_bits(mode.forward, forward_before, 0);
        if (mode.flags & mb_backward) bits += vector_bits(mode.backward, backward_before, 1);
        if (predicted && mode.forward == Mv{}) bits = macroblock_type_bits(type, 0, true); // "No MC".
        if (!predicted && mode == before) bits = 1;                                        // It may be skipped.
        return picture.sad(index, mode) + weighed(bits);
    }
    std::vector<Mode> choices(int index) const {
        std::vector<Mode> all{intra_mode, picture.forward_mode(index)};
        if (picture.input.type == PictureType::predicted) {
            all.push_back({mb_forward, {}, {}});
            return all;
        }
        all.push_back(picture.backward_mode(index));
        all.push_back(picture.both_mode(index));
        const int x = index % columns * 16, y = index / columns * 16;
        const bool repeats = (before.flags & (mb_forward | mb_backward)) != 0 &&
                             inside_picture(before.forward, x, y, columns * 16, rows * 16) &&
                             inside_picture(before.backward, x, y, columns * 16, rows * 16);
        if (repeats) all.push_back(before);
        return all;
    }
    void follow(const Mode& mode) {
        before = mode;
        if (mode.flags & mb_intra) forward_before = backward_before = {};
        if (mode.flags & mb_forward) forward_before = mode.forward;
        if (mode.flags & mb_backward) backward_before = mode.backward;
    }
};

} // namespace tandem::test
