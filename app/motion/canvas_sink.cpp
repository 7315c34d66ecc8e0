// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/canvas_sink.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "encoder/encoder.h"
#include "encoder/settings/presets.h"
#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "video/codec.h"
#include "video/libav/writing/coded_file.h"
#include "video/libav/writing/png_image.h"
#include "video/open_packet_sink.h"

namespace tandem {
namespace {

std::vector<std::uint8_t> png_of(const Canvas& canvas) {
    return png_image(canvas.width(), canvas.height(), canvas.samples());
}

class OnePicture final : public CanvasSink {
  public:
    explicit OnePicture(const std::string& path) : file_(path) { require_png(); }
    bool wants() override { return !std::exchange(has_one_, true); }
    DrawnPicture made_of(const Canvas& canvas) const override { return {png_of(canvas), nullptr}; }
    void write(DrawnPicture drawn, std::int64_t) override { file_.write(drawn.bytes); }
    void finish() override { file_.finish(); }

  private:
    AtomicFile file_;
    bool has_one_ = false;
};

/// A name with one %d or %0Nd in its last part, where a picture's number stands.
struct NumberedName {
    std::string before, after;
    int digits = 0; ///< At least so many, with leading zeros.

    static bool is_one(const std::string& path) {
        return std::filesystem::path(path).filename().string().find('%') != std::string::npos;
    }
    explicit NumberedName(const std::string& path) {
        static const std::regex form("([^%]*)%(0([1-9]))?d([^%]*)");
        const std::filesystem::path whole(path);
        const std::string name = whole.filename().string();
        std::smatch parts;
        if (!std::regex_match(name, parts, form))
            throw InputError(fmt::format("--draw {}: a picture's number in a name is one %d or %01d to %09d", path));
        before = (whole.parent_path() / parts[1].str()).string();
        after = parts[4].str();
        if (parts[3].matched) digits = parts[3].str().front() - '0';
    }
    std::string with(std::int64_t number) const { return fmt::format("{}{:0{}}{}", before, number, digits, after); }
    /// Whether some number makes this of it.
    bool makes(const std::string& path) const {
        if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
            return false;
        const std::string number = path.substr(before.size(), path.size() - before.size() - after.size());
        constexpr std::size_t most_digits = 18;
        if (number.size() > most_digits || number.find_first_not_of("0123456789") != std::string::npos) return false;
        return with(std::stoll(number)) == path;
    }
};

/// A file for each picture, which appears when it is written.
class NumberedPictures final : public CanvasSink {
  public:
    explicit NumberedPictures(const std::string& path) : name_(path) {
        require_png();
        const AtomicFile tried(name_.with(0)); // Before the search; no pair has picture 0 as its current one.
    }
    DrawnPicture made_of(const Canvas& canvas) const override { return {png_of(canvas), nullptr}; }
    void write(DrawnPicture drawn, std::int64_t picture) override {
        AtomicFile file(name_.with(picture));
        file.write(drawn.bytes);
        file.finish();
    }
    void finish() override {}

