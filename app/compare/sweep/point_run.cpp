// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/point_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "app/bench/stopwatch.h"
#include "app/compare/encoders/command_encoder.h"
#include "app/compare/encoders/stream_encoder.h"
#include "app/compare/sweep/md5.h"
#include "app/compare/sweep/stream_measures.h"
#include "encoder/settings/setting_names.h"
#include "files/atomic_file.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "me/search.h"
#include "video/codec.h"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t portion_bytes = std::size_t{256} << 20;

/// Adds the time of its life to a sum.
class Timed {
  public:
    explicit Timed(double& sum) : sum_(sum) {}
    ~Timed() { sum_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

  private:
    double& sum_;
    Clock::time_point begin_ = Clock::now();
};

struct CodedPoint {
    CodedStream stream;
    double total_seconds = 0;
    std::optional<double> encode_seconds; ///< Not known of a command.
    std::uint64_t peak_rss_bytes = 0;
};

std::uint64_t peak_rss() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::size_t bytes_of(const Frame& frame) {
    std::size_t bytes = 0;
    for (int i = 0; i < 3; ++i) {
        const PlaneView view = frame.plane(i).view();
        bytes += static_cast<std::size_t>(view.stride) * static_cast<std::size_t>(view.height);
    }
    return bytes;
}

/// Pictures until the portion is full or the clip ends.
std::vector<std::unique_ptr<Frame>> read_portion(FrameSource& source, std::int64_t left, std::size_t& bytes) {
    std::vector<std::unique_ptr<Frame>> pictures;
    bytes = 0;
    while (static_cast<std::int64_t>(pictures.size()) < left && bytes < portion_bytes) {
        auto picture = source.read();
        if (!picture) throw RunError("the clip has fewer pictures than before");
        bytes += bytes_of(*picture);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

void write_stream(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.finish();
}

CodedPoint code_in_process(StreamEncoder& encoder, const ComparedClip& clip, const SourceOptions& source_options,
                           const std::string& output) {
    CodedPoint coded;
    double reading = 0, coding = 0, writing = 0;
    std::size_t largest = 0;
    {
        const auto source = open_source(clip.path, source_options);
        for (std::int64_t done = 0; done < clip.frames;) {
            std::size_t bytes = 0;
            std::vector<std::unique_ptr<Frame>> pictures;
            {
                const Timed timed(reading);
                pictures = read_portion(*source, clip.frames - done, bytes);
            }
            largest = std::max(largest, bytes);
            const Timed timed(coding);
            for (const auto& picture : pictures)
                encoder.push(*picture);
            done += static_cast<std::int64_t>(pictures.size());
        }
    }
    {
        const Timed timed(coding);
        coded.stream = encoder.finish();
    }
    const std::uint64_t peak = peak_rss();
    coded.peak_rss_bytes = peak > largest ? peak - largest : peak;
    {
        const Timed timed(writing);
        write_stream(output, coded.stream.bytes);
    }
    coded.encode_seconds = coding;
    coded.total_seconds = reading + coding + writing;
    return coded;
}

CodedPoint code_by_command(const Peer& peer, const PeerSettings& settings, const ComparedClip& clip,
                           const CompareOptions& options, const PointRun& run, const std::string& output) {
    const std::string input = run.work_folder + "/clip.y4m";
    write_clip(input, *open_source(clip.path, source_of(options, clip.path)), clip.frames);
    CodedPoint coded;
    coded.stream.codec = codec_of_command(peer);
    const ProgramRun program = run_program(command_words(peer, settings, input, output));
    coded.total_seconds = program.seconds;
    coded.peak_rss_bytes = program.peak_rss_bytes;
    coded.stream.bytes = read_bytes(output);
    return coded;
}

/// Whether what the clip's MD5 tells is still so.
void refuse_changed(const ComparedClip& clip) {
    if (stamp_of(clip.path) != clip.stamp)
        throw RunError(fmt::format("{} has changed since it was first read", clip.path));
}

std::string extension_of(const Series& series) {
    if (series.peer) return series.peer->kind == PeerKind::x264 ? ".264" : ".bin";
    return std::string(codec_row(series.codec).extension);
}

CodedPoint code(const CompareOptions& options, const ComparedClip& clip, const Series& series,
                const PointTarget& target, const PointRun& run, const std::string& output) {
    if (!series.peer) {
        const auto encoder =
            make_tandem_encoder(settings_of(options, series, target), clip.format, series.device.choice);
        return code_in_process(*encoder, clip, source_of(options, clip.path), output);
    }
    const PeerSettings settings = peer_settings_of(options, target, threads_or_all(options.settings.threads));
    if (series.peer->kind != PeerKind::library)
        return code_by_command(*series.peer, settings, clip, options, run, output);
    const auto encoder = make_library_encoder(*series.peer, settings, clip.format);
    return code_in_process(*encoder, clip, source_of(options, clip.path), output);
}

/// x264 says in its first picture which build coded it.
std::string x264_of(const std::vector<std::uint8_t>& stream) {
    constexpr std::string_view mark = "x264 - core ";
    const std::string_view head(reinterpret_cast<const char*>(stream.data()),
                                std::min<std::size_t>(stream.size(), 4096));
    const std::size_t begin = head.find(mark);
    if (begin == std::string_view::npos) return "";
    const std::size_t number = begin + mark.size();
    return "x264 core " + std::string(head.substr(number, head.find(" -", number) - number));
}

Json field_json(const CodedField& field) {
    Json vectors = Json::array();
    for (const auto& vector : field.vectors)
        vectors.push_back(vector ? Json({(*vector)[0], (*vector)[1]}) : Json());
    return {{"picture", field.picture}, {"columns", field.columns}, {"rows", field.rows}, {"block", 16},
            {"mv", std::move(vectors)}, {"under", field.under}};
}

/// Figures of single pictures need no more digits; there are many of them.
double rounded(double decibel) { return std::round(decibel * 1e4) / 1e4; }

void add_measures(Json& row, const CodedStream& stream, const StreamMeasures& measures) {
    const auto count = static_cast<double>(measures.pictures.size());
    row["psnr_y"] = figure_json(measures.errors.psnr(0));
    row["psnr_u"] = figure_json(measures.errors.psnr(1));
    row["psnr_v"] = figure_json(measures.errors.psnr(2));
    row["psnr"] = figure_json(psnr_of_all(measures.errors));
    const auto& ssim = measures.ssim_sum;
    row["ssim_y"] = ssim[0] / count;
    // Weighed by samples, as 4:2:0 has them.
    row["ssim"] = (4 * ssim[0] + ssim[1] + ssim[2]) / 6 / count;
    for (const CodedStream::Picture& picture : stream.pictures) {
        const DecodedQuality& quality = measures.pictures.at(static_cast<std::size_t>(picture.display_index));
        row["pictures"].push_back({{"n", picture.display_index},
                                   {"type", std::string(1, quality.type)},
                                   {"bytes", picture.bytes},
                                   {"psnr_y", figure_json(rounded(quality.psnr_y))}});
    }
    if (measures.vmaf) row["vmaf"] = *measures.vmaf;
    if (!measures.vmaf_failure.empty()) row["vmaf_failure"] = measures.vmaf_failure;
    if (measures.field) row["field"] = field_json(*measures.field);
    const ShownPicture& shown = measures.shown;
    row["shown"] = {{"picture", shown.picture}, {"left", shown.left},     {"top", shown.top},
                    {"width", shown.width},     {"height", shown.height}, {"png", shown.png}};
}

} // namespace

Json run_point(const CompareOptions& options, const ComparedClip& clip, const Series& series, const PointTarget& target,
               const PointRun& run) {
    refuse_changed(clip);
    const std::string output = run.work_folder + "/stream" + extension_of(series);
    const CodedPoint coded = code(options, clip, series, target, run, output);
    const CodedStream& stream = coded.stream;
    Json row;
    row["codec"] = stream.codec == "mpeg1video" ? "mpeg1" : stream.codec == "mpeg2video" ? "mpeg2" : stream.codec;
    row["frames"] = clip.frames;
    row["bytes"] = stream.bytes.size();
    row["bitrate_kbps"] = static_cast<double>(stream.bytes.size()) * 8 / 1000 * clip.format.frame_rate.value() /
                          static_cast<double>(clip.frames);
    Json times;
    if (coded.encode_seconds) times["encode_s"] = *coded.encode_seconds;
    times["total_s"] = coded.total_seconds;
    if (!series.peer) times["motion_s"] = stream.motion_seconds;
    row["runs"].push_back(times);
    row["peak_rss_bytes"] = coded.peak_rss_bytes;
    row["stream_md5"] = md5_of(stream.bytes);
    if (!stream.motion_on.empty()) row["motion_on"] = stream.motion_on;
    if (const std::string version = x264_of(stream.bytes); !version.empty()) row["peer_version"] = version;
    if (run.measures)
        add_measures(row, stream,
                     measure_stream(stream, clip, options, run.wants_field, run.has_vmaf ? run.work_folder : ""));
    refuse_changed(clip);
    return row;
}

void keep_stream(const PointRun& run, const Series& series, const std::string& path) {
    const std::string extension = extension_of(series);
    write_stream(path + extension, read_bytes(run.work_folder + "/stream" + extension));
}

Json merged_runs(const std::vector<Json>& rows) {
    Json merged = rows.front();
    for (std::size_t i = 1; i < rows.size(); ++i) {
        merged["runs"].push_back(rows[i]["runs"][0]);
        merged["peak_rss_bytes"] =
            std::max(merged["peak_rss_bytes"].get<std::uint64_t>(), rows[i]["peak_rss_bytes"].get<std::uint64_t>());
        if (rows[i]["stream_md5"] != merged["stream_md5"])
            throw RunError("two runs of the same point made different streams");
    }
    for (const char* name : {"encode_s", "total_s", "motion_s"}) {
        std::vector<double> values;
        for (const Json& run : merged["runs"])
            if (run.contains(name)) values.push_back(run[name]);
        if (!values.empty()) merged[name] = median(values);
    }
    return merged;
}

} // namespace tandem
