// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "video/frame_sink.h"

namespace tandem {

namespace {

/// C420mpeg2 says that chroma samples lie on the left luma column, as in MPEG-2 (13818-2 clause 6.1.1.8); readers that
/// do not look at the position take it as plain 4:2:0. MPEG-1's centred position would be C420jpeg, but its decoders
/// show both alike, and one name keeps reconstructions comparable. Aspect 0:0 is "unknown".
std::string y4m_header(const VideoFormat& format) {
    const auto ratio = [](const Rational& r) {
        return r.numerator > 0 ? std::to_string(r.numerator) + ":" + std::to_string(r.denominator) : "0:0";
    };
    return "YUV4MPEG2 W" + std::to_string(format.width) + " H" + std::to_string(format.height) + " F" +
           ratio(format.frame_rate) + " Ip A" + ratio(format.sample_aspect) + " C420mpeg2" +
           (format.full_range ? " XCOLORRANGE=FULL\n" : "\n");
}

class PlanesSink final : public FrameSink {
  public:
    PlanesSink(const std::string& path, const VideoFormat& format, bool y4m)
        : file_(path), width_(format.width), height_(format.height), y4m_(y4m) {
        if (y4m_) file_.write(y4m_header(format));
    }

    void write(const Frame& frame) override {
        if (frame.width() < width_ || frame.height() < height_) {
            throw RunError(file_.path() + ": a frame of " + std::to_string(frame.width()) + "x" +
                           std::to_string(frame.height()) + " is smaller than the video's " + std::to_string(width_) +
                           "x" + std::to_string(height_));
        }
        if (y4m_) file_.write("FRAME\n");
        for (int i = 0; i < 3; ++i) {
            const int width = i == 0 ? width_ : chroma_size(width_);
            const int height = i == 0 ? height_ : chroma_size(height_);
            for (int y = 0; y < height; ++y) {
                file_.write({frame.plane(i).view().row(y), static_cast<std::size_t>(width)});
            }
        }
    }

    void close() override { file_.close(); }
    void finish() override { file_.finish(); }

  private:
    AtomicFile file_;
    int width_, height_;
    bool y4m_;
};

} // namespace

std::unique_ptr<FrameSink> open_frame_sink(const std::string& path, const VideoFormat& format) {
    const std::string extension = path == "-" || named_descriptor(path) ? ".y4m" : lower_case_extension(path);
    if (extension != ".y4m" && extension != ".yuv") {
        throw InputError(path + ": pictures are written as .y4m or .yuv, not as '" + extension + "'");
    }
    return std::make_unique<PlanesSink>(path, format, extension == ".y4m");
}

} // namespace tandem
