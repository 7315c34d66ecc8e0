// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string_view>

#include "machine/errors.h"
#include "machine/workers.h"
#include "video/frame_rate.h"
#include "video/libav/libav_convert.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"
#include "video/sources/source_kinds.h"

extern "C" {
#include <libavutil/display.h>
}

namespace tandem {

namespace {

bool is_interlaced(const AVFrame& frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
}

/// A stream's display matrix; empty where it has none.
std::span<const std::uint8_t> display_matrix_of(const AVStream& stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVCodecParameters& parameters = *stream.codecpar;
    const AVPacketSideData* data =
        av_packet_side_data_get(parameters.coded_side_data, parameters.nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data != nullptr ? std::span<const std::uint8_t>(data->data, data->size) : std::span<const std::uint8_t>();
#else
    std::size_t size = 0;
    const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data != nullptr ? std::span(data, size) : std::span<const std::uint8_t>();
#endif
}

/// Degrees, by the picture's own matrix or its stream's.
double rotation_of(const AVFrame& frame, const AVStream& stream) {
    const AVFrameSideData* own = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
    const auto matrix =
        own != nullptr ? std::span<const std::uint8_t>(own->data, own->size) : display_matrix_of(stream);
    if (matrix.size() < 9 * sizeof(std::int32_t)) return 0;
    const double angle = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix.data()));
    return std::isnan(angle) ? 0 : angle;
}

/// PNG's interlacing is an order of the samples in the file, not of fields.
bool has_fields(AVCodecID codec) { return codec != AV_CODEC_ID_PNG && codec != AV_CODEC_ID_APNG; }

class LibavSource final : public FrameSource {
  public:
    LibavSource(const std::string& path, const SourceOptions& options)
        : path_(path), converter_(options.keep_full_range) {
        open_input();
        open_decoder();
        if (!decode()) fail("there is no picture in it" + decoder_words());
        read_format(options);
        if (!options.frame_rate) first_time_ = frame_->best_effort_timestamp;
        pending_ = true;
    }

    const VideoFormat& format() const override { return format_; }
    std::string conversion_note() const override {
        std::string note = note_;
        const auto add = [&note](const std::string& more) { note += (note.empty() ? "" : "; ") + more; };
        if (uneven_) {
            add("the times of the pictures are uneven, or not those of " +
                std::to_string(format_.frame_rate.numerator) + "/" + std::to_string(format_.frame_rate.denominator) +
                " a second, as which they are taken");
        }
        if (decoder_log_.messages() > 0) {
            add("the decoder complained " + std::to_string(decoder_log_.messages()) +
                " times, at first: " + decoder_log_.first());
        }
        return note;
    }

    std::unique_ptr<Frame> read() override {
        if (!pending_ && !decode()) return nullptr;
        pending_ = false;
        if (frame_->width != format_.width || frame_->height != format_.height) {
            fail("picture " + std::to_string(pictures_) + " is " + std::to_string(frame_->width) + "x" +
                 std::to_string(frame_->height) + ", the first was " + std::to_string(format_.width) + "x" +
                 std::to_string(format_.height));
        }
        const LibavLogScope log;
        return converter_.convert(*frame_);
    }

    std::optional<std::int64_t> frame_count() const override {
        if (stream_->nb_frames > 0) return stream_->nb_frames;
        if (input_->duration <= 0) return std::nullopt;
        const double seconds = static_cast<double>(input_->duration) / AV_TIME_BASE;
        const AVRational own = stream_->avg_frame_rate;
        const double rate = own.num > 0 && own.den > 0 ? av_q2d(own) : format_.frame_rate.value();
        return std::llround(seconds * rate);
    }

  private:
    /// `error` is libav's. Where the file cannot be read, or memory is missing, nothing is wrong with the file.
    [[noreturn]] void fail(const std::string& problem, int error = 0) const {
        const int unread = input_ && input_->pb != nullptr ? input_->pb->error : 0;
        if (unread < 0) throw RunError(path_ + ": reading failed: " + libav_message(unread));
        if (error == AVERROR(ENOMEM)) throw RunError(path_ + ": " + problem);
        throw InputError(path_ + ": " + problem);
    }

