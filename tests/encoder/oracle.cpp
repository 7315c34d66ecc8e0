// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "video/quality/quality.h"

namespace tandem::test {

namespace {

namespace fs = std::filesystem;

constexpr double ffmpeg_psnr = 60.0;
constexpr double mpeg2dec_psnr = 55.0;
constexpr std::size_t streams_per_run = 30;
constexpr std::size_t bytes_per_run = 40'000'000;

using Bytes = std::vector<std::uint8_t>;

Bytes read_bytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string read_text(const fs::path& path) {
    const Bytes bytes = read_bytes(path);
    return {bytes.begin(), bytes.end()};
}

void write_bytes(const fs::path& path, const Bytes& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

bool can_run(const std::string& command) { return std::system((command + " >/dev/null 2>&1 </dev/null").c_str()) == 0; }

/// A planar picture of a size at `data`, as a frame.
std::shared_ptr<Frame> frame_from(const std::uint8_t* data, int width, int height) {
    auto frame = std::make_shared<Frame>(width, height);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = frame->plane(p).view();
        for (int y = 0; y < plane.height; ++y, data += plane.width)
            std::copy(data, data + plane.width, plane.row(y));
    }
    return frame;
}

/// What `-o pgmpipe` writes of a picture: luma, and below it Cb and Cr side by side.
std::shared_ptr<Frame> frame_from_pgm(const std::uint8_t* data, int width, int height) {
    auto frame = std::make_shared<Frame>(width, height);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = frame->plane(p).view();
        const std::uint8_t* from = data + (p == 0 ? 0 : width * height + (p - 1) * (width / 2));
        for (int y = 0; y < plane.height; ++y, from += width)
            std::copy(from, from + plane.width, plane.row(y));
    }
    return frame;
}

/// Global PSNR over the three planes of all pictures; one sample off by one counts as none, or pictures of a few
/// samples would ask for more than rounding gives.
double psnr_of(const SquaredErrors& errors) {
    std::uint64_t error = 0, samples = 0;
    for (std::size_t plane = 0; plane < 3; ++plane) {
        error += errors.error[plane];
        samples += errors.samples[plane];
    }
    return psnr(error > 1 ? error : 0, samples);
}

std::size_t decoded_bytes(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) +
           2 * static_cast<std::size_t>(chroma_size(width)) * static_cast<std::size_t>(chroma_size(height));
}

/// Compares raw frames of width x height, each behind `header` bytes, with the reconstruction.
template <class ReadFrame>
double compare(const Bytes& decoded, std::size_t header, int width, int height, const std::vector<FramePtr>& expected,
               ReadFrame read_frame) {
    const std::size_t stride = header + decoded_bytes(width, height);
    EXPECT_EQ(decoded.size() % stride, 0U);
    EXPECT_EQ(decoded.size() / stride, expected.size()) << "pictures";
    if (decoded.size() != stride * expected.size()) return 0;
    SquaredErrors errors;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto frame = read_frame(decoded.data() + i * stride + header, width, height);
        errors.add(squared_errors(*frame, *expected[i], width, height));
    }
    return psnr_of(errors);
}

/// mpeg2dec's standard error without what it always says and, every half second, how far it is.
std::string unexpected_words(const std::string& said, std::size_t pictures) {
    std::istringstream lines(said);
    std::string unexpected;
    bool counted = false;
    const std::regex progress("[0-9]+ frames in [^\\r]*\\x1B\\[K\\r");
    for (std::string line; std::getline(lines, line);) {
        line = std::regex_replace(line, progress, "");
        const bool banner = line.empty() || line.rfind("libmpeg2-", 0) == 0;
        const bool count = line.rfind(std::to_string(pictures) + " frames decoded in ", 0) == 0;
        counted = counted || count;
        if (!banner && !count) unexpected += line + "\n";
    }
    return counted ? unexpected : unexpected + "(the number of frames was not said)\n";
}

} // namespace

std::string why_no_oracles() {
    if (!can_run("ffmpeg -version")) return "the ffmpeg command cannot be run";
    if (!can_run("command -v mpeg2dec")) return "the mpeg2dec command is not there";
    return {};
}

