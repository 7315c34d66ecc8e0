// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>
#include <string_view>

#include "machine/errors.h"
#include "video/sources/source_kinds.h"
#include "video/sources/y4m_header.h"

namespace tandem {

namespace {

/// The format sets no limit; real headers have about 60 bytes.
constexpr std::size_t longest_line = 4096;
constexpr std::string_view frame_word = "FRAME";

class Y4mSource final : public FrameSource {
  public:
    Y4mSource(ByteReader input, const SourceOptions& options) : input_(std::move(input)) {
        refuse_input_res(input_.name(), options);
        const ByteReader::Line line = input_.read_line(longest_line);
        header_ = header_of(line);
        const auto own = options.frame_rate ? options.frame_rate : header_.frame_rate;
        const auto rate = own ? own : options.resampled_rate;
        if (!rate) fail("the header does not say the frame rate (F); --assume-fps says it");
        format_.width = header_.width;
        format_.height = header_.height;
        format_.frame_rate = *rate;
        format_.sample_aspect = header_.sample_aspect;
        format_.full_range = options.full_range.value_or(header_.full_range);
        keeps_by_itself_ = header_.full_range && !options.keep_full_range && !options.full_range;
        header_bytes_ = line.text.size() + 1;
        input_.share_copying(copying_threads());
    }

    const VideoFormat& format() const override { return format_; }

    std::unique_ptr<Frame> read() override {
        if (input_.peek(1).empty()) {
            if (frames_read_ == 0 && !input_.stopped()) fail("there is a header but no picture");
            return nullptr;
        }
        if (!read_frame_line()) return nullptr;
        auto frame = std::make_unique<Frame>(format_.width, format_.height);
        const std::uint64_t expected = picture_bytes(format_.width, format_.height);
        const std::uint64_t got = read_planes(input_, *frame);
        if (got < expected) {
            if (input_.stopped()) return nullptr;
            fail("cut off in frame " + std::to_string(frames_read_ + 1) + ": " + std::to_string(expected - got) +
                 " of its " + std::to_string(expected) + " bytes are missing");
        }
        ++frames_read_;
        return frame;
    }

    std::optional<std::int64_t> frame_count() const override {
        if (!input_.size() || *input_.size() < header_bytes_) return std::nullopt;
        // Exact when FRAME lines have no parameters, as nearly always.
        const std::uint64_t each = frame_word.size() + 1 + picture_bytes(format_.width, format_.height);
        return static_cast<std::int64_t>((*input_.size() - header_bytes_) / each);
    }

    std::string conversion_note() const override {
        if (!keeps_by_itself_) return {};
        return "the samples have full range, which an MPEG stream cannot say; this build, without FFmpeg, keeps them";
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const { throw InputError(input_.name() + ": " + problem); }

    Y4mHeader header_of(const ByteReader::Line& line) const {
        try {
            if (line.text.empty() && !line.ended) throw InputError("the file is empty");
            // Parsed before the newline is missed: "not YUV4MPEG2" says more of an arbitrary file.
            if (!line.text.starts_with("YUV4MPEG2")) parse_y4m_header(line.text);
            if (!line.ended) {
                throw InputError(line.text.size() < longest_line
                                     ? "the header line is cut off: it has no newline"
                                     : "the header line is longer than " + std::to_string(longest_line) + " bytes");
            }
            return parse_y4m_header(line.text);
        } catch (const UnsupportedY4m& error) {
            throw UnsupportedY4m(input_.name() + ": " + error.what());
        } catch (const InputError& error) {
            throw InputError(input_.name() + ": " + error.what());
        }
    }

    /// False when the wait for it was stopped.
    bool read_frame_line() {
        const std::string number = std::to_string(frames_read_ + 1);
        const ByteReader::Line line = input_.read_line(longest_line);
        if (!line.ended && input_.stopped()) return false;
        const std::string_view text = line.text;
        const bool whole_word = text.size() >= frame_word.size();
        if (text.substr(0, frame_word.size()) != frame_word.substr(0, text.size()) ||
            (text.size() > frame_word.size() && text[frame_word.size()] != ' ') || (!whole_word && line.ended)) {
            fail("frame " + number + " does not begin with FRAME: the stream is broken there");
        }
        if (!line.ended) {
            fail(text.size() < longest_line
                     ? "cut off in the header of frame " + number
                     : "the header of frame " + number + " is longer than " + std::to_string(longest_line) + " bytes");
        }
        check_parameters(text.substr(frame_word.size()), number);
        return true;
    }

    /// What a frame says of itself beside X, which is for comments.
    void check_parameters(std::string_view text, const std::string& number) const {
        for (std::size_t at = text.find_first_not_of(' '); at != text.npos; at = text.find_first_not_of(' ', at)) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            const std::string_view word = text.substr(at, end - at);
            if (word.front() != 'X' && !word.starts_with("Ip"))
                fail("frame " + number + " has the parameter '" + std::string(word.substr(0, 20)) +
                     "', which is not supported: pictures must be progressive and of one kind");
            at = end;
        }
    }

    ByteReader input_;
    Y4mHeader header_;
    VideoFormat format_;
    std::uint64_t header_bytes_ = 0;
    std::int64_t frames_read_ = 0;
    bool keeps_by_itself_ = false; ///< Full range that nobody declared is not converted.
};

} // namespace

bool needs_libav(ByteReader& input, const SourceOptions& options) {
    std::string_view line;
    for (std::size_t count = 128; count <= ByteReader::peek_limit; count *= 2) {
        const auto bytes = input.peek(count);
        line = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        if (bytes.size() < count || line.find('\n') != line.npos) break;
    }
    try {
        const Y4mHeader header = parse_y4m_header(line.substr(0, line.find('\n')));
        return header.full_range && !options.keep_full_range && !options.full_range;
    } catch (const UnsupportedY4m&) {
        return true;
    } catch (const InputError&) {
        return false;
    }
}

std::unique_ptr<FrameSource> open_y4m_source(ByteReader input, const SourceOptions& options) {
    return std::make_unique<Y4mSource>(std::move(input), options);
}

} // namespace tandem
