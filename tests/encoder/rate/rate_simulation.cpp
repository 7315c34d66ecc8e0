// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/rate/rate_simulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tandem::test {

namespace {

constexpr int macroblocks = 396;
constexpr Rational frame_rate{25, 1};

/// Of a macroblock: what the scene at a time costs.
struct SimulatedScene {
    double intra = 2500, inter = 900, factor = 1;
};

/// Of the picture at a place in display order.
SimulatedScene scene_at(Story story, int place, std::mt19937& random) {
    std::uniform_real_distribution<double> about_one(0.85, 1.15);
    SimulatedScene scene{2500 * about_one(random), 900 * about_one(random), about_one(random)};
    const int second = place / 25;
    switch (story) {
    case Story::cuts:
        // Each second another scene: from a drawing to a crowd.
        scene.intra *= 0.4 + second % 5 * 0.4;
        scene.inter *= 0.3 + second % 3;
        if (place % 25 == 0) scene.inter = scene.intra;
        break;
    case Story::fades: {
        const double light = 0.5 - 0.5 * std::cos(place * 0.05);
        scene.intra *= 0.02 + light;
        scene.inter *= 0.02 + light;
        break;
    }
    case Story::black_then_noise:
        scene.intra *= second % 4 < 2 ? 0.001 : 3;
        scene.inter *= second % 4 < 2 ? 0 : 7;
        break;
    case Story::still:
        scene.inter = 3;
        break;
    default:
        break;
    }
    return scene;
}

SimulatedPicture picture_of(const SimulatedScene& scene, PictureType type, int display) {
    SimulatedPicture picture;
    picture.plan.type = type;
    picture.plan.display_index = display;
    picture.costs.intra = static_cast<std::uint64_t>(scene.intra * macroblocks);
    const double farther = type == PictureType::predicted ? 1 : 0.7;
    picture.costs.inter = static_cast<std::uint64_t>(std::min(scene.inter * farther, scene.intra) * macroblocks);
    if (type == PictureType::intra) picture.costs.inter = picture.costs.intra;
    constexpr double factors[] = {0.4, 0.7, 0.6}, exponents[] = {0.9, 1.3, 1.4}, overheads[] = {30, 0.3, 0.3};
    picture.factor = factors[index_of(type)] * scene.factor;
    picture.exponent = exponents[index_of(type)];
    picture.overhead = 200 + overheads[index_of(type)] * macroblocks; // A black I picture takes 33 bits a macroblock.
    return picture;
}

std::uint64_t bits_of(const SimulatedPicture& picture, double quantiser) {
    const auto cost =
        static_cast<double>(picture.plan.type == PictureType::intra ? picture.costs.intra : picture.costs.inter);
    double bits = picture.factor * cost / std::pow(quantiser, picture.exponent);
    if (picture.dense > 0 && bits > picture.dense) bits = picture.dense * (1 + std::log(bits / picture.dense));
    bits += picture.overhead;
    return static_cast<std::uint64_t>(std::ceil(bits / 8)) * 8;
}

} // namespace

std::string name_of(Story story) {
    constexpr const char* names[] = {"steady", "cuts", "fades", "black_then_noise", "still", "all_intra"};
    return names[static_cast<std::size_t>(story)];
}

SimulatedClip simulated_clip(Story story, double seconds, int bframes, int keyint) {
    SimulatedClip clip;
    clip.stream.plan = {story == Story::all_intra ? 1 : keyint, bframes, macroblocks, frame_rate.value()};
    clip.stream.pictures_per_second = frame_rate;
    clip.stream.type_factors = {1 / 1.4, 1, 1.3};
    std::mt19937 random(7);
    std::vector<SimulatedScene> scenes;
    const int count = static_cast<int>(std::lround(seconds * frame_rate.value()));
    for (int i = 0; i < count; ++i)
        scenes.push_back(scene_at(story, i, random));
    const auto add = [&](int display, PictureType type) {
        clip.pictures.push_back(picture_of(scenes[static_cast<std::size_t>(display)], type, display));
    };
    int next = 0;
    for (int display = 0; display < count; ++display) {
        const bool intra = display % clip.stream.plan.keyint == 0;
        const bool anchor = intra || display % clip.stream.plan.keyint % (bframes + 1) == 0 || display == count - 1;
        if (!anchor) continue;
        add(display, intra ? PictureType::intra : PictureType::predicted);
        for (; next < display; ++next)
            add(next, PictureType::bidirectional);
        next = display + 1;
    }
    return clip;
}

