// SPDX-License-Identifier: BSD-2-Clause
#include "tests/coding/random_picture.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <sstream>

#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/slice_layout.h"
#include "coding/mpeg/vectors/f_codes.h"
#include "tests/coding/naive_picture.h"

namespace tandem::test {

namespace {

QuantiserMatrix random_matrix(std::mt19937& random, bool intra) {
    QuantiserMatrix matrix;
    const int most = draw(random, 0, 1) == 0 ? 255 : 20;
    for (std::uint8_t& weight : matrix)
        weight = static_cast<std::uint8_t>(draw(random, 1, most));
    if (intra) matrix[0] = 8;
    return matrix;
}

/// Black and white, in patterns that make the largest coefficients.
void make_extreme(std::mt19937& random, Frame& frame) {
    const int across = draw(random, 1, 8), down = draw(random, 1, 8);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = frame.plane(p).view();
        for (int y = 0; y < plane.height; ++y) {
            for (int x = 0; x < plane.width; ++x)
                plane.at(x, y) = (x / across + y / down) % 2 == 0 ? 0 : 255;
        }
    }
}

void add_noise(std::mt19937& random, Frame& frame, int noise) {
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = frame.plane(p).view();
        for (int y = 0; y < plane.height; ++y) {
            for (int x = 0; x < plane.width; ++x)
                plane.at(x, y) =
                    static_cast<std::uint8_t>(std::clamp(plane.at(x, y) + draw(random, -noise, noise), 0, 255));
        }
    }
}

MpegTools random_tools(std::mt19937& random) {
    const auto chance = [&](int in_hundred) { return draw(random, 1, 100) <= in_hundred; };
    MpegTools tools;
    tools.codec = chance(50) ? Codec::mpeg1 : Codec::mpeg2;
    tools.columns = draw(random, 1, chance(15) ? 40 : 7);
    tools.rows = draw(random, 1, 5);
    tools.intra_matrix = chance(70) ? default_intra_matrix() : random_matrix(random, true);
    tools.non_intra_matrix = chance(70) ? default_non_intra_matrix() : random_matrix(random, false);
    if (tools.codec == Codec::mpeg2) {
        tools.non_linear_quantiser = chance(30);
        tools.intra_vlc = chance(40);
        tools.alternate_scan = chance(40);
        tools.intra_dc_precision = draw(random, 8, 11);
    }
    const int macroblocks = tools.columns * tools.rows;
    if (tools.codec == Codec::mpeg1 && chance(50)) tools.slices = draw(random, 1, macroblocks);
    if (tools.codec == Codec::mpeg2 && chance(30)) tools.slices = draw(random, tools.rows, macroblocks);
    tools.trellis = chance(70);
    tools.deadzone_intra = draw(random, 0, 32);
    tools.deadzone_inter = draw(random, 0, 32);
    tools.decision = chance(40)   ? Decision::rd
                     : chance(60) ? Decision::cost
                     : chance(50) ? Decision::tm5
                                  : Decision::sm3;
    if (chance(30)) tools.intra_threshold = draw(random, -3000, 3000);
    if (chance(10)) tools.intra_threshold = 65536; // Inter, whatever is left.
    if (chance(30)) tools.intra_refresh = draw(random, 1, 4);
    if (chance(20)) tools.null_threshold = static_cast<std::uint32_t>(draw(random, 0, 4000));
    if (chance(20)) tools.null_gain = static_cast<std::uint32_t>(draw(random, 1, 8));
    return tools;
}

} // namespace

RandomStream::RandomStream(std::uint32_t seed) : random_(seed), tools_(random_tools(random_)) { content_ = from(0, 5); }

int RandomStream::from(int least, int most) { return draw(random_, least, most); }

/// Black or white, with noise: the largest DCs, and levels beside them.
std::shared_ptr<Frame> RandomStream::next_flash() {
    auto frame = std::make_shared<Frame>(tools_.columns * 16, tools_.rows * 16);
    const int value = 255 * from(0, 1);
    for (int p = 0; p < 3; ++p)
        frame->plane(p).fill(static_cast<std::uint8_t>(value));
    add_noise(random_, *frame, from(5, 80));
    return frame;
}

/// The source before moved, with noise, or something new.
std::shared_ptr<Frame> RandomStream::next_source() {
    const int width = tools_.columns * 16, height = tools_.rows * 16;
    constexpr std::array<int, 5> noises{0, 2, 6, 20, 90};
    const int noise = noises[static_cast<std::size_t>(from(0, 4))];
    const auto seed = static_cast<std::uint32_t>(random_());
    if (content_ == flashes) return next_flash();
    if (source_ && from(0, 9) != 0) return moved_frame(*source_, from(-6, 6), from(-6, 6), seed, noise);
    auto frame = random_frame(width, height, seed, noise);
    if (content_ == 0) make_extreme(random_, *frame);
    if (content_ == 1) add_noise(random_, *frame, 255);
    return frame;
}