  private:
    NumberedName name_;
};

/// Each picture appears when it is written: what an interrupt or a failure leaves is whole pictures. The folder is made
/// before the first.
class Folder final : public CanvasSink {
  public:
    explicit Folder(const std::string& path) : path_(path) {
        const std::filesystem::path parent = (path_ / "").parent_path().parent_path();
        if (!parent.empty() && !std::filesystem::is_directory(parent))
            throw InputError(fmt::format("--draw {}: there is no folder {}", path, parent.string()));
        if (std::filesystem::exists(path_) && !std::filesystem::is_directory(path_))
            throw InputError(fmt::format("--draw {}: this is not a folder", path));
        require_png();
        std::error_code error;
        made_ = std::filesystem::create_directory(path_, error);
        if (error) throw InputError(fmt::format("--draw {}: the folder cannot be made: {}", path, error.message()));
        try {
            const AtomicFile tried(file_of(0)); // Before the search; no pair has picture 0 as its current one.
        } catch (const InputError&) {
            remove_if_empty();
            throw;
        }
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() override { remove_if_empty(); }
    DrawnPicture made_of(const Canvas& canvas) const override { return {png_of(canvas), nullptr}; }
    void write(DrawnPicture drawn, std::int64_t picture) override {
        AtomicFile file(file_of(picture));
        file.write(drawn.bytes);
        file.finish();
    }
    void finish() override {}

  private:
    std::string file_of(std::int64_t picture) const { return (path_ / fmt::format("{:06}.png", picture)).string(); }
    /// A folder that was made for nothing goes again.
    void remove_if_empty() const {
        std::error_code none;
        if (made_) std::filesystem::remove(path_, none);
    }

    std::filesystem::path path_;
    bool made_ = false;
};

/// MPEG-2 cannot say multiples of 4096: a little is added to such a side.
int side_of_video(int side) { return side % 4096 == 0 && side < 16384 ? side + 2 : side; }

/// BT.601 with limited range; chroma is the mean of four. What is added goes on with the last samples.
std::unique_ptr<Frame> frame_of(const Canvas& canvas, int width, int height) {
    auto frame = std::make_unique<Frame>(width, height);
    const auto at = [&](int x, int y) {
        return canvas.at(std::min(x, canvas.width() - 1), std::min(y, canvas.height() - 1));
    };
    const MutablePlaneView luma = frame->plane(0).view();
    for (int y = 0; y < luma.height; ++y) {
        for (int x = 0; x < luma.width; ++x) {
            const Colour c = at(x, y);
            luma.at(x, y) =
                static_cast<std::uint8_t>((66 * c.red + 129 * c.green + 25 * c.blue + 128 + (16 << 8)) >> 8);
        }
    }
    for (int y = 0; y < chroma_size(luma.height); ++y) {
        for (int x = 0; x < chroma_size(luma.width); ++x) {
            int red = 0, green = 0, blue = 0;
            for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
                const Colour c = at(2 * x + dx, 2 * y + dy);
                red += c.red;
                green += c.green;
                blue += c.blue;
            }
            const auto chroma = [](int sum) { return static_cast<std::uint8_t>((sum + 512 + (128 << 10)) >> 10); };
            frame->plane(1).view().at(x, y) = chroma(-38 * red - 74 * green + 112 * blue);
            frame->plane(2).view().at(x, y) = chroma(112 * red - 94 * green - 18 * blue);
        }
    }
    return frame;
}

/// SMPTE 170M by its code points in 13818-2 tables 6-7 to 6-9, and H.264's, which are the same.
VideoFormat drawn_format(const VideoFormat& format, int width, int height) {
    VideoFormat drawn = format;
    drawn.width = width;
    drawn.height = height;
    drawn.colour = {6, 6, 6};
    drawn.sample_aspect = {1, 1};
    return drawn;
}

class GifAnimation final : public CanvasSink {
  public:
    GifAnimation(const std::string& path, const VideoFormat& format)
        : file_(create_gif_file(path, drawn_format(format, format.width, format.height))) {}
    DrawnPicture made_of(const Canvas& canvas) const override {
        return {{canvas.samples().begin(), canvas.samples().end()}, nullptr};
    }
    void write(DrawnPicture drawn, std::int64_t) override { file_->write_rgb(drawn.bytes); }
    void finish() override { file_->finish(); }

  private:
    std::unique_ptr<CodedFile> file_;
};

/// 4:2:0 has an even number of samples each way: one is added where there are not.
int even(int side) { return side + side % 2; }

class H264Video final : public CanvasSink {
  public:
    explicit H264Video(std::unique_ptr<CodedFile> file) : file_(std::move(file)) {}
    static VideoFormat format_of(const VideoFormat& format) {
        return drawn_format(format, even(format.width), even(format.height));
    }
    DrawnPicture made_of(const Canvas& canvas) const override {
        return {{}, frame_of(canvas, even(canvas.width()), even(canvas.height()))};
    }
    void write(DrawnPicture drawn, std::int64_t) override { file_->write(*drawn.frame); }
    void finish() override { file_->finish(); }

