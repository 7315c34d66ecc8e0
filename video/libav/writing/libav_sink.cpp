// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/writing/libav_sink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"
#include "video/libav/writing/copied_streams.h"
#include "video/libav/writing/disc_sound.h"
#include "video/libav/writing/muxer_file.h"

namespace tandem {

namespace {

/// What stands before the first group or picture start code: the sequence header and its extensions.
std::span<const std::uint8_t> sequence_headers(std::span<const std::uint8_t> packet) {
    constexpr std::uint8_t picture_start = 0x00, group_start = 0xB8;
    for (std::size_t i = 0; i + 4 <= packet.size(); ++i) {
        const bool start_code = packet[i] == 0 && packet[i + 1] == 0 && packet[i + 2] == 1;
        if (start_code && (packet[i + 3] == picture_start || packet[i + 3] == group_start)) return packet.first(i);
    }
    return {};
}

/// Pictures from decoding to display. Streams that do not say low_delay, as ours, have one even without B pictures
/// (13818-2 clause 6.3.5): each anchor waits for the next.
constexpr int reorder_delay = 1;

/// vbv_buffer_size in bits: 10 bits in the sequence header (13818-2 clause 6.2.2.1) and, for MPEG-2, 8 more in its
/// extension.
std::int64_t vbv_buffer_bits(std::span<const std::uint8_t> headers) {
    constexpr std::size_t header_bytes = 12, extension_bytes = 10;
    if (headers.size() < header_bytes) return 0;
    std::int64_t size = (headers[10] & 0x1F) << 5 | headers[11] >> 3;
    for (std::size_t i = header_bytes; i + extension_bytes <= headers.size(); ++i) {
        const bool start_code = headers[i] == 0 && headers[i + 1] == 0 && headers[i + 2] == 1 && headers[i + 3] == 0xB5;
        if (start_code && headers[i + 4] >> 4 == 1) size |= headers[i + 8] << 10;
    }
    return size * 16384;
}

/// Tells the muxers of program and transport streams how large a decoder's buffer is, and how fast it is filled.
void declare_buffer(AVStream& stream, std::int64_t buffer_bits, std::int64_t bits_per_second) {
    std::size_t size = 0;
    AVCPBProperties* properties = libav().av_cpb_properties_alloc(&size);
    if (properties == nullptr) throw std::bad_alloc();
    properties->buffer_size = buffer_bits;
    properties->max_bitrate = bits_per_second;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    AVCodecParameters& parameters = *stream.codecpar;
    const bool added = libav().av_packet_side_data_add(&parameters.coded_side_data, &parameters.nb_coded_side_data,
                                                       AV_PKT_DATA_CPB_PROPERTIES, properties, size, 0) != nullptr;
#else
    const bool added = libav().av_stream_add_side_data(&stream, AV_PKT_DATA_CPB_PROPERTIES,
                                                       reinterpret_cast<std::uint8_t*>(properties), size) >= 0;
#endif
    if (added) return;
    libav().av_free(properties);
    throw std::bad_alloc();
}

const char* muxer_name(const std::string& extension, Codec codec, const CarriedRate& rate) {
    const bool program_stream = extension == ".mpg" || extension == ".mpeg" || extension == ".vob";
    if (program_stream && rate.program_stream != nullptr) return rate.program_stream;
    if (program_stream) return extension == ".vob" ? codec_row(codec).video_object : codec_row(codec).program_stream;
    if (extension == ".ts" || extension == ".m2ts") return "mpegts";
    if (extension == ".mkv") return "matroska";
    return extension == ".mp4" ? "mp4" : extension == ".mov" ? "mov" : "avi";
}

/// Packs of program streams for discs: a sector each, at the disc's rate.
struct DiscPacks {
    std::string_view muxer;
    unsigned bytes;        ///< Of a pack.
    std::int64_t mux_rate; ///< Bits per second; 0: as the pictures' rate makes it.
    double seconds_ahead;  ///< From the first pack to the first picture's time.
};
// Video CD (White Book) and Super Video CD (IEC 62107): sectors of form 2, 75 a second; DVD: 2048 bytes, 10.08 Mbit/s.
constexpr std::array<DiscPacks, 3> disc_packs{
    {{"vcd", 2324, 1411200, 0.44}, {"svcd", 2324, 2822400, 0.5}, {"dvd", 2048, 10080000, 0.5}}};

void choose_packs(AVFormatContext& muxer) {
    const auto packs = std::ranges::find(disc_packs, std::string_view(muxer.oformat->name), &DiscPacks::muxer);
    if (packs == disc_packs.end()) return;
    muxer.packet_size = packs->bytes;
    const auto ahead = static_cast<std::int64_t>(packs->seconds_ahead * AV_TIME_BASE);
    const bool known = libav().av_opt_set_int(muxer.priv_data, "muxrate", packs->mux_rate, 0) >= 0 &&
                       libav().av_opt_set_int(muxer.priv_data, "preload", ahead, 0) >= 0;
    if (!known) throw RunError("this libavformat's muxer of program streams has no muxrate or preload");
}

/// Bits per second: to libavformat 0 is a rate that is not known.
constexpr std::int64_t least_rate = 1;

/// Bits per second of all streams as libavformat's muxer of program streams takes them: what a stream does not know of
/// itself is its part of the largest.
std::int64_t program_bits_per_second(const AVFormatContext& muxer, std::int64_t video) {
    constexpr std::int64_t largest = std::int64_t{1 << 21} * 400;
    std::int64_t sum = 0;
    for (unsigned i = 0; i < muxer.nb_streams; ++i) {
        const AVCodecParameters& each = *muxer.streams[i]->codecpar;
        const std::int64_t rate = each.codec_type == AVMEDIA_TYPE_VIDEO ? video : each.bit_rate;
        sum += rate > 0 ? rate : largest / muxer.nb_streams;
    }
    return sum;
}

/// Has a clock reference stand before every packet of an MPEG-1 program stream. libavformat writes one for every two
/// seconds' bytes at the streams' rates, where 11172-1 clause 2.4.5.2 wants one in 0.7 seconds; so the streams say the
/// least rate, and the mux rate, which it would make of their rates, is said to it.
void begin_each_packet_with_a_clock(AVFormatContext& muxer, std::int64_t video_bits_per_second) {
    constexpr std::int64_t unit = 400, for_headers = 10000;
    const std::int64_t streams = program_bits_per_second(muxer, video_bits_per_second);
    const std::int64_t mux_rate = (streams + streams / 20 + for_headers + unit - 1) / unit * unit;
    if (libav().av_opt_set_int(muxer.priv_data, "muxrate", mux_rate, 0) < 0)
        throw RunError("this libavformat's muxer of program streams has no muxrate");
    for (unsigned i = 0; i < muxer.nb_streams; ++i)
        muxer.streams[i]->codecpar->bit_rate = least_rate;
}

class LibavSink final : public PacketSink {
  public:
    LibavSink(const std::string& path, const std::string& extension, Codec codec, const VideoFormat& format,
              const CarriedRate& rate, const CopiedRest& rest)
        : path_(path), format_(format), rate_(rate), file_(path) {
        const LibavLogScope log;
        if (!file_.seekable() && (extension == ".mp4" || extension == ".mov")) {
            throw InputError(path + ": " + extension +
                             " needs a file, not a pipe or a device: its index is written last");
        }
        AVFormatContext* context = nullptr;
        // The muxer of .m2ts looks at the name; it never opens it.
        const int error =
            libav().avformat_alloc_output_context2(&context, nullptr, muxer_name(extension, codec, rate), path.c_str());
        if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
        if (error < 0) throw InputError(path + ": this build's libavformat cannot write " + extension);
        muxer_.reset(context);
        muxer_->pb = file_.context();
        // No date, no random numbers, no version: equal input gives equal files.
        muxer_->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
        // FLAC and TrueHD in .mp4 are an experiment to libavformat, and no longer one to players.
        muxer_->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
        // A decoder may wait this long; as ffmpeg's command sets it for program and transport streams.
        muxer_->max_delay = AV_TIME_BASE / 10 * 7;
        choose_packs(*muxer_);
        stream_ = libav().avformat_new_stream(muxer_.get(), nullptr);
        if (stream_ == nullptr) throw std::bad_alloc();
        describe_stream(codec);
        if (!rest.path.empty()) rest_.emplace(rest, *muxer_);
        if (rate.program_stream == nullptr) return;
        if (const std::string problem = problem_of_sound(*muxer_, rate.program_stream, rate.kbps); !problem.empty())
            throw InputError(path_ + ": " + problem + "; --no-audio leaves it out");
    }

