// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/mpeg_picture_coder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/intra_table.h"
#include "coding/mpeg/device_backend.h"
#include "coding/mpeg/slice_layout.h"
#include "coding/mpeg/stage_timer.h"
#include "coding/mpeg/vectors/f_codes.h"
#include "encoder/mpeg/mpeg_decisions.h"
#include "encoder/mpeg/picture_stats.h"
#include "encoder/mpeg/sequence.h"
#include "encoder/pictures/motion_ahead.h"

namespace tandem {

namespace {

MpegTools tools_of(const Settings& settings, const VideoFormat& format, const MpegSequence& sequence) {
    MpegTools tools;
    tools.codec = settings.codec;
    tools.columns = (format.width + 15) / 16;
    tools.rows = (format.height + 15) / 16;
    tools.intra_matrix = sequence.intra_matrix;
    tools.non_intra_matrix = sequence.non_intra_matrix;
    tools.non_linear_quantiser = settings.non_linear_quantiser;
    tools.intra_vlc = settings.intra_table == IntraTable::b15;
    tools.alternate_scan = settings.alternate_scan;
    tools.intra_dc_precision = settings.intra_dc_precision;
    tools.trellis = settings.trellis;
    tools.deadzone_intra = settings.deadzone_intra;
    tools.deadzone_inter = settings.deadzone_inter;
    tools.decision = settings.decision;
    tools.intra_threshold = settings.intra_threshold;
    tools.intra_refresh = settings.intra_refresh;
    tools.null_threshold = settings.search.null_threshold;
    tools.null_gain = settings.search.null_gain;
    return tools;
}

/// The smallest f_codes that hold the vectors in use; the picture header says them.
void settle_f_codes(Codec codec, MpegPicture& picture) {
    constexpr int unused = 15;
    picture.f_code = {{{unused, unused}, {unused, unused}}};
    const auto settle = [&](const std::vector<Mv>& vectors, MacroblockFlag flag, std::array<int, 2>& f_code) {
        std::array<std::int16_t, 2> least{}, most{};
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            const Mv mv = (picture.flags[i] & flag) != 0 ? vectors[i] : Mv{};
            least = {std::min(least[0], mv.x), std::min(least[1], mv.y)};
            most = {std::max(most[0], mv.x), std::max(most[1], mv.y)};
        }
        for (std::size_t axis = 0; axis < 2; ++axis)
            f_code[axis] =
                std::max(f_code_for(least[axis] / eighths_per_half_pel), f_code_for(most[axis] / eighths_per_half_pel));
        if (codec == Codec::mpeg1) f_code[0] = f_code[1] = std::max(f_code[0], f_code[1]);
    };
    if (picture.type != PictureType::intra) settle(picture.forward, mb_forward, picture.f_code[0]);
    if (picture.type == PictureType::bidirectional) settle(picture.backward, mb_backward, picture.f_code[1]);
}

std::shared_ptr<const Reference> mpeg_reference(const PictureJob& job, std::size_t i) {
    if (i >= job.references.size()) return nullptr;
    return std::static_pointer_cast<const Reference>(job.references[i]);
}

std::int64_t microseconds(std::int64_t nanoseconds) { return nanoseconds / 1000; }

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

/// A picture's arrays and what is written of them.
struct MpegPictureCoder::Work : CodecWork {
    MpegCodingJob coding;
    bool has_fields = false; ///< Or `error` says why not.
    std::vector<BitWriter> slices;
    ElementBits element_bits; ///< Empty unless decisions are kept.
    std::promise<void> coded;
    std::atomic<int> slices_left{0};
    std::atomic<std::int64_t> entropy{0}; ///< Nanoseconds, over all threads.
    std::mutex error_mutex;
    std::exception_ptr error;

