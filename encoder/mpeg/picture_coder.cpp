// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/picture_coder.h"

#include <algorithm>
#include <cmath>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/decide.h"
#include "coding/mpeg/rate_distortion.h"
#include "coding/mpeg/slice_layout.h"
#include "coding/mpeg/trellis.h"
#include "encoder/mpeg/picture_stats.h"
#include "encoder/mpeg/sequence.h"
#include "me/samples/subpel.h"

namespace tandem {

namespace {

/// Adds the time of a stage to the picture's figures and to the trace.
class StageTimer {
  public:
    StageTimer(const char* name, const PlannedPicture& plan, Trace* trace, std::int64_t& microseconds)
        : name_(name), picture_(plan.display_index), trace_(trace), microseconds_(microseconds) {}
    ~StageTimer() {
        const auto end = Trace::Clock::now();
        microseconds_ += std::chrono::duration_cast<std::chrono::microseconds>(end - begin_).count();
        if (trace_ != nullptr) trace_->add(name_, "coding", picture_, begin_, end);
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

  private:
    const char* name_;
    std::int64_t picture_;
    Trace* trace_;
    std::int64_t& microseconds_;
    Trace::Clock::time_point begin_ = Trace::Clock::now();
};

/// The f_codes that would hold all candidates: what their vectors' bits are counted by. MPEG-1 has one for both.
std::array<int, 2> f_codes_of(std::span<const Candidate> candidates, Codec codec) {
    int x = 0, y = 0;
    for (const Candidate& candidate : candidates) {
        if (!has_vector(candidate)) continue;
        x = std::max(x, std::abs(static_cast<int>(candidate.mv.x)));
        y = std::max(y, std::abs(static_cast<int>(candidate.mv.y)));
    }
    if (codec == Codec::mpeg1) x = y = std::max(x, y);
    return {f_code_for(x / eighths_per_half_pel), f_code_for(y / eighths_per_half_pel)};
}

/// Whether the largest coefficients of differences of -255..255 have levels beyond the limit: MPEG-1's 255 at
/// quantisers 1 to 3.
bool may_cut_levels(const Quantisers& quantisers) {
    constexpr int largest = 16 * 8 * 255; // In sixteenths, as quantisers divide them.
    for (std::size_t i = 0; i < 64; ++i) {
        const bool intra_dc = i == 0;
        if (largest > quantisers.inter.largest_level * quantisers.inter.weight[i]) return true;
        if (!intra_dc && largest > quantisers.intra.largest_level * quantisers.intra.weight[i]) return true;
    }
    return false;
}

} // namespace

PictureCoder::PictureCoder(const Settings& settings, const VideoFormat& format, Trace* trace)
    : settings_(settings), format_(format), trace_(trace), sequence_(make_sequence(settings, format, notes_)),
      writer_(settings.codec == Codec::mpeg1 ? make_mpeg1_writer() : make_mpeg2_writer()),
      workers_(threads_or_all(settings.threads)) {
    picture_.resize((format.width + 15) / 16, (format.height + 15) / 16);
    picture_.slices = slice_layout(settings.codec, picture_.mb_columns, picture_.mb_rows, settings.slices);
    picture_.quantiser_scale_type = settings.non_linear_quantiser;
    picture_.intra_vlc_format = settings.intra_vlc;
    picture_.alternate_scan = settings.alternate_scan;
    picture_.intra_dc_precision = settings.intra_dc_precision;
    coded_since_intra_.assign(static_cast<std::size_t>(picture_.macroblocks()), 0);
    slice_bits_.resize(picture_.slices.size());
    if (settings.decision != Decision::rd) return;
    const auto macroblocks = static_cast<std::size_t>(picture_.macroblocks());
    modes_.resize(macroblocks);
    forward_.candidates.resize(macroblocks);
    backward_.candidates.resize(macroblocks);
}

FramePtr PictureCoder::at_coded_size(const Frame& picture) {
    auto coded = std::make_shared<Frame>(coded_width(), coded_height());
    for (int plane = 0; plane < 3; ++plane)
        copy_and_extend(picture.plane(plane).view(), coded->plane(plane).view(), &workers_);
    return coded;
}

ReferencePtr PictureCoder::make_reference(FramePtr reconstruction) {
    return std::make_shared<Reference>(std::move(reconstruction), &workers_);
}

FramePtr PictureCoder::code(PendingPicture& pending, const References& references, BitWriter& packet,
                            PictureStats& stats) {
    const PlannedPicture& plan = pending.plan;
    begin_picture(plan);
    stats.display_index = plan.display_index;
    stats.type = plan.type;
    stats.qp = picture_.quantiser_scale_code.front();
    take_motion(pending, stats);
    refine(plan, references, stats);
    decide(plan, references, stats);
    std::shared_ptr<Frame> reconstruction = code_residuals(plan, references, stats);
    settle_f_codes();
    count_codings(plan);
    write(plan, packet, stats);
    count_macroblocks(picture_, stats);
    return reconstruction;
}

void PictureCoder::begin_picture(const PlannedPicture& plan) {
    picture_.type = plan.type;
    picture_.temporal_reference = plan.temporal_reference;
    const int code = quantiser_code(settings_, plan.type);
    std::fill(picture_.quantiser_scale_code.begin(), picture_.quantiser_scale_code.end(),
              static_cast<std::uint8_t>(code));
    lambda_q8_ = sad_lambda_q8(quantiser_scale(code, settings_.non_linear_quantiser));
}

void PictureCoder::take_motion(PendingPicture& pending, PictureStats& stats) {
    if (!pending.forward.valid()) return;
    const StageTimer timer("wait for motion", pending.plan, trace_, stats.wait_us);
    const auto take = [&](std::future<MotionResult>& future, Direction& direction) {
        MotionResult result = future.get();
        stats.motion_us += result.duration.count();
        stats.backend = result.backend;
        direction.field = std::move(result.field);
    };
    take(pending.forward, forward_);
    if (pending.backward.valid()) take(pending.backward, backward_);
}

void PictureCoder::refine(const PlannedPicture& plan, const References& references, PictureStats& stats) {
    if (plan.type == PictureType::intra) return;
    const StageTimer timer("refine", plan, trace_, stats.refine_us);
    refine_direction(plan, plan.forward_distance, *references.forward, forward_);
    if (references.backward) refine_direction(plan, plan.backward_distance, *references.backward, backward_);
}

void PictureCoder::refine_direction(const PlannedPicture& plan, int distance, const Reference& reference,
                                    Direction& direction) {
    const SearchParams params = refinement_params(settings_, plan.type, distance);
    workers_.for_each(direction.field.rows(), [&](int row, int) {
        refine_subpel(plan.source->luma().view(), reference.luma, params, nullptr, row, row + 1, direction.field);
    });
    direction.f_code = f_codes_of(direction.field.all(), settings_.codec);
}

void PictureCoder::decide(const PlannedPicture& plan, const References& references, PictureStats& stats) {
    const StageTimer timer("decide", plan, trace_, stats.decide_us);
    DecideInput input;
    input.decision = settings_.decision;
    input.source = plan.source->luma().view();
    input.references = &references;
    input.type = plan.type;
    input.lambda_q8 = lambda_q8_;
    input.intra_threshold = settings_.intra_threshold;
    input.intra_refresh = settings_.intra_refresh;
    input.coded_since_intra = coded_since_intra_;
    if (references.forward && plan.type != PictureType::intra) {
        choose(plan, *references.forward, forward_);
        input.forward = forward_.chosen;
        input.forward_candidates = forward_.candidates;
        input.f_code[0] = forward_.f_code;
    }
    if (references.backward) {
        choose(plan, *references.backward, backward_);
        input.backward = backward_.chosen;
        input.backward_candidates = backward_.candidates;
        input.f_code[1] = backward_.f_code;
    }
    workers_.for_each(static_cast<int>(picture_.slices.size()), [&](int slice, int) {
        decide_slice(input, picture_.slices[static_cast<std::size_t>(slice)], picture_, modes_);
    });
    picture_.f_code = input.f_code;
}

void PictureCoder::choose(const PlannedPicture& plan, const Reference& reference, Direction& direction) {
    direction.chosen.resize(static_cast<std::size_t>(picture_.macroblocks()));
    VectorChoiceInput input;
    input.current = plan.source->luma().view();
    input.reference = &reference.luma;
    input.field = &direction.field;
    input.type = plan.type;
    input.f_code = direction.f_code;
    input.lambda_q8 = lambda_q8_;
    input.null_threshold = settings_.search.null_threshold;
    input.null_gain = settings_.search.null_gain;
    workers_.for_each(static_cast<int>(picture_.slices.size()), [&](int slice, int) {
        choose_vectors(input, picture_.slices[static_cast<std::size_t>(slice)], direction.chosen, direction.candidates);
    });
}

std::shared_ptr<Frame> PictureCoder::code_residuals(const PlannedPicture& plan, const References& references,
                                                    PictureStats& stats) {
    const StageTimer timer("residual", plan, trace_, stats.residual_us);
    const ResidualInput input = residual_input(plan, references);
    const RateDistortionInput trials{&input, modes_, settings_.codec, settings_.intra_threshold};
    auto reconstruction = std::make_shared<Frame>(coded_width(), coded_height());
    workers_.for_each(static_cast<int>(picture_.slices.size()), [&](int slice, int) {
        const SliceExtent extent = picture_.slices[static_cast<std::size_t>(slice)];
        if (settings_.decision == Decision::rd) {
            code_by_rate_distortion(trials, extent, picture_, *reconstruction);
        } else {
            code_residual(input, extent, picture_, *reconstruction);
        }
    });
    return reconstruction;
}

Quantisers PictureCoder::quantisers_of(int code) const {
    const bool mpeg1 = settings_.codec == Codec::mpeg1;
    const int scale = quantiser_scale(code, settings_.non_linear_quantiser);
    const auto quantiser = [&](const QuantiserMatrix& matrix, bool intra, int trellis_rounding, int deadzone) {
        const int rounding = settings_.trellis ? trellis_rounding : 32 - deadzone;
        return make_quantiser(matrix, scale, intra, mpeg1, settings_.intra_dc_precision, rounding);
    };
    return {code, quantiser(sequence_.intra_matrix, true, trellis_rounding_intra, settings_.deadzone_intra),
            quantiser(sequence_.non_intra_matrix, false, trellis_rounding_inter, settings_.deadzone_inter)};
}

ResidualInput PictureCoder::residual_input(const PlannedPicture& plan, const References& references) const {
    const int code = picture_.quantiser_scale_code.front();
    ResidualInput input;
    input.source = plan.source.get();
    input.references = &references;
    input.quantisers = {quantisers_of(code)};
    while (may_cut_levels(input.quantisers.back()) && input.quantisers.back().code < 31)
        input.quantisers.push_back(quantisers_of(input.quantisers.back().code + 1));
    input.trellis = settings_.trellis;
    input.lambda_q6 = squared_error_lambda_q6(quantiser_scale(code, settings_.non_linear_quantiser));
    return input;
}

/// The smallest f_codes that hold the vectors in use; the picture header says them.
void PictureCoder::settle_f_codes() {
    constexpr int unused = 15;
    picture_.f_code = {{{unused, unused}, {unused, unused}}};
    const auto settle = [&](const std::vector<Mv>& vectors, MacroblockFlag flag, std::array<int, 2>& f_code) {
        f_code = {1, 1};
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            if ((picture_.flags[i] & flag) == 0) continue;
            f_code[0] = std::max(f_code[0], f_code_for(vectors[i].x / eighths_per_half_pel));
            f_code[1] = std::max(f_code[1], f_code_for(vectors[i].y / eighths_per_half_pel));
        }
        if (settings_.codec == Codec::mpeg1) f_code[0] = f_code[1] = std::max(f_code[0], f_code[1]);
    };
    if (picture_.type != PictureType::intra) settle(picture_.forward, mb_forward, picture_.f_code[0]);
    if (picture_.type == PictureType::bidirectional) settle(picture_.backward, mb_backward, picture_.f_code[1]);
}

/// Counts, for the forced refresh, how often each macroblock of the anchors was coded since it was intra.
void PictureCoder::count_codings(const PlannedPicture& plan) {
    if (plan.type == PictureType::bidirectional) return;
    for (std::size_t i = 0; i < coded_since_intra_.size(); ++i) {
        if (picture_.flags[i] & mb_intra) {
            coded_since_intra_[i] = 0;
        } else if ((picture_.flags[i] & mb_skipped) == 0) {
            ++coded_since_intra_[i];
        }
    }
}

void PictureCoder::write(const PlannedPicture& plan, BitWriter& packet, PictureStats& stats) {
    const StageTimer timer("entropy", plan, trace_, stats.entropy_us);
    workers_.for_each(static_cast<int>(picture_.slices.size()), [&](int slice, int) {
        BitWriter& bits = slice_bits_[static_cast<std::size_t>(slice)];
        bits.clear();
        writer_->write_slice(bits, sequence_, picture_, slice);
    });
    if (plan.opens_group) {
        writer_->write_sequence(packet, sequence_);
        writer_->write_group(packet, group_code(plan));
    }
    writer_->write_picture_header(packet, picture_);
    for (BitWriter& bits : slice_bits_)
        packet.append(bits.bytes());
}

/// Time code of the group's first picture in display order, counting whole pictures per nominal second.
MpegGroup PictureCoder::group_code(const PlannedPicture& plan) const {
    const std::int64_t per_second = std::clamp<std::int64_t>(std::llround(format_.frame_rate.value()), 1, 60);
    const std::int64_t seconds = plan.group_first_display / per_second;
    MpegGroup group;
    group.pictures = static_cast<int>(plan.group_first_display % per_second);
    group.seconds = static_cast<int>(seconds % 60);
    group.minutes = static_cast<int>(seconds / 60 % 60);
    group.hours = static_cast<int>(seconds / 3600 % 24);
    group.closed = plan.closed_group;
    return group;
}

} // namespace tandem