    void write(const Packet& packet) override {
        if (held_.empty()) {
            write_header(packet.bytes);
        } else {
            write_held();
        }
        held_.assign(packet.bytes.begin(), packet.bytes.end());
        display_index_ = packet.display_index;
        coding_index_ = packet.coding_index;
        key_ = packet.key;
    }

    void end(std::span<const std::uint8_t> trailer) override {
        if (held_.empty()) throw RunError(path_ + ": there is no picture to write");
        std::ranges::copy(trailer, std::back_inserter(held_));
        write_held();
        const LibavLogScope log;
        if (rest_) check(rest_->finish(delay() + static_cast<double>(pictures_) * tick()), "what is copied", log);
        check(libav().av_write_trailer(muxer_.get()), "the end of the file", log);
        file_.close();
    }
    void appear() override { file_.finish(); }
    void end_with_pictures() override {
        if (rest_) rest_->end_with_pictures();
    }
    std::string note() const override { return rest_ ? rest_->note() : ""; }

  private:
    void describe_stream(Codec codec) {
        AVCodecParameters& parameters = *stream_->codecpar;
        parameters.codec_type = AVMEDIA_TYPE_VIDEO;
        parameters.codec_id = libav().avcodec_descriptor_get_by_name(codec_row(codec).libavcodec)->id;
        parameters.format = AV_PIX_FMT_YUV420P;
        parameters.width = format_.width;
        parameters.height = format_.height;
        parameters.video_delay = reorder_delay;
        parameters.sample_aspect_ratio = as_libav(format_.sample_aspect);
        parameters.color_range = format_.full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
        parameters.color_primaries = static_cast<AVColorPrimaries>(format_.colour.primaries);
        parameters.color_trc = static_cast<AVColorTransferCharacteristic>(format_.colour.transfer);
        parameters.color_space = static_cast<AVColorSpace>(format_.colour.matrix);
        stream_->sample_aspect_ratio = parameters.sample_aspect_ratio;
        stream_->avg_frame_rate = as_libav(format_.frame_rate);
        stream_->time_base = av_inv_q(stream_->avg_frame_rate);
    }

