// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/encoder.h"

#include <deque>
#include <stdexcept>

#include "encoder/motion_ahead.h"
#include "encoder/mpeg/picture_coder.h"
#include "encoder/picture_order.h"
#include "machine/errors.h"

namespace tandem {

namespace {

/// The settings, once they are known to fit.
const Settings& checked(const Settings& settings, const VideoFormat& format) {
    std::string message;
    for (const std::string& problem : settings.validate(format))
        message += (message.empty() ? "" : "; ") + problem;
    if (!message.empty()) throw InputError(message);
    return settings;
}

/// What FFmpeg's demultiplexer of elementary streams reads at a time.
constexpr std::uint64_t demultiplexer_read = 1024;

/// Zero stuffing (next_start_code() of 11172-2 allows it) after the anchor before the first B picture, up to the next
/// `demultiplexer_read`. MPEG-1 says nowhere that pictures are reordered: FFmpeg's demultiplexer learns it from the
/// first B picture, and where that begins in the same read as the anchor, and no further anchor follows, it complains
/// of the time stamps that it guessed. Anchors that reach into the next read need nothing.
void end_read(std::uint64_t stream_bytes, BitWriter& packet) {
    const std::uint64_t first = stream_bytes / demultiplexer_read;
    if ((stream_bytes + packet.bit_count() / 8) / demultiplexer_read != first) return;
    while ((stream_bytes + packet.bit_count() / 8) % demultiplexer_read != 0)
        packet.put(0, 8);
}

} // namespace

struct Encoder::State {
    State(const Settings& settings_in, const VideoFormat& format_in, Coprocessor& motion_in, Output output_in,
          Trace* trace)
        : settings(checked(settings_in, format_in)), format(format_in), motion(motion_in), output(std::move(output_in)),
          coder(settings, format, trace), order(settings.keyint, settings.bframes, settings.closed_gop) {}

    void plan(std::vector<PlannedPicture> pictures);
    void code_front();
    References references_of(PictureType type) const;

    const Settings settings;
    const VideoFormat format;
    Coprocessor& motion;
    Output output;
    PictureCoder coder;
    PictureOrder order;
    std::deque<PendingPicture> pending; ///< In coding order; with MotionReference::source their motion is under way.
    ReferencePtr previous_anchor, latest_anchor;
    BitWriter packet;
    std::int64_t coded = 0;
    std::uint64_t stream_bytes = 0; ///< Of all packets so far.
    bool finished = false;
};

/// Takes planned pictures in, and codes the oldest while more than `lookahead` wait.
void Encoder::State::plan(std::vector<PlannedPicture> pictures) {
    for (PlannedPicture& picture : pictures) {
        PendingPicture next;
        next.plan = std::move(picture);
        if (settings.motion_reference == MotionReference::source) {
            request_motion(motion, settings, next, next.plan.forward_source, next.plan.backward_source);
        }
        pending.push_back(std::move(next));
        while (pending.size() > static_cast<std::size_t>(settings.lookahead))
            code_front();
    }
}

References Encoder::State::references_of(PictureType type) const {
    switch (type) {
    case PictureType::predicted:
        return {latest_anchor, nullptr};
    case PictureType::bidirectional:
        return {previous_anchor, latest_anchor};
    default:
        return {};
    }
}

void Encoder::State::code_front() {
    PendingPicture picture = std::move(pending.front());
    pending.pop_front();
    const References references = references_of(picture.plan.type);
    if (settings.motion_reference == MotionReference::recon) {
        const auto frame = [](const ReferencePtr& reference) {
            return reference ? reference->reconstruction : FramePtr{};
        };
        request_motion(motion, settings, picture, frame(references.forward), frame(references.backward));
    }
    EncodedPicture encoded;
    packet.clear();
    encoded.reconstruction = coder.code(picture, references, packet, encoded.stats);
    if (settings.codec == Codec::mpeg1 && picture.plan.starts_reordering) end_read(stream_bytes, packet);
    encoded.source = picture.plan.source;
    encoded.bytes = packet.bytes();
    stream_bytes += encoded.bytes.size();
    encoded.key = picture.plan.opens_group;
    encoded.stats.bytes = encoded.bytes.size();
    encoded.stats.coding_index = coded++;
    if (picture.plan.type != PictureType::bidirectional) {
        previous_anchor = std::move(latest_anchor);
        latest_anchor = coder.make_reference(encoded.reconstruction);
    }
    output(encoded);
}

Encoder::Encoder(const Settings& settings, const VideoFormat& format, Coprocessor& motion, Output output, Trace* trace)
    : state_(std::make_unique<State>(settings, format, motion, std::move(output), trace)) {
    motion.prepare(search_params(settings, PictureType::predicted, largest_distance(settings)),
                   state_->coder.coded_width(), state_->coder.coded_height());
}

Encoder::~Encoder() = default;

void Encoder::push(const Frame& picture) {
    State& state = *state_;
    if (state.finished) throw std::logic_error("Encoder::push() after finish()");
    if (picture.width() != state.format.width || picture.height() != state.format.height) {
        throw InputError("a picture of " + std::to_string(picture.width()) + "x" + std::to_string(picture.height()) +
                         " in a video of " + std::to_string(state.format.width) + "x" +
                         std::to_string(state.format.height));
    }
    state.plan(state.order.push(state.coder.at_coded_size(picture)));
}

std::vector<std::uint8_t> Encoder::finish() {
    State& state = *state_;
    if (state.finished) throw std::logic_error("Encoder::finish() twice");
    state.finished = true;
    state.plan(state.order.finish());
    while (!state.pending.empty())
        state.code_front();
    if (state.coded == 0) return {};
    BitWriter end;
    state.coder.writer().write_sequence_end(end);
    const auto bytes = end.bytes();
    return {bytes.begin(), bytes.end()};
}

const MpegSequence& Encoder::sequence() const { return state_->coder.sequence(); }

const std::vector<std::string>& Encoder::notes() const { return state_->coder.notes(); }

} // namespace tandem