    /// Tells whoever waits, who may take this away at once: nothing of it is touched after that.
    void tell(std::exception_ptr what) {
        std::promise<void> told = std::move(coded);
        if (what) return told.set_exception(std::move(what));
        told.set_value();
    }
};

MpegPictureCoder::Work& MpegPictureCoder::work_of(const PictureJob& job) { return static_cast<Work&>(*job.work); }

MpegPictureCoder::MpegPictureCoder(const Settings& settings, const VideoFormat& format, TaskPool& pool, Trace* trace,
                                   const CodingDevices& devices)
    : settings_(settings), format_(format), pool_(pool), trace_(trace),
      sequence_(make_sequence(settings, format, notes_)), tools_(tools_of(settings, format, sequence_)),
      slices_(slice_layout(settings.codec, tools_.columns, tools_.rows, settings.slices)),
      writer_(settings.codec == Codec::mpeg1 ? make_mpeg1_writer() : make_mpeg2_writer()),
      backend_(make_mpeg_backend(tools_, pool, trace, settings.keeps_decisions ? CodingDevices{} : devices)) {}

std::unique_ptr<CodecWork> MpegPictureCoder::take_work() {
    if (!spare_.empty()) {
        std::unique_ptr<CodecWork> work = std::move(spare_.back());
        spare_.pop_back();
        return work;
    }
    auto work = std::make_unique<Work>();
    MpegPicture& picture = work->coding.picture;
    picture.resize(tools_.columns, tools_.rows);
    picture.slices = slices_;
    picture.quantiser_scale_type = tools_.non_linear_quantiser;
    picture.alternate_scan = tools_.alternate_scan;
    picture.intra_dc_precision = tools_.intra_dc_precision;
    work->slices.resize(slices_.size());
    if (settings_.keeps_decisions) {
        const auto macroblocks = static_cast<std::size_t>(picture.macroblocks());
        work->coding.tried.resize(macroblocks);
        work->element_bits.macroblocks.resize(macroblocks);
        work->element_bits.slice_headers.resize(slices_.size());
        work->element_bits.alignment.resize(slices_.size());
    }
    return std::unique_ptr<CodecWork>(std::move(work));
}

/// Says what is to be coded, but for its fields.
void MpegPictureCoder::describe(const PictureJob& job, Work& work) const {
    MpegCodingJob& coding = work.coding;
    coding.type = coding.picture.type = job.plan.type;
    coding.picture.intra_vlc_format = tools_.intra_vlc;
    coding.picture.temporal_reference = job.plan.temporal_reference;
    coding.rank = job.coding_index;
    coding.display = job.plan.display_index;
    coding.source = job.plan.source;
    coding.references = {mpeg_reference(job, 0), mpeg_reference(job, 1)};
    for (std::size_t i = 0; i < job.fields.size(); ++i)
        coding.refinement[i] = refinement_params(settings_, job.plan.type, job.plan.distance(job.plan.references[i]),
                                                 job.quality.quantiser);
    coding.quality = job.quality;
    coding.reconstruction = std::make_shared<Frame>(coded_width(), coded_height());
    coding.made = job.plan.is_anchor() ? Reference::in_the_making(coding.reconstruction) : nullptr;
    coding.times.refine = coding.times.decide = coding.times.residual = work.entropy = 0;
    work.coded = {};
    work.error = nullptr;
}

MpegPictureCoder::~MpegPictureCoder() {
    std::unique_lock lock(begin_mutex_);
    begun_.wait(lock, [this] { return beginning_ == 0; });
}

int MpegPictureCoder::pictures_at_once() const {
    const std::lock_guard lock(begin_mutex_);
    return backend_->pictures_at_once();
}

/// Its fields take a while, and those of several pictures can be made beside each other.
void MpegPictureCoder::begin(PictureJob& job) {
    if (!job.work) job.work = take_work();
    Work& work = work_of(job);
    describe(job, work);
    work.has_fields = false;
    job.coded = work.coded.get_future();
    job.reconstruction = work.coding.reconstruction;
    job.reference = work.coding.made;
    {
        const std::lock_guard lock(begin_mutex_);
        waiting_.push_back(&job);
        ++beginning_;
    }
    pool_.run(job.coding_index, [this, &job, &work] {
        try {
            make_fields(job, work);
        } catch (...) {
            work.error = std::current_exception();
        }
        const std::lock_guard lock(begin_mutex_);
        work.has_fields = true;
        begin_those_with_fields();
        if (--beginning_ == 0) begun_.notify_all();
    });
}

/// Those that the backend gets.
void MpegPictureCoder::make_fields(const PictureJob& job, Work& work) const {
    for (std::size_t i = 0; i < job.fields.size(); ++i) {
        MotionField& field = work.coding.fields[i] = job.fields[i];
        limit_vectors(field, tools_.codec, job.plan.type, vector_lambda_q8(settings_, job.quality.quantiser));
        work.coding.f_codes[i] = f_codes_of(field, tools_.codec);
    }
}

/// Backends get pictures in coding order, one after the other.
void MpegPictureCoder::begin_those_with_fields() {
    while (!waiting_.empty() && work_of(*waiting_.front()).has_fields) {
        PictureJob& job = *waiting_.front();
        waiting_.pop_front();
        Work& work = work_of(job);
        if (work.error) {
            work.tell(work.error);
            continue;
        }
        try {
            backend_->code(work.coding, [this, &job, &work](std::exception_ptr error) {
                if (error) return work.tell(error);
                pool_.run(job.coding_index, [this, &job, &work] { queue_slices(job, work); });
            });
        } catch (...) {
            work.tell(std::current_exception());
        }
    }
}

/// What the picture's header says comes of all its macroblocks.
void MpegPictureCoder::queue_slices(PictureJob& job, Work& work) {
    MpegPicture& picture = work.coding.picture;
    settle_f_codes(tools_.codec, picture);
    if (tools_.codec == Codec::mpeg2 && settings_.intra_table == IntraTable::shorter)
        picture.intra_vlc_format = shorter_intra_table(picture) == CoefficientTable::b15;
    const auto count = static_cast<int>(slices_.size());
    work.slices_left = count;
    for (int slice = 0; slice < count; ++slice)
        pool_.run(job.coding_index, [this, &job, &work, slice] { write_slice(job, work, slice); });
}

void MpegPictureCoder::write_slice(PictureJob& job, Work& work, int slice) {
    try {
        const StageTimer time("entropy", work.entropy, trace_, job.plan.display_index);
        BitWriter& bits = work.slices[static_cast<std::size_t>(slice)];
        bits.clear();
        writer_->write_slice(bits, sequence_, work.coding.picture, slice,
                             settings_.keeps_decisions ? &work.element_bits : nullptr);
    } catch (...) {
        const std::lock_guard lock(work.error_mutex);
        work.error = std::current_exception();
    }
    if (--work.slices_left > 0) return;
    if (!work.error) count_macroblocks(work.coding.picture, job.stats);
    work.tell(work.error);
}

/// What stands before a picture's own header.
void MpegPictureCoder::write_stream_headers(const PictureJob& job, BitWriter& packet) const {
    if (!job.plan.opens_group) return;
    writer_->write_sequence(packet, sequence_);
    writer_->write_group(packet, group_code(job.plan));
}

void MpegPictureCoder::write_headers(const PictureJob& job, BitWriter& packet) const {
    write_stream_headers(job, packet);
    writer_->write_picture_header(packet, work_of(job).coding.picture);
}

PictureBits MpegPictureCoder::bits(const PictureJob& job) const {
    BitWriter headers;
    write_headers(job, headers);
    PictureBits bits{headers.bit_count()};
    const bool in_rows = std::ranges::all_of(slices_, [this](const SliceExtent& slice) {
        return slice.first / tools_.columns == (slice.end - 1) / tools_.columns;
    });
    if (in_rows) bits.rows.resize(static_cast<std::size_t>(tools_.rows));
    for (std::size_t i = 0; i < slices_.size(); ++i) {
        const std::uint64_t slice = work_of(job).slices[i].bit_count();
        bits.all += slice;
        if (in_rows) bits.rows[static_cast<std::size_t>(slices_[i].first / tools_.columns)] += slice;
    }
    return bits;
}

void MpegPictureCoder::finish(PictureJob& job, const StreamPlace& place) {
    Work& work = work_of(job);
    work.coding.picture.vbv_delay = 0xFFFF; // Clause 6.3.9: not said.
    if (place.buffer != nullptr) {
        BitWriter ahead;
        write_stream_headers(job, ahead);
        constexpr int start_code_bits = 32;
        work.coding.picture.vbv_delay =
            place.buffer->delay(static_cast<std::int64_t>(ahead.bit_count()) + start_code_bits);
    }
    write_headers(job, job.packet);
    const std::uint64_t header_bits = job.packet.bit_count();
    for (BitWriter& bits : work.slices)
        job.packet.append(bits.bytes());
    const std::uint64_t slices_end = job.packet.bit_count();
    if (tools_.codec == Codec::mpeg1 && job.plan.starts_reordering) end_read(place.stream_bytes, job.packet);
    for (std::uint64_t i = 0; i < place.stuffing_bytes; ++i)
        job.packet.put(0, 8);
    if (settings_.keeps_decisions) {
        const std::uint64_t all = job.packet.bit_count();
        job.decisions =
            mpeg_decision_record({job, work.coding, work.element_bits, format_, all, header_bits, all - slices_end});
    }

    const MpegStageTimes& times = work.coding.times;
    job.stats.refine_us = microseconds(times.refine);
    job.stats.decide_us = microseconds(times.decide);
    job.stats.residual_us = microseconds(times.residual);
    job.stats.entropy_us = microseconds(work.entropy);
    work.coding.references = {};
    work.coding.made = nullptr;
    work.coding.source = nullptr;
    work.coding.reconstruction = nullptr;
    spare_.push_back(std::move(job.work));
}

std::vector<std::uint8_t> MpegPictureCoder::end() const {
    BitWriter bits;
    writer_->write_sequence_end(bits);
    const auto bytes = bits.bytes();
    return {bytes.begin(), bytes.end()};
}

std::vector<DecisionColumn> MpegPictureCoder::decision_columns() const { return mpeg_decision_columns(); }

StreamPromise MpegPictureCoder::promise() const {
    const bool variable = tools_.codec == Codec::mpeg1 && sequence_.bit_rate == variable_bit_rate;
    StreamPromise promise;
    promise.bits_per_second = variable ? 0 : 400 * std::int64_t{sequence_.bit_rate};
    promise.buffer_bits = 16384 * std::int64_t{sequence_.vbv_buffer_size};
    promise.reorder_delay = settings_.bframes > 0 ? 1 : 0;
    return promise;
}

/// Time code of the group's first picture in display order, counting whole pictures per nominal second.
MpegGroup MpegPictureCoder::group_code(const PlannedPicture& plan) const {
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