    /// Bits per second of a transport stream that carries these streams; 0: those of one are not known.
    std::int64_t transport_rate() const {
        constexpr double packet = 188 * 8, payload = 184 * 8, pes_header = 19 * 8;
        // Tables ten times a second, clock references fifty times.
        double rate = packet * (3 * 10 + 50);
        for (unsigned i = 0; i < muxer_->nb_streams; ++i) {
            const bool is_video = muxer_->streams[i] == stream_;
            const double bits =
                is_video ? 1000.0 * rate_.kbps : static_cast<double>(muxer_->streams[i]->codecpar->bit_rate);
            if (bits <= 0) return 0;
            // The last packet of a picture or a frame of sound is filled up; those of sound are 50 a second at most.
            const double units = is_video ? format_.frame_rate.value() : 50;
            rate += (bits + units * (pes_header + payload)) * packet / payload;
        }
        return std::llround(rate);
    }

    /// A picture's bytes come no longer before its time than they need at the rate, so that no more of them wait than
    /// the decoder's buffer holds (13818-1 clause 2.4.2). At a constant rate the stream is filled up to that rate.
    void choose_transport_rate() {
        if (std::string_view(muxer_->oformat->name) != "mpegts" || rate_.buffer_bits <= 0 || rate_.kbps <= 0) return;
        const std::int64_t rate = rate_.constant ? transport_rate() : 0;
        const double fills = rate > 0 ? static_cast<double>(rate) : 1000.0 * rate_.kbps;
        const double ahead = static_cast<double>(rate_.buffer_bits) / fills;
        muxer_->max_delay = std::min(muxer_->max_delay, static_cast<int>(ahead * AV_TIME_BASE));
        if (rate > 0 && libav().av_opt_set_int(muxer_->priv_data, "muxrate", rate, 0) < 0)
            throw RunError("this libavformat's muxer of transport streams has no muxrate");
    }

    void declare_buffer_and_rate(std::int64_t vbv_bits) {
        // What libavformat makes of it, a twentieth more, has 22 bits of 400 bit/s.
        constexpr std::int64_t most = 1'590'000'000;
        const std::int64_t rate = std::min(std::int64_t{rate_.kbps} * 1000, most);
        // Never less than libavformat's own default, but for discs, whose players have no more than is said.
        const std::int64_t least = rate_.program_stream == nullptr ? 230 * 1024 * 8 : 0;
        const bool is_mpeg1_program = std::string_view(muxer_->oformat->name) == "mpeg";
        if (is_mpeg1_program) begin_each_packet_with_a_clock(*muxer_, rate);
        declare_buffer(*stream_, std::max(vbv_bits, least), is_mpeg1_program ? least_rate : rate);
    }

