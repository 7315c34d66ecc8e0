// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "machine/errors.h"
#include "machine/threads.h"
#include "video/frame_rate.h"
#include "video/libav/libav_convert.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/libav/reading/filter_graph.h"
#include "video/libav/reading/libav_input.h"
#include "video/libav/reading/picture_clock.h"
#include "video/libav/reading/promised_pictures.h"
#include "video/libav/reading/rotation.h"
#include "video/sources/numbered_files.h"
#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

bool is_interlaced(const AVFrame& frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
}

/// PNG's interlacing is an order of the samples in the file, not of fields.
bool has_fields(AVCodecID codec) { return codec != AV_CODEC_ID_PNG && codec != AV_CODEC_ID_APNG; }

bool is_standard(Rational rate) { return std::ranges::find(standard_frame_rates, rate) != standard_frame_rates.end(); }

/// Of the pictures that are marked as interlaced alone; as many pictures come out as go in.
constexpr const char* deinterlacing = "bwdif=mode=send_frame:parity=auto:deint=interlaced";

class LibavSource final : public FrameSource {
  public:
    LibavSource(LibavInput input, const SourceOptions& options, std::optional<std::int64_t> numbered = std::nullopt)
        : options_(options), input_(std::move(input)), converter_(options.keep_full_range, options.full_range),
          numbered_(numbered.has_value()) {
        open_decoder();
        promised_ =
            numbered ? pictures_numbered_from(input_.path(), *numbered) : promised_pictures(input_.context(), *stream_);
        if (!decode()) input_.fail("there is no picture in it" + decoder_words());
        coded_interlaced_ = is_interlaced(*decoded_) && has_fields(decoder_->codec_id);
        clock_.emplace(input_.context(), *stream_);
        pending_ = true;
        open_filters();
        if (filters_ && !next_filtered()) input_.fail("no picture comes out of the filters");
        read_format();
        clock_->time_of(*shown(), filters_ ? filters_->time_base() : stream_->time_base); // The beginning.
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
        if (!pending_ && !next_filtered()) return nullptr;
        pending_ = false;
        const AVFrame& frame = *shown();
        if (frame.width != format_.width || frame.height != format_.height) {
            input_.fail("picture " + std::to_string(pictures_) + " is " + std::to_string(frame.width) + "x" +
                        std::to_string(frame.height) + ", the first was " + std::to_string(format_.width) + "x" +
                        std::to_string(format_.height));
        }
        ++given_;
        if (!options_.frame_rate) time_ = clock_->time_of(frame, filters_ ? filters_->time_base() : stream_->time_base);
        note_unevenness();
        const LibavLogScope log;
        return converter_.convert(frame);
    }

    std::optional<PictureTime> last_time() const override { return time_; }
    /// A pipe cannot be read once more for its sound.
    std::optional<double> beginning() const override { return input_.is_pipe() ? std::nullopt : clock_->beginning(); }
    std::string shortfall() const override { return shortfall_; }

    std::optional<std::int64_t> frame_count() const override {
        const AVFormatContext& file = input_.context();
        if (promised_) return promised_;
        if (file.duration <= 0) return std::nullopt;
        const double seconds = static_cast<double>(file.duration) / AV_TIME_BASE;
        const AVRational own = stream_->avg_frame_rate;
        const double rate = own.num > 0 && own.den > 0 ? av_q2d(own) : format_.frame_rate.value();
        return std::llround(seconds * rate);
    }

  private:
    const AVFrame* shown() const { return filters_ ? filtered_.get() : decoded_.get(); }