  private:
    std::unique_ptr<CodedFile> file_;
};

/// MPEG-2, or MPEG-1 by the name.
class Video final : public CanvasSink {
  public:
    Video(const std::string& path, const VideoFormat& format, int threads)
        : format_(drawn_format(format, side_of_video(format.width), side_of_video(format.height))),
          motion_({}, make_cpu_estimator(threads)) {
        if (const CodecRow* row = codec_by_extension(lower_case_extension(path))) settings_.codec = row->codec;
        settings_.qp = 3;
        settings_.search.algorithm = Algorithm::diamond;
        settings_.threads = threads;
        try {
            encoder_.emplace(settings_, format_, motion_, [this](const EncodedPicture& picture) {
                sink_->write({picture.bytes, picture.stats.display_index, picture.stats.coding_index, picture.key});
            });
        } catch (const InputError& error) {
            throw InputError(fmt::format("--draw {}: {}", path, error.what()));
        }
        sink_ = open_packet_sink(path, settings_.codec, format_);
    }
    DrawnPicture made_of(const Canvas& canvas) const override {
        return {{}, frame_of(canvas, side_of_video(canvas.width()), side_of_video(canvas.height()))};
    }
    void write(DrawnPicture drawn, std::int64_t) override { encoder_->push(*drawn.frame); }
    void finish() override { sink_->finish(encoder_->finish()); }

  private:
    Settings settings_ = settings_of(*find_preset("superfast"));
    VideoFormat format_;
    std::unique_ptr<PacketSink> sink_;
    Coprocessor motion_;
    std::optional<Encoder> encoder_;
};

std::unique_ptr<CanvasSink> open_video(const std::string& path, const VideoFormat& format, int threads) {
    const std::string extension = lower_case_extension(path);
    if (holds_h264(extension)) {
        if (auto file = create_h264_file(path, H264Video::format_of(format)))
            return std::make_unique<H264Video>(std::move(file));
        spdlog::warn("--draw {}: libavcodec has no H.264 encoder here: this is MPEG-2, which browsers do not show",
                     path);
    }
    return std::make_unique<Video>(path, format, threads);
}

} // namespace

std::unique_ptr<CanvasSink> open_canvas_sink(const std::string& path, const VideoFormat& format, int threads) {
    const std::string extension = lower_case_extension(path);
    if (extension == ".png" && NumberedName::is_one(path)) return std::make_unique<NumberedPictures>(path);
    if (extension == ".png") return std::make_unique<OnePicture>(path);
    if (is_drawing_folder(path)) return std::make_unique<Folder>(path);
    if (extension == ".gif") return std::make_unique<GifAnimation>(path, format);
    if (is_packet_sink_name(path)) return open_video(path, format, threads);
    throw InputError(fmt::format("--draw {}: {} does not say what to draw; known are .png, %04d.png, a folder (with / "
                                 "at its end), .gif, {}",
                                 path, extension.empty() ? "a name without extension" : "the extension " + extension,
                                 packet_sink_extensions()));
}

bool is_drawing_folder(const std::string& path) {
    if (lower_case_extension(path) == ".png") return false;
    std::error_code none;
    return path.ends_with('/') || std::filesystem::is_directory(path, none);
}

namespace {

bool has_numbered_name(const std::string& path) {
    return lower_case_extension(path) == ".png" && NumberedName::is_one(path);
}

} // namespace

std::string folder_of_pictures(const std::string& path) {
    if (is_drawing_folder(path)) return path;
    if (!has_numbered_name(path)) return "";
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

bool is_picture_of(const std::string& path, const std::string& name) {
    if (has_numbered_name(path)) return NumberedName(std::filesystem::path(path).filename().string()).makes(name);
    const std::filesystem::path file(name);
    const std::string number = file.stem().string();
    return file.extension() == ".png" && number.size() >= 6 &&
           number.find_first_not_of("0123456789") == std::string::npos;
}

bool is_drawing_of(const std::string& path, const std::string& name) {
    const std::filesystem::path to = real_path(path), other = real_path(name);
    const std::string folder = folder_of_pictures(path);
    if (folder.empty()) return to == other;
    return other.parent_path() == (std::filesystem::path(real_path(folder)) / "").parent_path() &&
           is_picture_of(path, other.filename().string());
}

} // namespace tandem