SimulatedClip foreseen(SimulatedClip clip, std::size_t pictures) {
    auto all = std::make_shared<std::vector<ForeseenPicture>>();
    // In units of its own, of which nobody is told what they are worth.
    for (const SimulatedPicture& each : clip.pictures)
        all->push_back(
            {each.plan.type, static_cast<std::uint64_t>(cost_of(each.plan.type, each.costs, macroblocks) / 3)});
    for (std::size_t i = 0; i < all->size(); ++i) {
        const std::size_t end = std::min(i + 1 + pictures, all->size());
        const auto at = [&](std::size_t place) { return all->begin() + static_cast<std::ptrdiff_t>(place); };
        clip.pictures[i].plan.prospect = {std::make_shared<std::vector<ForeseenPicture>>(at(i), at(end)), 0,
                                          end == all->size()};
    }
    return clip;
}

double SimulatedCoding::bits_per_second() const {
    const auto sum = static_cast<double>(std::accumulate(bits.begin(), bits.end(), std::uint64_t{0}));
    return sum / static_cast<double>(bits.size()) * frame_rate.value();
}

RateSettings average(double bits_per_second) {
    RateSettings settings;
    settings.bits_per_second = bits_per_second;
    return settings;
}

double miss(const SimulatedCoding& coding, double wanted) { return coding.bits_per_second() / wanted - 1; }

SimulatedCoding simulate(RateControl& control, const SimulatedClip& clip, int held_back) {
    SimulatedCoding coding;
    std::vector<Quality> qualities;
    std::size_t told = 0;
    const auto tell = [&](std::size_t end) {
        for (; told < end; ++told) {
            const std::uint64_t bits = coding.bits[told];
            const Vbv* buffer = control.constant_buffer();
            const std::uint64_t stuffing = buffer != nullptr ? 8 * buffer->stuffing_bytes(bits) : 0;
            control.coded(clip.pictures[told].plan, qualities[told], bits, stuffing);
        }
    };
    for (std::size_t i = 0; i < clip.pictures.size(); ++i) {
        const SimulatedPicture& picture = clip.pictures[i];
        Quality quality = control.plan(picture.plan, picture.costs);
        std::uint64_t bits = bits_of(picture, quality.quantiser);
        while (const auto coarser = control.accept(picture.plan, quality, PictureBits{bits})) {
            quality = *coarser;
            bits = bits_of(picture, quality.quantiser);
            ++coding.again;
        }
        qualities.push_back(quality);
        coding.quantisers.push_back(quality.quantiser);
        coding.bits.push_back(bits);
        coding.records.push_back({picture.plan.display_index, picture.plan.type, quality.quantiser, bits,
                                  picture.costs.intra, picture.costs.inter});
        tell(i + 1 - std::min<std::size_t>(i + 1, static_cast<std::size_t>(held_back)));
    }
    tell(clip.pictures.size());
    return coding;
}

RateStream declared(const RateSettings& settings, RateStream stream) {
    stream.declared_bits_per_second = static_cast<std::int64_t>(settings.vbv_bits_per_second);
    stream.declared_buffer_bits = static_cast<std::int64_t>(settings.vbv_bits);
    return stream;
}

SimulatedCoding simulate(const RateSettings& settings, const SimulatedClip& clip) {
    RateSettings soft = settings;
    soft.soft = true;
    return simulate(*make_rate_control(soft, declared(settings, clip.stream)), clip);
}

} // namespace tandem::test