MotionField RandomStream::random_field() {
    const int width = tools_.columns * 16, height = tools_.rows * 16, candidates = from(1, from(1, 6) == 1 ? 16 : 5);
    MotionField field(width, height, 16, 16, candidates);
    const bool half_pels = from(0, 9) == 0;
    const Mv common = random_vector(random_, 0, 0, width, height, from(0, 20));
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const auto slots = field.block(column, row);
            const int filled = from(0, 3) == 0 ? from(1, candidates) : candidates;
            int count = 0;
            for (int tries = 0; tries < 3 * candidates && count < filled; ++tries) {
                Mv mv = random_vector(random_, column * 16, row * 16, width, height, from(1, 80));
                if (from(0, 3) == 0) mv = from(0, 1) == 0 ? Mv{} : common;
                if (!half_pels) mv = mv_from_pels(mv.x / 8, mv.y / 8);
                const bool is_new =
                    std::none_of(slots.begin(), slots.begin() + count, [&](const Candidate& c) { return c.mv == mv; });
                if (is_new)
                    slots[static_cast<std::size_t>(count++)] = {mv, static_cast<std::uint32_t>(from(0, 9000)), 7};
            }
        }
    }
    return field;
}

void RandomStream::begin_picture(PictureType type) {
    type_ = type;
    source_ = next_source();
    fields_ = {};
    if (type != PictureType::intra) fields_[0] = random_field();
    if (type == PictureType::bidirectional) fields_[1] = random_field();
    quality_ = {};
    quality_.quantiser = from(0, 2) == 0 ? from(1, 4) : from(2, 62) / 2.0;
    if (from(0, 2) == 0) {
        for (int i = 0; i < tools_.columns * tools_.rows; ++i)
            quality_.offsets.push_back(static_cast<float>(from(-60, 60)) / 8);
    }
    if (!quality_.offsets.empty() && from(0, 1) == 0) {
        for (std::size_t i = 0; i < quality_.offsets.size(); ++i)
            quality_.residual.push_back(static_cast<float>(from(1, 3000)));
    }
    refinement_ = {};
    refinement_.precision = 2;
    refinement_.candidates = 1;
    const int code = std::clamp(static_cast<int>(std::lround(quality_.quantiser)), 1, 31);
    refinement_.lambda_q8 = from(0, 5) == 0 ? 0 : sad_lambda_q8(quantiser_scale(code, tools_.non_linear_quantiser));
    refinement_.null_threshold = tools_.null_threshold;
    refinement_.null_gain = tools_.null_gain;
}

void RandomStream::fill(MpegCodingJob& job, const References& references) {
    job.type = job.picture.type = type_;
    job.source = source_;
    job.references = references;
    job.fields = fields_;
    for (std::size_t i = 0; i < 2; ++i)
        job.f_codes[i] = f_codes_of(fields_[i], tools_.codec);
    job.refinement = {refinement_, refinement_};
    job.refinement[0].candidates = std::max(1, fields_[0].candidates());
    job.refinement[1].candidates = std::max(1, fields_[1].candidates());
    job.quality = quality_;
    auto reconstruction = std::make_shared<Frame>(tools_.columns * 16, tools_.rows * 16);
    for (int p = 0; p < 3; ++p)
        reconstruction->plane(p).fill(0xA5);
    job.reconstruction = reconstruction;
    job.made = type_ == PictureType::bidirectional ? nullptr : Reference::in_the_making(reconstruction);
    MpegPicture& picture = job.picture;
    picture.resize(tools_.columns, tools_.rows);
    picture.slices = slice_layout(tools_.codec, tools_.columns, tools_.rows, tools_.slices);
    picture.intra_vlc_format = tools_.intra_vlc;
    picture.alternate_scan = tools_.alternate_scan;
    picture.intra_dc_precision = tools_.intra_dc_precision;
    picture.quantiser_scale_type = tools_.non_linear_quantiser;
    std::ranges::fill(picture.flags, std::uint8_t{0xA5});
    std::ranges::fill(picture.pattern, std::uint8_t{0xA5});
    std::ranges::fill(picture.quantiser_scale_code, std::uint8_t{0xA5});
    std::ranges::fill(picture.forward, Mv{0x5A5A, 0x5A5A});
    std::ranges::fill(picture.backward, Mv{0x5A5A, 0x5A5A});
    std::ranges::fill(picture.nonzero, 0xA5A5A5A5A5A5A5A5u);
    std::ranges::fill(picture.levels, std::int16_t{0x5A5A});
}

std::string RandomStream::describe() const {
    std::ostringstream text;
    text << (tools_.codec == Codec::mpeg1 ? "MPEG-1 " : "MPEG-2 ") << tools_.columns << 'x' << tools_.rows << " in "
         << tools_.slices << " slices, type " << static_cast<int>(type_) << ", decision "
         << static_cast<int>(tools_.decision) << (tools_.trellis ? ", trellis" : ", dead zones") << ", quantiser "
         << quality_.quantiser << (quality_.offsets.empty() ? "" : " with offsets")
         << (quality_.residual.empty() ? "" : " and residual") << ", DC " << tools_.intra_dc_precision
         << (tools_.intra_vlc ? ", B-15" : "") << (tools_.alternate_scan ? ", alternate scan" : "")
         << (tools_.non_linear_quantiser ? ", non-linear" : "") << ", K " << fields_[0].candidates() << ", null "
         << tools_.null_threshold << ' ' << tools_.null_gain << ", refresh " << tools_.intra_refresh << ", content "
         << content_;
    return text.str();
}

void code_and_wait(MpegBackend& backend, MpegCodingJob& job) {
    std::promise<void> done;
    backend.code(job, [&](std::exception_ptr error) { error ? done.set_exception(error) : done.set_value(); });
    done.get_future().get();
}

} // namespace tandem::test