void Oracle::add(const std::string& name, const Settings& settings, const Clip& clip) {
    Entry entry{name, encode(settings, clip), settings.codec == Codec::mpeg1, {}};
    entry.stream = folder_ / (std::to_string(waiting_.size()) + (entry.mpeg1 ? ".m1v" : ".m2v"));
    write_bytes(entry.stream, entry.encoded.bytes);
    waiting_bytes_ += clip.size() * decoded_bytes(clip.front()->width(), clip.front()->height());
    waiting_.push_back(std::move(entry));
    if (waiting_.size() >= streams_per_run || waiting_bytes_ >= bytes_per_run) finish();
}

void Oracle::finish() {
    if (waiting_.empty()) return;
    ask_ffmpeg();
    ask_mpeg2dec();
    streams_ += static_cast<int>(waiting_.size());
    waiting_.clear();
    waiting_bytes_ = 0;
}

std::filesystem::path Oracle::path_of(const Entry& entry, const char* extension) const {
    return entry.stream.string() + extension;
}

/// Runs a shell's command line; what it said on standard error, and its exit code where that is not 0.
std::string Oracle::run(const std::string& command, const fs::path& said) const {
    const int code = std::system(("( " + command + " ) 2>" + quoted(said) + " </dev/null").c_str());
    return read_text(said) + (code != 0 ? "exit code " + std::to_string(code) + "\n" : "");
}

/// The strict check (with its `-f null -`) and the raw pictures in one; returns what FFmpeg said.
std::string Oracle::ffmpeg(const std::vector<const Entry*>& entries) const {
    std::string inputs, outputs;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        inputs += " -err_detect explode -threads 1 -idct faani -i " + quoted(entries[i]->stream);
        const std::string map = " -map " + std::to_string(i) + ":v";
        outputs +=
            map + " -f null -" + map + " -fps_mode passthrough -f rawvideo " + quoted(path_of(*entries[i], ".yuv"));
    }
    return run("ffmpeg -nostdin -y -v error -xerror" + inputs + outputs, folder_ / "ffmpeg.txt");
}

void Oracle::ask_ffmpeg() const {
    std::vector<const Entry*> all;
    for (const Entry& entry : waiting_)
        all.push_back(&entry);
    const std::string said = ffmpeg(all);
    bool named = false;
    for (const Entry& entry : waiting_) {
        SCOPED_TRACE(entry.name);
        // In a run of many, a message does not say which stream it is about, and the others may be cut short.
        const std::string said_of_it = said.empty() ? "" : ffmpeg({&entry});
        EXPECT_EQ(said_of_it, "") << "FFmpeg is to take the stream without a word";
        named = named || !said_of_it.empty();
        const VideoFormat& format = entry.encoded.format;
        const double decibels = compare(read_bytes(path_of(entry, ".yuv")), 0, format.width, format.height,
                                        entry.encoded.reconstructions(), frame_from);
        EXPECT_GT(decibels, ffmpeg_psnr) << "of FFmpeg's pictures against the reconstruction";
    }
    EXPECT_TRUE(said.empty() || named) << "of many streams at once, FFmpeg said:\n" << said;
}

void Oracle::ask_mpeg2dec() const {
    for (const Entry& entry : waiting_) {
        SCOPED_TRACE(entry.name);
        const fs::path pictures = path_of(entry, ".pgm");
        const std::string said =
            run("mpeg2dec -o pgmpipe " + quoted(entry.stream) + " >" + quoted(pictures), folder_ / "mpeg2dec.txt");
        const std::vector<FramePtr> expected = entry.encoded.reconstructions();
        EXPECT_EQ(unexpected_words(said, expected.size()), "") << "mpeg2dec is to take the stream without a word";
        const int width = expected.front()->width(), height = expected.front()->height();
        const std::string header = "P5\n" + std::to_string(width) + " " + std::to_string(height * 3 / 2) + "\n255\n";
        const Bytes decoded = read_bytes(pictures);
        ASSERT_GE(decoded.size(), header.size());
        EXPECT_TRUE(std::equal(header.begin(), header.end(), decoded.begin())) << "another size";
        const double decibels = compare(decoded, header.size(), width, height, expected, frame_from_pgm);
        const bool misread = entry.mpeg1 && entry.encoded.format.height > 2800;
        EXPECT_TRUE(misread || decibels > mpeg2dec_psnr)
            << decibels << " dB: mpeg2dec's pictures against the reconstruction";
    }
}

} // namespace tandem::test