    void open_decoder() {
        const LibavLogScope log;
        AVFormatContext& file = input_.context();
        const AVCodec* codec = nullptr;
        const int index = libav().av_find_best_stream(&file, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
        if (index < 0 || codec == nullptr) input_.fail("there is no video stream that libavcodec decodes");
        stream_ = file.streams[index];
        if ((stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) input_.fail("its only video is a cover picture");
        for (unsigned i = 0; i < file.nb_streams; ++i) {
            if (static_cast<int>(i) != index) file.streams[i]->discard = AVDISCARD_ALL;
        }
        decoder_ = own(libav().avcodec_alloc_context3(codec));
        int error = libav().avcodec_parameters_to_context(decoder_.get(), stream_->codecpar);
        if (error < 0) input_.fail("its parameters are not understood: " + log.explain(error), error);
        constexpr int most_threads = 16;
        decoder_->thread_count = std::min(available_threads(), most_threads);
        // libavcodec 59 aborts the process where an error ends a picture of MPEG-4 part 2 in a thread of its own.
        if (codec->id == AV_CODEC_ID_MPEG4) decoder_->thread_type = FF_THREAD_SLICE;
        decoder_->pkt_timebase = stream_->time_base;
        decoder_->opaque = &decoder_log_;
        decoder_->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
        error = libav().avcodec_open2(decoder_.get(), codec, nullptr);
        if (error < 0)
            input_.fail("the decoder " + std::string(codec->name) + " does not open: " + log.explain(error), error);
    }

    /// Where nobody makes them even: times that are not where the format's rate puts them, by more than averages and
    /// rounded time stamps explain.
    void note_unevenness() {
        constexpr double most = 2.5; // Pictures.
        if (options_.even || !time_) return;
        const double off = time_->begin * format_.frame_rate.value() - static_cast<double>(given_ - 1);
        uneven_ = uneven_ || std::abs(off) > most;
    }

    /// The user's chain, or that which deinterlaces and turns where that is wanted and needed.
    void open_filters() {
        std::string chain = options_.filters;
        if (chain.empty() && built_with_filters()) chain = own_chain();
        if (chain.empty()) return;
        const AVRational rate = libav().av_guess_frame_rate(&input_.context(), stream_, decoded_.get());
        filters_.emplace(chain, *decoded_, stream_->time_base, rate);
    }

    std::string own_chain() {
        std::string chain;
        const auto add = [&](const std::string& filter, const std::string& note) {
            chain += (chain.empty() ? "" : ",") + filter;
            filters_note_ += (filters_note_.empty() ? "" : "; ") + note;
        };
        if (coded_interlaced_ && options_.interlaced == Interlaced::deinterlaced)
            add(deinterlacing, "its pictures are interlaced; they are deinterlaced (by bwdif; --interlaced keep leaves "
                               "the lines as they are)");
        turning_ = options_.turned ? turning_chain(*decoded_, *stream_) : "";
        if (!turning_.empty())
            add(turning_, "the file asks players to turn the pictures; they are turned (" + turning_ +
                              "), since the output cannot ask for it");
        return chain;
    }

    /// The next picture into shown(); false at the end.
    bool next_filtered() {
        if (!filters_) return decode();
        while (!filters_->pull(*filtered_)) {
            if (filters_ended_) return false;
            const bool more = pending_ || decode();
            pending_ = false;
            filters_ended_ = !more;
            filters_->push(more ? decoded_.get() : nullptr);
        }
        return true;
    }

    /// The next decoded picture into decoded_; false at the end.
    bool decode() {
        const LibavLogScope log;
        while (true) {
            const int error = libav().avcodec_receive_frame(decoder_.get(), decoded_.get());
            if (error == AVERROR_EOF) {
                note_shortfall();
                return false;
            }
            if (error == AVERROR(EAGAIN)) {
                send_packet(log);
            } else if (error < 0) {
                forgive_or_fail(error);
            } else {
                ++pictures_;
                check_picture();
                // Gray of a y4m is luma of video, as all of y4m is unless it says otherwise.
                if (is_y4m() && decoded_->color_range == AVCOL_RANGE_UNSPECIFIED)
                    decoded_->color_range = AVCOL_RANGE_MPEG;
                decoded_->pts = decoded_->best_effort_timestamp;
                // The container may know it where the pictures do not. Filters pass it on, turned where they turn.
                decoded_->sample_aspect_ratio =
                    libav().av_guess_sample_aspect_ratio(&input_.context(), stream_, decoded_.get());
                return true;
            }
        }
    }

    void check_picture() const {
        if ((decoded_->flags & AV_FRAME_FLAG_CORRUPT) == 0 && decoded_->decode_error_flags == 0) return;
        input_.fail("picture " + std::to_string(pictures_) + " is damaged" + decoder_words());
    }

    std::string damage() const {
        return "broken after " + std::to_string(pictures_) + (pictures_ == 1 ? " picture: " : " pictures: ");
    }

    std::string decoder_words() const { return decoder_log_.messages() == 0 ? "" : " (" + decoder_log_.last() + ")"; }

    void send_packet(const LibavLogScope& log) {
        const int read = read_packet();
        // Demuxers report a file that ends too early only in their log, and that perhaps while the file was opened.
        const std::string said = log.text().empty() && input_.was_read_to_its_end() ? input_.complaints() : log.text();
        if (read == AVERROR_EOF && !said.empty()) input_.fail(damage() + "it ends too early (" + said + ")");
        if (read < 0 && read != AVERROR_EOF) input_.fail(damage() + log.explain(read), read);
        if (read >= 0 && (packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) {
            input_.fail(damage() + "the file is cut off or damaged");
        }
        if (read == AVERROR_EOF) check_whole_y4m();
        const int sent = libav().avcodec_send_packet(decoder_.get(), read < 0 ? nullptr : packet_.get());
        libav().av_packet_unref(packet_.get());
        if (sent < 0) forgive_or_fail(sent);
    }

    bool is_y4m() const { return std::string_view(input_.context().iformat->name) == "yuv4mpegpipe"; }

    /// libavformat ends there without a word.
    void check_whole_y4m() const {
        if (is_y4m() && input_.size() > packet_end_)
            input_.fail("cut off in frame " + std::to_string(packets_ + 1) + ", or broken there");
    }

    /// A recording may begin between two entry points: what cannot be decoded before the first picture is left out (and
    /// noted). After it, and at the end, an error is one.
    void forgive_or_fail(int error) {
        constexpr int most_skipped = 1000;
        if (pictures_ > 0 || ++skipped_ > most_skipped || error == AVERROR(ENOMEM))
            input_.fail(damage() + libav_message(error) + decoder_words(), error);
    }

    int read_packet() {
        while (true) {
            const int error = libav().av_read_frame(&input_.context(), packet_.get());
            if (error < 0) return error;
            if (packet_->stream_index == stream_->index) {
                count_packet();
                return error;
            }
            libav().av_packet_unref(packet_.get());
        }
    }

    void count_packet() {
        if ((packet_->flags & AV_PKT_FLAG_DISCARD) != 0) return;
        ++packets_;
        packet_end_ = packet_->pos + packet_->size;
        if ((packet_->flags & AV_PKT_FLAG_KEY) != 0 && !before_entry_) before_entry_ = packets_ - 1;
    }

    void note_shortfall() {
        if (promised_ && packets_ < *promised_)
            shortfall_ = "it promises " + std::to_string(*promised_) + " pictures and has " + std::to_string(packets_) +
                         ": it is cut off or damaged";
    }

    void read_format() {
        const AVFrame& frame = *shown();
        if (frame.width < 1 || frame.height < 1 || frame.width > largest_side || frame.height > largest_side) {
            input_.fail("pictures of " + std::to_string(frame.width) + "x" + std::to_string(frame.height) +
                        " are outside 1x1 to 16384x16384");
        }
        format_.width = frame.width;
        format_.height = frame.height;
        format_.frame_rate = options_.frame_rate ? *options_.frame_rate : own_frame_rate();
        const AVRational aspect = frame.sample_aspect_ratio;
        if (aspect.num > 0 && aspect.den > 0) format_.sample_aspect = {aspect.num, aspect.den};
        format_.colour = colour_of(frame);
        format_.colours_without_code = colours_without_code(frame);
        format_.full_range = converter_.gives_full_range(frame);
        format_.rotation = turns_picture(options_.filters + turning_) ? 0 : std::lround(rotation_of(frame, *stream_));
        write_note();
    }

    void write_note() {
        note_ = converter_.note(*shown());
        const auto add = [this](const std::string& more) { note_ += (note_.empty() ? "" : "; ") + more; };
        if (numbered_ && !options_.frame_rate && !options_.resampled_rate)
            add("the frame rate of numbered pictures is not given; 25 a second are assumed");
        if (!filters_note_.empty()) add(filters_note_);
        if (coded_interlaced_ && !filters_) add("pictures are marked as interlaced; they are taken as progressive");
        const AVFormatContext& file = input_.context();
        const auto others = [&](AVMediaType type) {
            return std::count_if(file.streams, file.streams + file.nb_streams, [&](const AVStream* one) {
                const bool is_cover = (one->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
                return one != stream_ && one->codecpar->codec_type == type && !is_cover;
            });
        };
        if (others(AVMEDIA_TYPE_VIDEO) > 0) add("another video in it is left out");
        if (others(AVMEDIA_TYPE_AUDIO) > 0 && (!options_.rest_is_copied || input_.is_pipe()))
            add(options_.rest_is_copied ? "its sound is left out, since a pipe is read once only"
                                        : "its sound is left out");
        if (skipped_ > 0)
            add("the first " + std::to_string(skipped_) + " packets could not be decoded");
        else if (before_entry_.value_or(0) > 0)
            add("the first " + std::to_string(*before_entry_) +
                " pictures come before its first entry point and are left out");
        if (format_.rotation != 0 && !options_.rest_is_copied)
            add("the file asks players to rotate by " + std::to_string(format_.rotation) +
                " degrees; that is not done");
        if (!input_.complaints().empty()) add("libavformat complained: " + input_.complaints());
    }

    /// The codec's own rate, which libavcodec 59 does not hand on, before libavformat's guess: that of libavformat 61
    /// is twice the rate for MPEG-1 in a transport stream. An average that is no usual rate is that of pictures which
    /// come unevenly; the guess is the rate of the clock that they come by.
    Rational own_frame_rate() const {
        if (const AVRational out = filters_ ? filters_->rate() : AVRational{0, 1};
            !options_.filters.empty() && out.num > 0 && out.den > 0)
            return nearest_standard_rate({out.num, out.den});
        if (numbered_) return options_.resampled_rate.value_or(Rational{25, 1});
        const AVRational average = stream_->avg_frame_rate, guess = stream_->r_frame_rate;
        if (average.num > 0 && average.den > 0 && guess.num > 0 && guess.den > 0) {
            const Rational even = nearest_standard_rate({average.num, average.den});
            const Rational clock = nearest_standard_rate({guess.num, guess.den});
            constexpr double most = 1.5; // Times the average: interlaced pictures have a clock of twice it.
            const double times = clock.value() / even.value();
            if (!is_standard(even) && is_standard(clock) && times > 1 && times < most) return clock;
        }
        for (const AVRational rate : {average, decoder_->framerate, guess}) {
            // Containers with coarse time stamps give averages such as 2997/100.
            if (rate.num > 0 && rate.den > 0) return nearest_standard_rate({rate.num, rate.den});
        }
        if (options_.resampled_rate) return *options_.resampled_rate;
        input_.fail("the file does not say its frame rate; --assume-fps says it");
    }

    SourceOptions options_;
    LibavInput input_;
    AVStream* stream_ = nullptr;  ///< Owned by input_.
    LibavDecoderLog decoder_log_; ///< Complaints that are no errors; outlives decoder_.
    Libav<AVCodecContext> decoder_;
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    Libav<AVFrame> decoded_ = own(libav().av_frame_alloc()), filtered_ = own(libav().av_frame_alloc());
    std::optional<FilterGraph> filters_;
    std::optional<PictureClock> clock_;
    LibavConverter converter_;
    VideoFormat format_;
    std::string note_, filters_note_, shortfall_;
    std::string turning_; ///< The filters that turn the pictures as the file asks players to; empty: none do.
    std::optional<PictureTime> time_;                     ///< Of the picture that read() gave last.
    std::optional<std::int64_t> promised_;                ///< Pictures that the file says it has, exactly.
    std::optional<std::int64_t> before_entry_;            ///< Packets before the first that can be decoded alone.
    std::int64_t pictures_ = 0, packets_ = 0, given_ = 0; ///< Decoded, read and given so far.
    std::int64_t packet_end_ = 0;                         ///< Where in the file the last packet ends, of y4m.
    int skipped_ = 0;                                     ///< Packets before the first picture that did not decode.
    bool coded_interlaced_ = false, uneven_ = false;
    bool numbered_; ///< Stills in files of their own.
    bool pending_ =
        false; ///< shown() is a picture that read() has not given yet; before the format is known, decoded_.
    bool filters_ended_ = false;
};

} // namespace

std::unique_ptr<FrameSource> open_libav_source(const std::string& path, const SourceOptions& options) {
    return std::make_unique<LibavSource>(LibavInput(path), options);
}

std::unique_ptr<FrameSource> open_libav_source(ByteReader pipe, const SourceOptions& options) {
    return std::make_unique<LibavSource>(LibavInput(std::move(pipe)), options);
}

std::unique_ptr<FrameSource> open_picture_sequence(const std::string& pattern, std::int64_t first,
                                                   const SourceOptions& options) {
    return std::make_unique<LibavSource>(LibavInput(pattern, first), options, first);
}

} // namespace tandem
