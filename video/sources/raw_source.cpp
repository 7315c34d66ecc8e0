// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include "machine/errors.h"
#include "video/sources/raw_geometry.h"
#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

class RawSource final : public FrameSource {
  public:
    RawSource(ByteReader input, const std::string& path, const SourceOptions& options) : input_(std::move(input)) {
        const RawGeometry named = path == "-" ? RawGeometry{} : raw_geometry_from_name(path);
        refuse_containers();
        const auto size = options.input_res ? options.input_res : named.size;
        if (!size) fail("the picture size is not given, and the name does not say it (as in name_352x288_30.yuv)");
        if (!options.input_res && !named.unsupported.empty()) {
            fail("the name says '" + named.unsupported + "', but raw pictures are read as 8-bit 4:2:0");
        }
        format_.width = size->first;
        format_.height = size->second;
        rate_assumed_ = !options.frame_rate && !named.frame_rate;
        format_.frame_rate = options.frame_rate ? *options.frame_rate : named.frame_rate.value_or(Rational{25, 1});
        frame_bytes_ = picture_bytes(format_.width, format_.height);
        check_size();
    }

    const VideoFormat& format() const override { return format_; }

    std::unique_ptr<Frame> read() override {
        if (input_.peek(1).empty()) {
            if (frames_read_ == 0 && !input_.stopped()) fail("there is nothing to read");
            return nullptr;
        }
        auto frame = std::make_unique<Frame>(format_.width, format_.height);
        const std::uint64_t got = read_planes(input_, *frame);
        if (got < frame_bytes_) {
            if (input_.stopped()) return nullptr;
            fail("cut off in frame " + std::to_string(frames_read_ + 1) + ": " + std::to_string(frame_bytes_ - got) +
                 " of its " + std::to_string(frame_bytes_) + " bytes are missing");
        }
        ++frames_read_;
        return frame;
    }

    std::optional<std::int64_t> frame_count() const override {
        if (!input_.size()) return std::nullopt;
        return static_cast<std::int64_t>(*input_.size() / frame_bytes_);
    }

    std::string conversion_note() const override {
        return rate_assumed_ ? "the frame rate of raw pictures is not given; 25 frames a second are assumed" : "";
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const { throw InputError(input_.name() + ": " + problem); }

    void refuse_containers() {
        if (const auto what = recognised_container(input_.peek(ByteReader::peek_limit))) {
            fail("this is " + *what + ", not raw pictures");
        }
    }

    void check_size() const {
        if (!input_.size()) return;
        const std::uint64_t size = *input_.size();
        if (size == 0) fail("the file is empty");
        if (size % frame_bytes_ == 0) return;
        fail(std::to_string(size) + " bytes are " + std::to_string(size / frame_bytes_) + " pictures of " +
             std::to_string(format_.width) + "x" + std::to_string(format_.height) + " (" +
             std::to_string(frame_bytes_) + " bytes each) and a remainder of " + std::to_string(size % frame_bytes_) +
             ": the size or the format is wrong, or the file is cut off");
    }

    ByteReader input_;
    VideoFormat format_;
    std::uint64_t frame_bytes_ = 0;
    std::int64_t frames_read_ = 0;
    bool rate_assumed_ = false;
};

} // namespace

std::unique_ptr<FrameSource> open_raw_source(ByteReader input, const std::string& path, const SourceOptions& options) {
    return std::make_unique<RawSource>(std::move(input), path, options);
}

} // namespace tandem