    void open_input() {
        const LibavLogScope log;
        // The name is a file's, never a URL or a pattern, and what it refers to stays on this machine.
        AVDictionary* options = nullptr;
        av_dict_set(&options, "protocol_whitelist", "file,crypto,data", 0);
        av_dict_set(&options, "pattern_type", "none", 0);
        AVFormatContext* context = nullptr;
        const int opened = avformat_open_input(&context, ("file:" + path_).c_str(), nullptr, &options);
        av_dict_free(&options);
        if (opened < 0) fail("not a video that libavformat reads: " + log.explain(opened), opened);
        input_.reset(context);
        // "tty" renders any text file as a video of a terminal.
        if (std::string_view(input_->iformat->name) == "tty") fail("this is a text file, not a video");
        const int found = avformat_find_stream_info(input_.get(), nullptr);
        if (found < 0) fail("its streams are not understood: " + log.explain(found), found);
    }

    void open_decoder() {
        const LibavLogScope log;
        const AVCodec* codec = nullptr;
        const int index = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
        if (index < 0 || codec == nullptr) fail("there is no video stream that libavcodec decodes");
        stream_ = input_->streams[index];
        if ((stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) fail("its only video is a cover picture");
        for (unsigned i = 0; i < input_->nb_streams; ++i) {
            if (static_cast<int>(i) != index) input_->streams[i]->discard = AVDISCARD_ALL;
        }
        decoder_ = own(avcodec_alloc_context3(codec));
        int error = avcodec_parameters_to_context(decoder_.get(), stream_->codecpar);
        if (error < 0) fail("its parameters are not understood: " + log.explain(error), error);
        constexpr int most_threads = 16;
        decoder_->thread_count = std::min(available_threads(), most_threads);
        // libavcodec 59 aborts the process where an error ends a picture of MPEG-4 part 2 in a thread of its own.
        if (codec->id == AV_CODEC_ID_MPEG4) decoder_->thread_type = FF_THREAD_SLICE;
        decoder_->pkt_timebase = stream_->time_base;
        decoder_->opaque = &decoder_log_;
        decoder_->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
        error = avcodec_open2(decoder_.get(), codec, nullptr);
        if (error < 0) fail("the decoder " + std::string(codec->name) + " does not open: " + log.explain(error), error);
    }

    /// The next decoded picture into frame_; false at the end.
    bool decode() {
        const LibavLogScope log;
        while (true) {
            const int error = avcodec_receive_frame(decoder_.get(), frame_.get());
            if (error == AVERROR_EOF) return false;
            if (error == AVERROR(EAGAIN)) {
                send_packet(log);
            } else if (error < 0) {
                forgive_or_fail(error);
            } else {
                ++pictures_;
                check_picture();
                check_time();
                return true;
            }
        }
    }

    void check_picture() const {
        if ((frame_->flags & AV_FRAME_FLAG_CORRUPT) == 0 && frame_->decode_error_flags == 0) return;
        fail("picture " + std::to_string(pictures_) + " is damaged" + decoder_words());
    }

    /// Notes a variable frame rate: times that are not where the format's rate puts them, by more than averages and
    /// rounded time stamps explain.
    void check_time() {
        constexpr double most = 2.5; // Pictures.
        const std::int64_t time = frame_->best_effort_timestamp;
        if (first_time_ == AV_NOPTS_VALUE || time == AV_NOPTS_VALUE) return;
        const double seconds = static_cast<double>(time - first_time_) * av_q2d(stream_->time_base);
        const double off = seconds * format_.frame_rate.value() - static_cast<double>(pictures_ - 1);
        uneven_ = uneven_ || std::abs(off) > most;
    }

    std::string damage() const { return "broken after " + std::to_string(pictures_) + " pictures: "; }

    std::string decoder_words() const { return decoder_log_.messages() == 0 ? "" : " (" + decoder_log_.last() + ")"; }

    void send_packet(const LibavLogScope& log) {
        const int read = read_packet();
        // Demuxers report a file that ends too early only in their log.
        if (read < 0 && (read != AVERROR_EOF || !log.text().empty())) fail(damage() + log.explain(read), read);
        if (read >= 0 && (packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) {
            fail(damage() + "the file is cut off or damaged");
        }
        const int sent = avcodec_send_packet(decoder_.get(), read < 0 ? nullptr : packet_.get());
        av_packet_unref(packet_.get());
        if (sent < 0) forgive_or_fail(sent);
    }

    /// A recording may begin between two entry points: what cannot be decoded before the first picture is left out (and
    /// noted). After it, and at the end, an error is one.
    void forgive_or_fail(int error) {
        constexpr int most_skipped = 1000;
        if (pictures_ > 0 || ++skipped_ > most_skipped || error == AVERROR(ENOMEM))
            fail(damage() + libav_message(error) + decoder_words(), error);
    }

    int read_packet() {
        while (true) {
            const int error = av_read_frame(input_.get(), packet_.get());
            if (error < 0 || packet_->stream_index == stream_->index) return error;
            av_packet_unref(packet_.get());
        }
    }

    void read_format(const SourceOptions& options) {
        if (frame_->width < 1 || frame_->height < 1 || frame_->width > largest_side || frame_->height > largest_side) {
            fail("pictures of " + std::to_string(frame_->width) + "x" + std::to_string(frame_->height) +
                 " are outside 1x1 to 16384x16384");
        }
        format_.width = frame_->width;
        format_.height = frame_->height;
        format_.frame_rate = options.frame_rate ? *options.frame_rate : own_frame_rate();
        const AVRational aspect = av_guess_sample_aspect_ratio(input_.get(), stream_, frame_.get());
        if (aspect.num > 0 && aspect.den > 0) format_.sample_aspect = {aspect.num, aspect.den};
        format_.colour = colour_of(*frame_);
        format_.colours_without_code = colours_without_code(*frame_);
        format_.full_range = converter_.gives_full_range(*frame_);
        note_ = converter_.note(*frame_);
        const auto add = [this](const std::string& more) { note_ += (note_.empty() ? "" : "; ") + more; };
        if (is_interlaced(*frame_) && has_fields(decoder_->codec_id))
            add("pictures are marked as interlaced; they are taken as progressive");
        const auto others = [this](AVMediaType type) {
            return std::count_if(input_->streams, input_->streams + input_->nb_streams, [&](const AVStream* one) {
                const bool is_cover = (one->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
                return one != stream_ && one->codecpar->codec_type == type && !is_cover;
            });
        };
        if (others(AVMEDIA_TYPE_VIDEO) > 0) add("another video in it is left out");
        if (others(AVMEDIA_TYPE_AUDIO) > 0) add("its sound is left out");
        if (skipped_ > 0) add("the first " + std::to_string(skipped_) + " packets could not be decoded");
        const long angle = std::lround(rotation_of(*frame_, *stream_));
        if (angle != 0)
            add("the file asks players to rotate by " + std::to_string(angle) + " degrees; that is not done");
    }

    /// The codec's own rate, which libavcodec 59 does not hand on, before libavformat's guess: that of libavformat 61
    /// is twice the rate for MPEG-1 in a transport stream.
    Rational own_frame_rate() const {
        for (const AVRational rate : {stream_->avg_frame_rate, decoder_->framerate, stream_->r_frame_rate}) {
            // Containers with coarse time stamps give averages such as 2997/100.
            if (rate.num > 0 && rate.den > 0) return nearest_standard_rate({rate.num, rate.den});
        }
        fail("the file does not say its frame rate; --fps says it");
    }

    std::string path_;
    Libav<AVFormatContext> input_;
    AVStream* stream_ = nullptr;  ///< Owned by input_.
    LibavDecoderLog decoder_log_; ///< Complaints that are no errors; outlives decoder_.
    Libav<AVCodecContext> decoder_;
    Libav<AVPacket> packet_ = own(av_packet_alloc());
    Libav<AVFrame> frame_ = own(av_frame_alloc());
    LibavConverter converter_;
    VideoFormat format_;
    std::string note_;
    std::int64_t pictures_ = 0;                ///< Decoded so far.
    std::int64_t first_time_ = AV_NOPTS_VALUE; ///< Of the first picture, where times are looked at.
    bool uneven_ = false;
    int skipped_ = 0;      ///< Packets before the first picture that did not decode.
    bool pending_ = false; ///< frame_ holds a picture that read() has not given yet.
};

} // namespace

std::unique_ptr<FrameSource> open_libav_source(const std::string& path, const SourceOptions& options) {
    return std::make_unique<LibavSource>(path, options);
}

} // namespace tandem
