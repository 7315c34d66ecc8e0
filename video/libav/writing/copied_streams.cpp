// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/writing/copied_streams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_log.h"
#include "video/libav/reading/rotation.h"

namespace tandem {

namespace {

// libavformat does not say what its muxers of ISO/IEC 11172-1 and 13818-1 can hold.
constexpr std::array in_system_streams{AV_CODEC_ID_MP2, AV_CODEC_ID_MP3};
constexpr std::array in_program_streams{AV_CODEC_ID_MP2, AV_CODEC_ID_MP3,       AV_CODEC_ID_AC3,
                                        AV_CODEC_ID_DTS, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_DVD_SUBTITLE};
constexpr std::array in_transport_streams{AV_CODEC_ID_MP2,    AV_CODEC_ID_MP3,          AV_CODEC_ID_AAC,
                                          AV_CODEC_ID_AC3,    AV_CODEC_ID_EAC3,         AV_CODEC_ID_DTS,
                                          AV_CODEC_ID_OPUS,   AV_CODEC_ID_DVB_SUBTITLE, AV_CODEC_ID_DVB_TELETEXT,
                                          AV_CODEC_ID_TRUEHD, AV_CODEC_ID_SMPTE_KLV};

/// Discs of Blu-ray have more.
constexpr std::array in_blu_ray_streams{AV_CODEC_ID_PCM_BLURAY, AV_CODEC_ID_HDMV_PGS_SUBTITLE};
constexpr std::array cover_formats{AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP};

bool contains(std::span<const AVCodecID> list, AVCodecID id) { return std::ranges::find(list, id) != list.end(); }

bool is_mp4(const AVFormatContext& muxer) {
    const std::string_view name = muxer.oformat->name;
    return name == "mp4" || name == "mov";
}

/// Muxers refuse some streams only when they begin, and all others with them: this one is tried alone.
bool begins_with(const AVFormatContext& muxer, const AVStream& stream) {
    const LibavLogScope log;
    AVFormatContext* trial = nullptr;
    if (libav().avformat_alloc_output_context2(&trial, muxer.oformat, nullptr, muxer.url) < 0) throw std::bad_alloc();
    AVStream* const alone = libav().avformat_new_stream(trial, nullptr);
    if (alone == nullptr || libav().avcodec_parameters_copy(alone->codecpar, stream.codecpar) < 0 ||
        libav().avio_open_dyn_buf(&trial->pb) < 0) {
        libav().avformat_free_context(trial);
        throw std::bad_alloc();
    }
    alone->codecpar->codec_tag = 0;
    alone->time_base = stream.time_base;
    trial->strict_std_compliance = muxer.strict_std_compliance;
    const bool began = libav().avformat_write_header(trial, nullptr) >= 0;
    std::uint8_t* written = nullptr;
    libav().avio_close_dyn_buf(trial->pb, &written);
    libav().av_free(written);
    trial->pb = nullptr;
    libav().avformat_free_context(trial);
    return began;
}

bool is_matroska(const AVFormatContext& muxer) { return std::string_view(muxer.oformat->name) == "matroska"; }

bool is_cover(const AVStream& stream) { return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0; }

bool is_timecode(const AVStream& stream) { return stream.codecpar->codec_tag == MKTAG('t', 'm', 'c', 'd'); }

/// Matroska wants to know how an attached file is called, and what it is.
bool is_named_file(const AVStream& stream) {
    return stream.codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT &&
           libav().av_dict_get(stream.metadata, "filename", nullptr, 0) != nullptr &&
           libav().av_dict_get(stream.metadata, "mimetype", nullptr, 0) != nullptr;
}

bool holds(const AVFormatContext& muxer, const AVStream& stream) {
    const AVOutputFormat& container = *muxer.oformat;
    const AVCodecID codec = stream.codecpar->codec_id;
    const std::string_view name = container.name;
    if (stream.codecpar->codec_type == AVMEDIA_TYPE_UNKNOWN) return false;
    if (stream.codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT) return is_matroska(muxer) && is_named_file(stream);
    if (name == "mpegts" && std::string_view(muxer.url).ends_with(".m2ts") && contains(in_blu_ray_streams, codec))
        return true;
    if (name == "vcd" || name == "mpeg") return contains(in_system_streams, codec);
    if (name == "svcd") return contains(in_system_streams, codec) || codec == AV_CODEC_ID_DVD_SUBTITLE;
    if (name == "vob" || name == "dvd") return contains(in_program_streams, codec);
    if (name == "mpegts") return contains(in_transport_streams, codec);
    return codec != AV_CODEC_ID_NONE && libav().avformat_query_codec(&container, codec, FF_COMPLIANCE_NORMAL) == 1;
}

/// Whether .mkv would hold what another container does not.
bool matroska_holds(const AVStream& stream) {
    if (is_cover(stream)) return true;
    if (stream.codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT) return is_named_file(stream);
    const AVOutputFormat* const matroska = libav().av_guess_format("matroska", nullptr, nullptr);
    return matroska != nullptr && stream.codecpar->codec_id != AV_CODEC_ID_NONE &&
           libav().avformat_query_codec(matroska, stream.codecpar->codec_id, FF_COMPLIANCE_NORMAL) == 1;
}

/// "sound (aac)", as a note names a stream.
std::string described(const AVStream& stream) {
    if (is_cover(stream)) return "a cover picture";
    if (is_timecode(stream)) return "a track of timecodes";
    const AVMediaType type = stream.codecpar->codec_type;
    const std::string what = type == AVMEDIA_TYPE_AUDIO      ? "sound"
                             : type == AVMEDIA_TYPE_SUBTITLE ? "subtitles"
                             : type == AVMEDIA_TYPE_DATA     ? "data"
                                                             : "an attachment";
    const char* const name = libav().avcodec_get_name(stream.codecpar->codec_id);
    return what + (stream.codecpar->codec_id == AV_CODEC_ID_NONE ? "" : " (" + std::string(name) + ")");
}

/// Tags that say something of the file itself or of the old pictures, and would not be true of the new ones.
bool is_of_the_old_file(std::string_view tag) {
    constexpr std::array<std::string_view, 6> names{"encoder",           "major_brand",  "minor_version",
                                                    "compatible_brands", "handler_name", "vendor_id"};
    constexpr std::array<std::string_view, 4> beginnings{"DURATION", "BPS", "NUMBER_OF_", "_STATISTICS_"};
    std::string lower(tag);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return std::ranges::find(names, lower) != names.end() ||
           std::ranges::any_of(beginnings, [&](std::string_view start) { return tag.starts_with(start); });
}

void copy_tags(const AVDictionary* from, AVDictionary*& to) {
    const AVDictionaryEntry* tag = nullptr;
    while ((tag = libav().av_dict_get(from, "", tag, AV_DICT_IGNORE_SUFFIX)) != nullptr)
        if (!is_of_the_old_file(tag->key) && libav().av_dict_set(&to, tag->key, tag->value, 0) < 0)
            throw std::bad_alloc();
}

std::int64_t microseconds(double seconds) { return std::llround(seconds * AV_TIME_BASE); }

} // namespace

CopiedStreams::CopiedStreams(const CopiedRest& rest, AVFormatContext& muxer)
    : input_(rest.path), muxer_(muxer), from_beginning_(rest.from_beginning), to_end_(rest.to_end) {
    choose_streams(rest);
    choose_origin(rest);
    copy_metadata(rest);
    copy_chapters();
}

void CopiedStreams::choose_streams(const CopiedRest& rest) {
    AVFormatContext& file = input_.context();
    std::map<std::string, int> left_out;
    bool matroska_holds_all = !is_matroska(muxer_);
    for (unsigned i = 0; i < file.nb_streams; ++i) {
        AVStream& stream = *file.streams[i];
        const AVMediaType type = stream.codecpar->codec_type;
        stream.discard = AVDISCARD_ALL;
        // The pictures that are coded, and other videos, of which the source speaks.
        if (type == AVMEDIA_TYPE_VIDEO && !is_cover(stream)) continue;
        if (type == AVMEDIA_TYPE_AUDIO && !rest.sound) continue;
        if (is_cover(stream) ? copies_cover(stream) : adds_timecode(stream)) continue;
        if (is_cover(stream) || !holds(muxer_, stream) ||
            (type != AVMEDIA_TYPE_ATTACHMENT && !begins_with(muxer_, stream))) {
            ++left_out[described(stream)];
            matroska_holds_all = matroska_holds_all && matroska_holds(stream);
            continue;
        }
        AVStream& copy = add_copy(stream);
        if (type == AVMEDIA_TYPE_ATTACHMENT) continue; // It is whole in its parameters.
        stream.discard = AVDISCARD_DEFAULT;
        copies_.push_back({static_cast<int>(i), &copy});
    }
    for (const auto& [what, count] : left_out)
        note_ += (note_.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " times " : "") + what;
    if (note_.empty()) return;
    note_ = "what the container cannot hold is left out: " + note_ + (matroska_holds_all ? "; .mkv can hold it" : "");
}

AVStream& CopiedStreams::add_copy(AVStream& stream) {
    AVStream* const copy = libav().avformat_new_stream(&muxer_, nullptr);
    if (copy == nullptr || libav().avcodec_parameters_copy(copy->codecpar, stream.codecpar) < 0) throw std::bad_alloc();
    copy->codecpar->codec_tag = 0; // Containers have tags of their own.
    copy->time_base = stream.time_base;
    copy->disposition = stream.disposition;
    copy_tags(stream.metadata, copy->metadata);
    return *copy;
}

/// A cover is a still video in .mp4 and .mov, and an attached file in .mkv. False: this container has none.
bool CopiedStreams::copies_cover(AVStream& stream) {
    const AVPacket& picture = stream.attached_pic;
    if (picture.size <= 0 || !contains(cover_formats, stream.codecpar->codec_id)) return false;
    if (std::string_view(muxer_.oformat->name) == "mp4") {
        covers_.push_back({stream.index, &add_copy(stream)});
        return true;
    }
    if (!is_matroska(muxer_)) return false;
    const bool is_png = stream.codecpar->codec_id == AV_CODEC_ID_PNG;
    if (!is_png && stream.codecpar->codec_id != AV_CODEC_ID_MJPEG) return false;
    AVStream& file = add_copy(stream);
    AVCodecParameters& parameters = *file.codecpar;
    parameters.codec_type = AVMEDIA_TYPE_ATTACHMENT;
    file.disposition = 0;
    libav().av_freep(&parameters.extradata);
    parameters.extradata_size = 0;
    const auto size = static_cast<std::size_t>(picture.size);
    parameters.extradata = static_cast<std::uint8_t*>(libav().av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE));
    if (parameters.extradata == nullptr) throw std::bad_alloc();
    std::copy_n(picture.data, size, parameters.extradata);
    parameters.extradata_size = picture.size;
    libav().av_dict_set(&file.metadata, "filename", is_png ? "cover.png" : "cover.jpg", AV_DICT_DONT_OVERWRITE);
    libav().av_dict_set(&file.metadata, "mimetype", is_png ? "image/png" : "image/jpeg", AV_DICT_DONT_OVERWRITE);
    return true;
}

