// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/field_drawing.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "encoder/encoder.h"
#include "encoder/presets.h"
#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "video/codec.h"
#include "video/libav/png_image.h"
#include "video/open_packet_sink.h"

namespace tandem {
namespace {

std::vector<std::uint8_t> png_of(const Canvas& canvas) {
    return png_image(canvas.width(), canvas.height(), canvas.samples());
}

class OnePicture final : public CanvasSink {
  public:
    explicit OnePicture(const std::string& path) : file_(path) { require_png(); }
    bool wants(std::int64_t) const override { return !written_; }
    void write(const Canvas& canvas, std::int64_t) override {
        file_.write(png_of(canvas));
        written_ = true;
    }
    void finish() override { file_.finish(); }

  private:
    AtomicFile file_;
    bool written_ = false;
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
    bool wants(std::int64_t) const override { return true; }
    void write(const Canvas& canvas, std::int64_t picture) override {
        AtomicFile file(file_of(picture));
        file.write(png_of(canvas));
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
std::unique_ptr<Frame> frame_of(const Canvas& canvas) {
    auto frame = std::make_unique<Frame>(side_of_video(canvas.width()), side_of_video(canvas.height()));
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

class Video final : public CanvasSink {
  public:
    Video(const std::string& path, const VideoFormat& format, int threads)
        : format_(format), motion_({}, make_cpu_estimator(threads)) {
        if (const CodecRow* row = codec_by_extension(lower_case_extension(path))) settings_.codec = row->codec;
        settings_.qp = 3;
        settings_.search.algorithm = Algorithm::diamond;
        settings_.threads = threads;
        format_.width = side_of_video(format.width);
        format_.height = side_of_video(format.height);
        // SMPTE 170M by its code points in 13818-2 tables 6-7 to 6-9.
        format_.colour = {6, 6, 6};
        format_.sample_aspect = {1, 1};
        try {
            encoder_.emplace(settings_, format_, motion_, [this](const EncodedPicture& picture) {
                sink_->write({picture.bytes, picture.stats.display_index, picture.stats.coding_index, picture.key});
            });
        } catch (const InputError& error) {
            throw InputError(fmt::format("--draw {}: {}", path, error.what()));
        }
        sink_ = open_packet_sink(path, settings_.codec, format_);
    }
    bool wants(std::int64_t) const override { return true; }

    void write(const Canvas& canvas, std::int64_t) override { encoder_->push(*frame_of(canvas)); }
    void finish() override { sink_->finish(encoder_->finish()); }

  private:
    Settings settings_ = settings_of(*find_preset("superfast"));
    VideoFormat format_;
    std::unique_ptr<PacketSink> sink_;
    Coprocessor motion_;
    std::optional<Encoder> encoder_;
};

} // namespace

std::unique_ptr<CanvasSink> open_canvas_sink(const std::string& path, const VideoFormat& format, int threads) {
    if (lower_case_extension(path) == ".png") return std::make_unique<OnePicture>(path);
    if (is_drawing_folder(path)) return std::make_unique<Folder>(path);
    if (!is_packet_sink_name(path)) {
        const std::string extension = lower_case_extension(path);
        throw InputError(fmt::format("--draw {}: {} does not say what to draw; known are .png, a folder (with / at its "
                                     "end), {}",
                                     path,
                                     extension.empty() ? "a name without extension" : "the extension " + extension,
                                     packet_sink_extensions()));
    }
    return std::make_unique<Video>(path, format, threads);
}

bool is_drawing_folder(const std::string& path) {
    if (lower_case_extension(path) == ".png") return false;
    std::error_code none;
    return path.ends_with('/') || std::filesystem::is_directory(path, none);
}

bool is_picture_of_folder(const std::string& name) {
    const std::filesystem::path path(name);
    const std::string number = path.stem().string();
    return path.extension() == ".png" && number.size() >= 6 &&
           number.find_first_not_of("0123456789") == std::string::npos;
}

bool is_drawing_of(const std::string& path, const std::string& name) {
    const std::filesystem::path to = real_path(path), other = real_path(name);
    if (!is_drawing_folder(path)) return to == other;
    return other.parent_path() == (to / "").parent_path() && is_picture_of_folder(other.filename().string());
}

FieldDrawing::FieldDrawing(const std::string& path, const VideoFormat& format, const FieldGeometry& geometry,
                           double longest, int threads)
    : painter_(geometry, longest) {
    VideoFormat drawn = format;
    drawn.width = painter_.width();
    drawn.height = painter_.height();
    sink_ = open_canvas_sink(path, drawn, threads);
}

void FieldDrawing::draw(const Frame& picture, const std::string& title, std::int64_t number, const MotionField& field,
                        const MotionField* other) {
    if (sink_->wants(number)) sink_->write(painter_.paint(picture, title, field, other), number);
}

} // namespace tandem
