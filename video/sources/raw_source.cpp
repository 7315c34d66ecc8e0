// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include "files/file_name.h"
#include "machine/errors.h"
#include "video/sources/raw_geometry.h"
#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

/// As read_planes(), of luma and then a plane of pairs of Cb and Cr.
std::size_t read_nv12(ByteReader& input, Frame& frame) {
    std::size_t total = 0;
    const MutablePlaneView luma = frame.plane(0).view(), cb = frame.plane(1).view(), cr = frame.plane(2).view();
    for (int y = 0; y < luma.height; ++y)
        total += input.read({luma.row(y), static_cast<std::size_t>(luma.width)});
    std::vector<std::uint8_t> pairs(2 * static_cast<std::size_t>(cb.width));
    for (int y = 0; y < cb.height; ++y) {
        total += input.read(pairs);
        for (int x = 0; x < cb.width; ++x) {
            cb.row(y)[x] = pairs[2 * static_cast<std::size_t>(x)];
            cr.row(y)[x] = pairs[2 * static_cast<std::size_t>(x) + 1];
        }
    }
    return total;
}

class RawSource final : public FrameSource {
  public:
    RawSource(ByteReader input, const std::string& path, const SourceOptions& options) : input_(std::move(input)) {
        input_.share_copying(copying_threads());
        const RawGeometry named = path == "-" ? RawGeometry{} : raw_geometry_from_name(path);
        refuse_containers();
        const auto size = options.input_res ? options.input_res : named.size;
        if (!size) fail("the picture size is not given, and the name does not say it (as in name_352x288_30.yuv)");
        if (!options.input_res && named.has_two_sizes)
            fail("the name says two sizes of pictures; --input-res says which is meant");
        if (!options.input_res && !named.unsupported.empty()) {
            fail("the name says '" + named.unsupported + "', but raw pictures are read as 8-bit 4:2:0");
        }
        format_.width = size->first;
        format_.height = size->second;
        format_.full_range = options.full_range.value_or(false);
        const auto own = options.frame_rate ? options.frame_rate : named.frame_rate;
        rate_assumed_ = !own && !options.resampled_rate;
        format_.frame_rate = own ? *own : options.resampled_rate.value_or(Rational{25, 1});
        is_nv12_ = lower_case_extension(path) == ".nv12";
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
        const std::uint64_t got = is_nv12_ ? read_nv12(input_, *frame) : read_planes(input_, *frame);
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
    bool is_nv12_ = false; ///< Cb and Cr take turns in one plane.
};

} // namespace

std::unique_ptr<FrameSource> open_raw_source(ByteReader input, const std::string& path, const SourceOptions& options) {
    return std::make_unique<RawSource>(std::move(input), path, options);
}

} // namespace tandem