/// The muxers of .mp4 and .mov make a track of timecodes of the tag that tells the first one.
bool CopiedStreams::adds_timecode(const AVStream& stream) const { return is_mp4(muxer_) && is_timecode(stream); }

void CopiedStreams::choose_origin(const CopiedRest& rest) {
    origin_us_ = microseconds(rest.begin);
    if (rest.from_beginning) {
        for (const Copy& copy : copies_) {
            const AVStream& stream = *input_.context().streams[copy.from];
            if (stream.codecpar->codec_type != AVMEDIA_TYPE_AUDIO || stream.start_time == AV_NOPTS_VALUE) continue;
            origin_us_ =
                std::min(origin_us_, libav().av_rescale_q(stream.start_time, stream.time_base, AV_TIME_BASE_Q));
        }
    }
    delay_us_ = microseconds(rest.begin) - origin_us_;
}

void CopiedStreams::copy_metadata(const CopiedRest& rest) {
    AVFormatContext& file = input_.context();
    copy_tags(file.metadata, muxer_.metadata);
    const int index = libav().av_find_best_stream(&file, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (index < 0) return;
    const AVStream& pictures = *file.streams[index];
    AVStream& video = *muxer_.streams[0];
    copy_tags(pictures.metadata, video.metadata);
    libav().av_dict_set(&video.metadata, "rotate", nullptr, 0); // An old way to say what the matrix says.
    video.disposition = pictures.disposition;
    if (!from_beginning_ && (libav().av_dict_get(video.metadata, "timecode", nullptr, 0) != nullptr ||
                             libav().av_dict_get(muxer_.metadata, "timecode", nullptr, 0) != nullptr)) {
        libav().av_dict_set(&video.metadata, "timecode", nullptr, 0);
        libav().av_dict_set(&muxer_.metadata, "timecode", nullptr, 0);
        note_ +=
            std::string(note_.empty() ? "" : "; ") + "the timecode is left out: it is that of the input's beginning";
    }
    const auto matrix = display_matrix_of(pictures);
    if (matrix.empty() || !rest.rotation) return;
    if (is_mp4(muxer_))
        set_display_matrix(video, matrix);
    else
        note_ += std::string(note_.empty() ? "" : "; ") +
                 "the file asks players to rotate the pictures, which this container cannot say; --filter transpose "
                 "turns them";
}

void CopiedStreams::copy_chapters() {
    const AVFormatContext& file = input_.context();
    for (unsigned i = 0; i < file.nb_chapters; ++i) {
        const AVChapter& from = *file.chapters[i];
        const std::int64_t shift = libav().av_rescale_q(origin_us_, AV_TIME_BASE_Q, from.time_base);
        if (from.end <= shift) continue;
        auto* const to = static_cast<AVChapter*>(libav().av_mallocz(sizeof(AVChapter)));
        auto* const list = static_cast<AVChapter**>(
            libav().av_realloc_array(muxer_.chapters, muxer_.nb_chapters + 1, sizeof(AVChapter*)));
        if (to == nullptr || list == nullptr) throw std::bad_alloc();
        to->id = from.id;
        to->time_base = from.time_base;
        to->start = std::max<std::int64_t>(0, from.start - shift);
        to->end = from.end - shift;
        muxer_.chapters = list;
        muxer_.chapters[muxer_.nb_chapters++] = to;
        copy_tags(from.metadata, to->metadata);
    }
}

CopiedStreams::Copy* CopiedStreams::copy_of(int stream) {
    const auto found = std::ranges::find(copies_, stream, &Copy::from);
    return found == copies_.end() ? nullptr : &*found;
}

/// The next packet of a stream that is copied into packet_; false at the end.
bool CopiedStreams::fetch() {
    const LibavLogScope log;
    while (!pending_ && !ended_) {
        const int error = libav().av_read_frame(&input_.context(), packet_.get());
        // Where the file is broken, the source says so.
        ended_ = error < 0;
        if (ended_) break;
        const Copy* const copy = copy_of(packet_->stream_index);
        pending_ = copy != nullptr && (packet_->flags & AV_PKT_FLAG_DISCARD) == 0;
        if (!pending_) libav().av_packet_unref(packet_.get());
    }
    return pending_;
}

/// In seconds of the container's time; what has no time comes at once.
double CopiedStreams::time_of_packet() const {
    const std::int64_t stamp = packet_->dts != AV_NOPTS_VALUE ? packet_->dts : packet_->pts;
    if (stamp == AV_NOPTS_VALUE) return 0;
    const double time = static_cast<double>(stamp) * av_q2d(input_.context().streams[packet_->stream_index]->time_base);
    return time - static_cast<double>(origin_us_) / AV_TIME_BASE;
}

/// More than half of it is heard between the beginning and `end`.
bool CopiedStreams::is_wanted(double end) const {
    const double duration =
        static_cast<double>(packet_->duration) * av_q2d(input_.context().streams[packet_->stream_index]->time_base);
    const double middle = time_of_packet() + duration / 2;
    // Before the beginning there is what decoders need ahead of the first sound (AAC's priming).
    constexpr double lead = 1;
    return middle >= (from_beginning_ ? -lead : 0) && (to_end_ || middle < end);
}

int CopiedStreams::write_packet() {
    pending_ = false;
    Copy& copy = *copy_of(packet_->stream_index);
    const AVRational from = input_.context().streams[copy.from]->time_base, to = copy.to->time_base;
    const std::int64_t shift = libav().av_rescale_q(origin_us_, AV_TIME_BASE_Q, from);
    for (std::int64_t* stamp : {&packet_->pts, &packet_->dts})
        if (*stamp != AV_NOPTS_VALUE) *stamp -= shift;
    libav().av_packet_rescale_ts(packet_.get(), from, to);
    if (packet_->dts == AV_NOPTS_VALUE) packet_->dts = packet_->pts;
    // Muxers want times that rise; damaged recordings have others.
    if (copy.last != AV_NOPTS_VALUE && packet_->dts <= copy.last) packet_->dts = copy.last + 1;
    if (packet_->pts != AV_NOPTS_VALUE) packet_->pts = std::max(packet_->pts, packet_->dts);
    copy.last = packet_->dts;
    packet_->stream_index = copy.to->index;
    packet_->pos = -1;
    return libav().av_interleaved_write_frame(&muxer_, packet_.get());
}

int CopiedStreams::write_covers() {
    for (const Copy& cover : std::exchange(covers_, {})) {
        const AVPacket& picture = input_.context().streams[cover.from]->attached_pic;
        if (const int error = libav().av_packet_ref(packet_.get(), &picture); error < 0) return error;
        packet_->stream_index = cover.to->index;
        packet_->pts = packet_->dts = 0;
        packet_->pos = -1;
        if (const int error = libav().av_interleaved_write_frame(&muxer_, packet_.get()); error < 0) return error;
    }
    return 0;
}

int CopiedStreams::write_until(double seconds) {
    if (const int error = write_covers(); error < 0) return error;
    while (fetch() && time_of_packet() < seconds) {
        if (!is_wanted(seconds + 1)) {
            libav().av_packet_unref(packet_.get());
            pending_ = false;
        } else if (const int error = write_packet(); error < 0) {
            return error;
        }
    }
    return 0;
}

int CopiedStreams::finish(double end) {
    constexpr double skew = 5; // Seconds by which a file's streams may be apart.
    while (fetch()) {
        if (is_wanted(end)) {
            if (const int error = write_packet(); error < 0) return error;
            continue;
        }
        if (!to_end_ && time_of_packet() > end + skew) ended_ = true;
        libav().av_packet_unref(packet_.get());
        pending_ = false;
    }
    return 0;
}

} // namespace tandem