    AVRational as_libav(const Rational& value) const {
        constexpr std::int64_t largest = std::numeric_limits<int>::max();
        if (value.numerator > largest || value.denominator > largest) {
            throw InputError(path_ + ": the ratio " + std::to_string(value.numerator) + "/" +
                             std::to_string(value.denominator) + " is too large for a container");
        }
        return {static_cast<int>(value.numerator), static_cast<int>(value.denominator)};
    }

    void write_header(std::span<const std::uint8_t> first_packet) {
        const LibavLogScope log;
        const auto headers = sequence_headers(first_packet);
        AVCodecParameters& parameters = *stream_->codecpar;
        parameters.extradata =
            static_cast<std::uint8_t*>(libav().av_mallocz(headers.size() + AV_INPUT_BUFFER_PADDING_SIZE));
        if (parameters.extradata == nullptr) throw std::bad_alloc();
        std::copy(headers.begin(), headers.end(), parameters.extradata);
        parameters.extradata_size = static_cast<int>(headers.size());
        declare_buffer_and_rate(vbv_buffer_bits(headers));
        choose_transport_rate();
        check(libav().avformat_write_header(muxer_.get(), nullptr), "the beginning of the file", log);
    }

    void write_held() {
        const LibavLogScope log;
        const AVRational period = av_inv_q(as_libav(format_.frame_rate));
        check(libav().av_new_packet(packet_.get(), static_cast<int>(held_.size())), "a picture", log);
        std::copy(held_.begin(), held_.end(), packet_->data);
        packet_->stream_index = stream_->index;
        packet_->pts = display_index_;
        packet_->dts = coding_index_ - reorder_delay;
        packet_->duration = 1;
        packet_->flags = key_ ? AV_PKT_FLAG_KEY : 0;
        const double decoded = delay() + static_cast<double>(packet_->dts) * tick();
        libav().av_packet_rescale_ts(packet_.get(), period, stream_->time_base);
        const std::int64_t later = std::llround(delay() / av_q2d(stream_->time_base));
        packet_->pts += later;
        packet_->dts += later;
        ++pictures_;
        if (rest_) check(rest_->write_until(decoded), "what is copied", log);
        const bool alone = !rest_ || !rest_->has_streams();
        const int error = alone ? libav().av_write_frame(muxer_.get(), packet_.get())
                                : libav().av_interleaved_write_frame(muxer_.get(), packet_.get());
        libav().av_packet_unref(packet_.get());
        check(error, "a picture", log);
    }

    double tick() const { return 1 / format_.frame_rate.value(); } ///< Seconds.
    double delay() const { return rest_ ? rest_->delay() : 0; }

    void check(int error, const std::string& what, const LibavLogScope& log) {
        file_.rethrow();
        if (error < 0) throw RunError(path_ + ": writing " + what + " failed: " + log.explain(error));
        if (muxer_->pb->error < 0) {
            throw RunError(path_ + ": writing " + what + " failed: " + log.explain(muxer_->pb->error));
        }
    }

    std::string path_;
    VideoFormat format_;
    CarriedRate rate_;
    MuxerFile file_; ///< Outlives muxer_, which writes to it.
    std::unique_ptr<AVFormatContext, FreeMuxer> muxer_;
    AVStream* stream_ = nullptr;        ///< Owned by muxer_.
    std::optional<CopiedStreams> rest_; ///< Writes to muxer_.
    std::int64_t pictures_ = 0;         ///< Written so far.
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    /// The last packet is kept back until it is known whether the stream's trailer belongs to it.
    std::vector<std::uint8_t> held_;
    std::int64_t display_index_ = 0, coding_index_ = 0;
    bool key_ = false;
};

} // namespace

std::unique_ptr<PacketSink> open_libav_sink(const std::string& path, const std::string& extension, Codec codec,
                                            const VideoFormat& format, const CarriedRate& rate,
                                            const CopiedRest& rest) {
    return std::make_unique<LibavSink>(path, extension, codec, format, rate, rest);
}

} // namespace tandem
